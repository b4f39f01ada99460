"""The flagged events as a Qt list: what a row holds, and how it is painted."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from wce_desktop.core.clock import format_time
from wce_desktop.core.event import Event
from wce_desktop.core.event_list import EventList
from wce_desktop.core.span import Span
from wce_desktop.session.session import Session
from wce_desktop.widgets.glyphs import draw_glyph
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.theme import ACCENT, BACKGROUND, BORDER, MUTED, TEXT

Index = QModelIndex | QPersistentModelIndex
EVENT_ROLE = Qt.ItemDataRole.UserRole
ROW_HEIGHT, THUMBNAIL_SIDE = 58, 48
ANSWERS = {"accepted": "accepted", "rejected": "not a finding", "": ""}


def frames_in_words(count: int) -> str:
    """“1 frame”, “14 frames”."""
    return f"{count:,} frame" if count == 1 else f"{count:,} frames"


class EventListModel(QAbstractListModel):
    """The events of the open study in the order chosen; whether they were seen is asked of the session."""

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
        """The row of an event, or -1."""
        return self._events.row_of(event)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """The number of events."""
        return 0 if parent.isValid() else len(self._events)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The event of a row, and its text for screen readers."""
        if not index.isValid():
            return None
        event = self._events[index.row()]
        if role == EVENT_ROLE:
            return event
        if role in {Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole}:
            return self._sentence(event)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._sentence(event))
        return None

    def _sentence(self, event: Event) -> str:
        title = self._session.vocabulary.of(event.name).title
        said = f"{title}, {frames_in_words(len(event.span))}, at {self.time_of(event)}, score {event.peak_score:.2f}"
        answer = ANSWERS[self._session.reading.answer(event)] if self._session.reading else ""
        return f"{said}, {answer}" if answer else said

    def time_of(self, event: Event) -> str:
        """The time of an event's peak as h:mm:ss."""
        reading = self._session.reading
        return "" if reading is None else format_time(float(reading.index.video_seconds[event.peak_frame]))


class EventListView(QTableView):
    """Shows the rows of an `EventListModel`: a table of one column, since a `QListView` asks for every row whenever the
    events change, which takes half a second for 100,000 of them. Of a table only the rows on screen are asked for.
    """

    def __init__(self, model: EventListModel, delegate: "EventDelegate") -> None:
        super().__init__()
        self.setAccessibleName("Flagged events")
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(delegate)
        self.setModel(model)
        across, down = self.horizontalHeader(), self.verticalHeader()
        for header in (across, down):
            header.hide()
        across.setStretchLastSection(True)
        across.setMinimumSectionSize(0)
        down.setDefaultSectionSize(ROW_HEIGHT)
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def scrollTo(self, index: Index, hint: QTableView.ScrollHint = QTableView.ScrollHint.EnsureVisible) -> None:
        """Scroll to a row, also to one of events that were set a moment ago and not yet laid out."""
        self.executeDelayedItemsLayout()
        self.updateGeometries()
        super().scrollTo(index, hint)

    def repaint_events_in(self, spans: Sequence[Span]) -> None:
        """Paint those rows on screen again whose event has its peak within one of the spans."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        rows = range(first, (last if last >= 0 else self.model().rowCount() - 1) + 1) if first >= 0 else ()
        for row in rows:
            index = self.model().index(row, 0)
            if any(index.data(EVENT_ROLE).peak_frame in span for span in spans):
                self.update(index)


class EventDelegate(QStyledItemDelegate):
    """Paints one event: thumbnail, class with its shape, highest score, time, length, seen or not, answer."""

    def __init__(self, session: Session, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._session = session
        self._thumbnail = thumbnail

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Every row is equally high."""
        return QSize(220, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a row."""
        event = index.data(EVENT_ROLE)
        reading = self._session.reading
        if event is None or reading is None:
            return
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor("#33424c"))
        picture = QRect(rect.left() + 6, rect.top() + 5, THUMBNAIL_SIDE, THUMBNAIL_SIDE)
        self._paint_thumbnail(painter, picture, event.peak_frame)
        answer = ANSWERS[reading.answer(event)]
        margin = 3 if answer else 7  # the answer is on a separate line: there is no room beside the others
        text = rect.adjusted(THUMBNAIL_SIDE + 16, margin, -10, -margin)
        self._paint_first_line(painter, text, event)
        self._paint_second_line(painter, text, event, answer)
        painter.restore()

    def _paint_thumbnail(self, painter: QPainter, rect: QRect, frame_index: int) -> None:
        painter.fillRect(rect, QColor(BACKGROUND))
        image = self._thumbnail(frame_index)
        if image is not None and not image.isNull():
            size = image.size().scaled(rect.size(), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRect(QPoint(0, 0), size)
            place.moveCenter(rect.center())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, image)

    def _paint_first_line(self, painter: QPainter, rect: QRect, event: Event) -> None:
        name = self._session.vocabulary.of(event.name)
        draw_glyph(painter, QPointF(rect.left() + 6, rect.top() + 9), 5, name.shape, QColor(name.color))
        bold = QFont(painter.font())
        bold.setBold(True)
        painter.setFont(bold)
        painter.setPen(QColor(TEXT))
        top, left = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignLeft
        painter.drawText(rect.adjusted(18, 0, -40, 0), top | left, name.title)
        painter.drawText(rect, top | Qt.AlignmentFlag.AlignRight, f"{event.peak_score:.2f}")
        bold.setBold(False)
        painter.setFont(bold)

    def _paint_second_line(self, painter: QPainter, rect: QRect, event: Event, answer: str) -> None:
        reading = self._session.reading
        assert reading is not None
        time = format_time(float(reading.index.video_seconds[event.peak_frame]))
        words = f"{time}   {frames_in_words(len(event.span))}"
        painter.setPen(QColor(MUTED))
        left = Qt.AlignmentFlag.AlignLeft
        painter.drawText(
            rect, left | (Qt.AlignmentFlag.AlignVCenter if answer else Qt.AlignmentFlag.AlignBottom), words
        )
        painter.drawText(rect, left | Qt.AlignmentFlag.AlignBottom, answer)
        is_seen = reading.is_event_seen(event)
        painter.setPen(QColor(BORDER if is_seen else ACCENT))
        painter.setBrush(QColor(0, 0, 0, 0) if is_seen else QColor(ACCENT))
        painter.drawEllipse(QPoint(rect.right() - 4, rect.bottom() - 6), 4, 4)
