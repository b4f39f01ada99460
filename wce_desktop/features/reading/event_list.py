"""The list of flagged events: rows of two heights, with buttons that answer."""

from collections.abc import Sequence

from PySide6 import QtCore
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QToolTip

from wce_desktop.core import Span, to_translate, tr
from wce_desktop.core.event import Event
from wce_desktop.features.reading.event_model import EVENT_ROLE, EventListModel, Index
from wce_desktop.features.reading.event_painting import (
    PART_STEP,
    PARTS_HEIGHT,
    ROW_HEIGHT,
    EventDelegate,
    answer_buttons,
    parts_shown,
)
from wce_desktop.session.keys import with_keys
from wce_desktop.widgets import by_hand
from wce_desktop.widgets.plain_text import plain

ANSWER_TIPS = {
    True: to_translate("Accept the suggestion ({accept_event})"),
    False: to_translate("Reject the suggestion ({reject_event})"),
}


class EventListView(by_hand.HandTableView):
    """Shows the rows of an `EventListModel`: a table of one column, since a `QListView` asks for every row whenever the
    events change, which takes half a second for 100,000 of them. Of a table only the rows on screen are asked for.
    """

    answer_requested = QtCore.Signal(object, bool)
    """The event of the row, and whether it is accepted; one of its two buttons."""

    def __init__(self, model: EventListModel, delegate: EventDelegate) -> None:
        super().__init__()
        self.setAccessibleName(tr("Flagged events"))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(delegate)
        self.setModel(model)
        across, down = self.horizontalHeader(), self.verticalHeader()
        for header in (across, down):
            header.hide()
        across.setStretchLastSection(True)
        across.setMinimumSectionSize(0)
        down.setDefaultSectionSize(ROW_HEIGHT)
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

        self.setMouseTracking(True)
        self.hot: tuple[int, bool] | None = None
        """The button under the pointer: its row, and whether it accepts."""
        self._pressed_button: tuple[Event, bool] | None = None  # rows move while flags arrive, events do not
        self._pressed_at: QtCore.QPoint | None = None
        self._high_rows: tuple[int, ...] = ()

    def lay_out_parts(self, rows: Sequence[int]) -> None:
        """Make these rows higher: suggested findings with several parts; call it whenever the rows have changed."""
        for row in self._high_rows:  # a table keeps the heights of its rows when others take their places
            self.setRowHeight(row, ROW_HEIGHT)
        self._high_rows = tuple(rows)
        for row in rows:
            self.setRowHeight(row, ROW_HEIGHT + PARTS_HEIGHT)

    def chosen_event(self, index: Index) -> Event | None:
        """The event that a click or a key chooses in a row: the part whose picture was clicked, else the main part.

        The number of further parts stands for the one of them with the highest score.
        """
        event = index.data(EVENT_ROLE)
        at, rect = self._pressed_at, self.visualRect(index)
        if at is not None and rect.contains(at) and at.y() >= rect.top() + ROW_HEIGHT:
            parts = self.model().parts_of(index.row())  # type: ignore[attr-defined]
            place, shown = (at.x() - rect.left() - 6) // PART_STEP, parts_shown(rect.width(), len(parts))
            if 0 <= place < shown:
                event = parts[place]
            elif place == shown and parts[shown:]:
                event = max(parts[shown:], key=lambda part: part.peak_score)
        return event if isinstance(event, Event) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where: a click on the picture of a part chooses this part, one on a button answers."""
        self._pressed_at = event.position().toPoint()
        is_left = event.button() == QtCore.Qt.MouseButton.LeftButton
        at = self.button_at(self._pressed_at) if is_left else None
        self._pressed_button = (self._event_in(at[0]), at[1]) if at is not None else None
        if self._pressed_button is None:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Answer where the button was pressed and released."""
        pressed, self._pressed_button = self._pressed_button, None
        if pressed is None:
            super().mouseReleaseEvent(event)
            return
        at, (wanted, is_accepted) = self.button_at(event.position().toPoint()), pressed
        here = self._event_in(at[0]) if at is not None and at[1] == is_accepted else None
        if here is not None and here.name == wanted.name and wanted.peak_frame in here.span:
            self.answer_requested.emit(here, is_accepted)

    def _event_in(self, row: int) -> Event:
        event = self.model().index(row, 0).data(EVENT_ROLE)
        assert isinstance(event, Event)
        return event

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two quick clicks on a button are two answers."""
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the button under the pointer."""
        self._show_hot(self.button_at(event.position().toPoint()))
        if self._pressed_button is None:
            super().mouseMoveEvent(event)

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        """No button is under the pointer."""
        self._show_hot(None)
        super().leaveEvent(event)

    def button_at(self, at: QtCore.QPoint) -> tuple[int, bool] | None:
        """The row of the button at a place, and whether it accepts; None where there is no button."""
        index = self.indexAt(at)
        if not index.isValid():
            return None
        accept, reject = answer_buttons(self.visualRect(index))
        return (index.row(), accept.contains(at)) if accept.contains(at) or reject.contains(at) else None

    def _show_hot(self, button: tuple[int, bool] | None) -> None:
        if button == self.hot:
            return
        before, self.hot = self.hot, button
        for changed in (before, button):
            if changed is not None:
                self.update(self.model().index(changed[0], 0))
        self.setCursor(
            QtCore.Qt.CursorShape.PointingHandCursor if button is not None else QtCore.Qt.CursorShape.ArrowCursor
        )

    def viewportEvent(self, event: QtCore.QEvent) -> bool:
        """Say what a button does, in place of the tooltip of its row."""
        if event.type() == QtCore.QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            button = self.button_at(event.pos())
            if button is not None:
                QToolTip.showText(event.globalPos(), plain(with_keys(tr(ANSWER_TIPS[button[1]]))), self)
                return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys choose rows."""
        self._pressed_at = None
        super().keyPressEvent(event)

    def scrollTo(self, index: Index, hint: QTableView.ScrollHint = QTableView.ScrollHint.EnsureVisible) -> None:
        """Scroll to a row, also to one of events that were set a moment ago and not yet laid out."""
        self.executeDelayedItemsLayout()
        self.updateGeometries()
        super().scrollTo(index, hint)

    @property
    def top_event(self) -> Event | None:
        """The event of the first row on screen; None while there is none."""
        top = self.indexAt(QtCore.QPoint(1, 1))
        return self._event_in(top.row()) if top.isValid() else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the list gets lower, the highlighted row stays on screen."""
        chosen = self.selectionModel().selectedIndexes()
        place = self.visualRect(chosen[0]) if chosen else QtCore.QRect()
        was_shown = place.isValid() and place.top() >= 0 and place.bottom() < event.oldSize().height()
        super().resizeEvent(event)
        if was_shown:
            self.scrollTo(chosen[0])

    def show_at_top(self, row: int) -> None:
        """Scroll so that a row is the first one on screen."""
        self.scrollTo(self.model().index(row, 0), QTableView.ScrollHint.PositionAtTop)

    def repaint_events_in(self, spans: Sequence[Span]) -> None:
        """Paint those rows on screen again whose event has its peak within one of the spans."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        rows = range(first, (last if last >= 0 else self.model().rowCount() - 1) + 1) if first >= 0 else ()
        for row in rows:
            index = self.model().index(row, 0)
            if any(index.data(EVENT_ROLE).peak_frame in span for span in spans):
                self.update(index)
