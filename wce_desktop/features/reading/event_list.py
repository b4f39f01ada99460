"""The flagged events, or the suggested findings with their parts, as a Qt list."""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6 import QtCore
from PySide6.QtGui import QColor, QFont, QHelpEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QToolTip

from wce_desktop.core import Span, counted, format_time, score_text, to_translate, tr
from wce_desktop.core.event import Event, EventList
from wce_desktop.core.suggested import earlier_words
from wce_desktop.session.keys import with_keys
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.widgets import by_hand, glyphs
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.player.annotation_painter import draw_answer
from wce_desktop.widgets.player.pictures import draw_fitting
from wce_desktop.widgets.theme import COLORS, legible

Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex
EVENT_ROLE = QtCore.Qt.ItemDataRole.UserRole
ROW_HEIGHT, THUMBNAIL_SIDE = 58, 48
PARTS_HEIGHT, PART_SIDE, PART_STEP = 54, 38, 46
"""Of the row of small pictures below a suggested finding with several parts."""
ANSWER_PX = 26
"""Width and height of each of the buttons that accept and reject, one above the other at the right of a row."""
ANSWER_TIPS = {
    True: to_translate("Accept the suggestion ({accept_event})"),
    False: to_translate("Reject the suggestion ({reject_event})"),
}
JOINING = to_translate("to be joined")
ANSWERS = {"accepted": to_translate("accepted"), "rejected": to_translate("rejected"), "": ""}


def is_joining(reading: Reading, event: Event) -> bool:
    """Whether the suggested finding of an event is to be joined with another one."""
    joining, main_of = reading.flags.joining, reading.flags.main_of
    return joining is not None and main_of(joining) == main_of(event)


def answer_words(reading: Reading, event: Event) -> str:
    """The answer to an event; where the parts of its suggested finding have several, how many have one."""
    parts = reading.flags.parts_of(event)
    answers = [reading.answer(part) for part in parts]
    if len(set(answers)) == 1:
        return tr(ANSWERS[answers[0]])
    return tr("{count} of {parts} parts answered", count=sum(map(bool, answers)), parts=len(parts))


class EventListModel(QtCore.QAbstractListModel):
    """The events of the open study in the order chosen; whether they were seen is asked of the session.

    Where events are grouped, a row is a suggested finding, and its event is the main part.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._events = EventList()

    def set_events(self, events: EventList) -> None:
        """Show these events."""
        self.beginResetModel()
        self._events = events
        self.endResetModel()

    def row_of(self, event: Event | None) -> int:
        """The row of an event, or of the suggested finding that it is a part of; or -1."""
        reading = self._session.reading
        if event is not None and reading is not None:
            event = reading.flags.main_of(event)
        return self._events.row_of(event)

    def nearest_row(self, event: Event) -> int:
        """The row of an event, or of the one nearest to it in the order shown; the list is not empty."""
        row = self.row_of(event)
        if row >= 0:
            return row
        if self._events.order == "score":
            return int(np.abs(self._events.peak_scores - event.peak_score).argmin())
        return self.row_near(event.span.start)

    def row_near(self, frame_index: int) -> int:
        """The row of the event that begins nearest to a frame; the list is not empty."""
        return int(np.abs(self._events.starts - frame_index).argmin())

    def rows_with_parts(self) -> list[int]:
        """The rows of suggested findings that have several parts."""
        suggested = self._session.reading.flags.suggested if self._session.reading else None
        if suggested is None:
            return []
        counts = suggested.main_part_counts[suggested.ranking(self._events.order)]
        return list(map(int, np.flatnonzero(counts > 1)))

    def parts_of(self, row: int) -> list[Event]:
        """The parts of the suggested finding of a row, in order of time; empty where it has one part only."""
        reading = self._session.reading
        parts = reading.flags.parts_of(self._events[row]) if reading is not None else []
        return parts if len(parts) > 1 else []

    def rowCount(self, parent: Index = QtCore.QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """The number of events."""
        return 0 if parent.isValid() else len(self._events)

    def data(self, index: Index, role: int = QtCore.Qt.ItemDataRole.DisplayRole) -> object:
        """The event of a row, and its text for screen readers."""
        if not index.isValid():
            return None
        event = self._events[index.row()]
        if role == EVENT_ROLE:
            return event
        if role in {QtCore.Qt.ItemDataRole.AccessibleTextRole, QtCore.Qt.ItemDataRole.DisplayRole}:
            return self._sentence(event)
        if role == QtCore.Qt.ItemDataRole.ToolTipRole:
            return plain(self._sentence(event))
        return None

    def _sentence(self, event: Event) -> str:
        title = self._session.vocabulary.of(event.name).shown_title
        reading = self._session.reading
        parts = reading.flags.parts_of(event) if reading is not None else [event]
        frames = counted(sum(len(part.span) for part in parts), "frame")
        values = {"title": title, "frames": frames, "time": self.time_of(parts[0])}
        message = tr("{title}, {frames}, at {time}, score {score}", **values, score=score_text(event.peak_score))
        suggested = reading.flags.suggested if reading is not None else None
        if suggested is not None:
            message = f"{message}, {tr('mean {score}', score=score_text(suggested.score_of(event)))}"
        if len(parts) > 1:
            times = ", ".join(map(self.time_of, parts))
            same = tr("{count} parts that seem to show the same, at {times}", count=len(parts), times=times)
            message = f"{message}; {same}"
        joining = tr(JOINING) if reading and is_joining(reading, event) else ""
        for note in (answer_words(reading, event), joining) if reading else ():
            message = f"{message}, {note}" if note else message
        earlier = suggested.earlier_of(event) if suggested is not None else None
        return message if earlier is None else f"{message}; {earlier_words(earlier, title)}"

    def time_of(self, event: Event) -> str:
        """The time of an event's first frame as h:mm:ss."""
        reading = self._session.reading
        return "" if reading is None else format_time(float(reading.index.video_seconds[event.span.start]))


def answer_buttons(row: QtCore.QRect) -> tuple[QtCore.QRect, QtCore.QRect]:
    """Where the buttons that accept and reject lie in a row."""
    accept = QtCore.QRect(row.right() - ANSWER_PX - 1, row.top() + 3, ANSWER_PX, ANSWER_PX)
    return accept, accept.translated(0, ANSWER_PX)


class EventListView(by_hand.HandTableView):
    """Shows the rows of an `EventListModel`: a table of one column, since a `QListView` asks for every row whenever the
    events change, which takes half a second for 100,000 of them. Of a table only the rows on screen are asked for.
    """

    answer_requested = QtCore.Signal(object, bool)
    """The event of the row, and whether it is accepted; one of its two buttons."""

    def __init__(self, model: EventListModel, delegate: "EventDelegate") -> None:
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


def parts_shown(width: int, count: int) -> int:
    """How many parts have a picture in a row of this width in pixels; a number stands for the others."""
    room = max(1, (width - 12) // PART_STEP)
    return count if count <= room else room - 1


def _small(painter: QPainter, size_px: int) -> QFont:
    font = QFont(painter.font())
    font.setPixelSize(size_px)
    return font


class EventDelegate(QStyledItemDelegate):
    """Paints one event: thumbnail, class with its shape, highest score, time, length, seen or not, answer; below them
    the parts of a suggested finding that has several.
    """

    def __init__(self, session: Session, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._session = session
        self._thumbnail = thumbnail

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QtCore.QSize:
        """Every row is equally high."""
        return QtCore.QSize(220, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a row."""
        event = index.data(EVENT_ROLE)
        reading = self._session.reading
        if event is None or reading is None:
            return
        whole: QtCore.QRect = option.rect
        rect = QtCore.QRect(whole.topLeft(), QtCore.QSize(whole.width(), ROW_HEIGHT))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(whole, QColor(COLORS.selected))
        picture = QtCore.QRect(rect.left() + 6, rect.top() + 5, THUMBNAIL_SIDE, THUMBNAIL_SIDE)
        self._paint_thumbnail(painter, picture, event.peak_frame)
        answer = answer_words(reading, event)
        margin = 3 if answer else 7  # the answer is on a separate line: there is no room beside the others
        text = rect.adjusted(THUMBNAIL_SIDE + 14, margin, -ANSWER_PX - 6, -margin)
        self._paint_first_line(painter, text, event)
        parts = reading.flags.parts_of(event)
        self._paint_second_line(painter, text, parts, event, answer)
        self._paint_buttons(painter, option, index.row(), rect)
        if len(parts) > 1:
            below = QtCore.QRect(whole.left() + 6, rect.bottom(), whole.width() - 12, PARTS_HEIGHT)
            self._paint_parts(painter, below, parts, reading.event_here())
        if is_joining(reading, event):
            self._paint_joining(painter, whole, picture)
        painter.restore()

    def _paint_buttons(self, painter: QPainter, option: QStyleOptionViewItem, row: int, rect: QtCore.QRect) -> None:
        view = option.widget
        hot = view.hot if isinstance(view, EventListView) else None
        is_quiet = not (option.state & QStyle.StateFlag.State_Selected or (hot is not None and hot[0] == row))
        painter.save()
        painter.setOpacity(0.45 if is_quiet else 1.0)  # the row that keys act on stands out
        for is_accept, place in zip((True, False), answer_buttons(rect), strict=True):
            is_hot = hot == (row, is_accept)
            draw_answer(
                painter, QtCore.QRectF(place), is_accept=is_accept, is_hot=is_hot, ink=COLORS.text, hot=COLORS.border
            )
        painter.restore()

    def _paint_joining(self, painter: QPainter, whole: QtCore.QRect, picture: QtCore.QRect) -> None:
        """A frame around the row, and words over its picture."""
        self._paint_frame(painter, whole.adjusted(2, 2, -2, -2), 3)
        below = QtCore.QRect(picture.left(), picture.bottom() - 13, picture.width(), 14)
        painter.fillRect(below, QColor(COLORS.accent))
        painter.setPen(QColor(COLORS.background))
        painter.setFont(_small(painter, 10))
        painter.drawText(below, QtCore.Qt.AlignmentFlag.AlignCenter, tr("to join"))

    def _paint_frame(self, painter: QPainter, rect: QtCore.QRect, width_px: int) -> None:
        painter.setPen(QPen(QColor(COLORS.accent), width_px))
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        painter.drawRect(rect)

    def _paint_thumbnail(self, painter: QPainter, rect: QtCore.QRect, frame_index: int) -> None:
        painter.fillRect(rect, QColor(COLORS.background))
        image = self._thumbnail(frame_index)
        if image is not None and not image.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            draw_fitting(painter, rect, image)

    def _paint_first_line(self, painter: QPainter, rect: QtCore.QRect, event: Event) -> None:
        name = self._session.vocabulary.of(event.name)
        glyphs.draw_glyph(painter, QtCore.QPointF(rect.left() + 6, rect.top() + 9), 5, name.shape, legible(name.color))
        bold = QFont(painter.font())
        bold.setBold(True)
        painter.setFont(bold)
        painter.setPen(QColor(COLORS.text))
        top, left = QtCore.Qt.AlignmentFlag.AlignTop, QtCore.Qt.AlignmentFlag.AlignLeft
        painter.drawText(rect.adjusted(18, 0, -40, 0), top | left, name.shown_title)
        painter.drawText(rect, top | QtCore.Qt.AlignmentFlag.AlignRight, score_text(event.peak_score))
        bold.setBold(False)
        painter.setFont(bold)

    def _paint_second_line(
        self, painter: QPainter, rect: QtCore.QRect, parts: Sequence[Event], event: Event, answer: str
    ) -> None:
        reading = self._session.opened()
        frames = counted(sum(len(part.span) for part in parts), "frame")
        words = f"{format_time(float(reading.index.video_seconds[parts[0].span.start]))}   {frames}"
        if len(parts) > 1 and reading.flags.suggested is not None:
            mean = score_text(reading.flags.suggested.score_of(event))
            words = tr("{count} parts   mean {score}", count=len(parts), score=mean)
        words = painter.fontMetrics().elidedText(words, QtCore.Qt.TextElideMode.ElideRight, rect.width() - 12)
        painter.setPen(QColor(COLORS.muted))
        left = QtCore.Qt.AlignmentFlag.AlignLeft
        down = QtCore.Qt.AlignmentFlag.AlignVCenter if answer else QtCore.Qt.AlignmentFlag.AlignBottom
        painter.drawText(rect, left | down, words)
        painter.drawText(rect, left | QtCore.Qt.AlignmentFlag.AlignBottom, answer)
        is_seen = reading.is_event_seen(event)
        painter.setPen(QColor(COLORS.muted if is_seen else COLORS.accent))
        painter.setBrush(QColor(0, 0, 0, 0) if is_seen else QColor(COLORS.accent))
        painter.drawEllipse(QtCore.QPoint(rect.right() - 4, rect.bottom() - 6), 4, 4)

    def _paint_parts(self, painter: QPainter, rect: QtCore.QRect, parts: Sequence[Event], here: Event | None) -> None:
        """Small pictures of the parts with their times; the one on screen has a frame."""
        reading = self._session.opened()
        shown = parts_shown(rect.width() + 12, len(parts))
        painter.setFont(_small(painter, 9))
        for place, part in enumerate(parts[:shown]):
            picture = QtCore.QRect(rect.left() + place * PART_STEP, rect.top(), PART_SIDE, PART_SIDE)
            self._paint_thumbnail(painter, picture, part.peak_frame)
            if answer := reading.answer(part):
                corner = QtCore.QRect(picture.right() - 14, picture.bottom() - 14, 15, 15)
                painter.fillRect(corner, QColor(COLORS.background))
                draw_answer(painter, QtCore.QRectF(corner), is_accept=answer == "accepted", ink=COLORS.text)
            if part == here:
                self._paint_frame(painter, picture, 2)
            painter.setPen(QColor(COLORS.muted))
            time = format_time(float(reading.index.video_seconds[part.span.start]))
            below = QtCore.QRect(picture.left() - 4, picture.bottom() + 1, PART_SIDE + 8, 12)
            painter.drawText(below, QtCore.Qt.AlignmentFlag.AlignCenter, time)
        if shown < len(parts):
            rest = QtCore.QRect(rect.left() + shown * PART_STEP, rect.top(), PART_SIDE, PART_SIDE)
            if here in parts[shown:]:
                self._paint_frame(painter, rest, 2)
            painter.setPen(QColor(COLORS.muted))
            painter.drawText(rest, QtCore.Qt.AlignmentFlag.AlignCenter, f"+{len(parts) - shown}")
