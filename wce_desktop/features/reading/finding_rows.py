"""How a finding is shown in a list: its words, and its card with picture, class, time and details."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QFontMetricsF, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from wce_desktop.core import counted, format_time, tr
from wce_desktop.core.annotation.finding import FORM_ENTRIES, Finding
from wce_desktop.core.annotation.transit import minutes_text, place_of
from wce_desktop.features.reading.event_painting import paint_thumbnail, paint_title
from wce_desktop.session.session import Session
from wce_desktop.widgets.player.annotation_painter import joined
from wce_desktop.widgets.theme import COLORS

FINDING_ROLE = Qt.ItemDataRole.UserRole
PICTURE_PX, LEAST_PX, DETAIL_LINES = 52, 60, 3


def row_lines(session: Session, finding: Finding) -> list[str]:
    """Kind, frames and time; further times; place and details; the comment."""
    reading = session.opened()
    seconds = reading.index.video_seconds
    others = [frame for frame in finding.key_frames if frame not in finding.span and frame < reading.frame_count]
    times = ", ".join(format_time(float(seconds[frame])) for frame in others)
    place, where = place_of(reading.entries.landmarks, seconds, finding.span.start), tr(finding.segment)
    if not where and place is not None:
        where = f"{tr(place.region)} + {minutes_text(place.seconds)}"
    words = {name: entry.words(getattr(finding, name)) for name, entry in FORM_ENTRIES.items()}
    details = ", ".join(filter(None, (words | {"segment": where, "comment": ""}).values()))
    title, frames = session.vocabulary.of(finding.kind).shown_title, counted(len(finding.span), "frame")
    first = tr("{title}, {frames}, at {time}", title=title, frames=frames, time=time_of(session, finding))
    also = tr("also at {times}", times=times) if others else ""
    return list(filter(None, (first, also, details, " ".join(finding.comment.split()))))


def time_of(session: Session, finding: Finding) -> str:
    """The time of a finding's first frame as h:mm:ss."""
    reading = session.opened()
    return format_time(float(reading.index.video_seconds[min(finding.span.start, reading.frame_count - 1)]))


class FindingDelegate(QStyledItemDelegate):
    """Paints the card of a finding."""

    def __init__(self, session: Session, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._session, self._thumbnail = session, thumbnail

    @property
    def height_px(self) -> int:
        """Of every card: four lines of text, and no less than the picture needs."""
        return max(LEAST_PX, (1 + DETAIL_LINES) * QFontMetrics(QGuiApplication.font()).height() + 10)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Every card is equally high."""
        return QSize(220, self.height_px)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a card."""
        reading, finding = self._session.reading, index.data(FINDING_ROLE)
        if reading is None or not isinstance(finding, Finding):
            return
        rect: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(COLORS.selected))
        picture = QRect(rect.left() + 4, rect.top() + 4, PICTURE_PX, PICTURE_PX)
        paint_thumbnail(painter, picture, self._thumbnail(reading.entries.frames_of(finding)[0]))
        text = rect.adjusted(PICTURE_PX + 10, 4, -6, -4)
        time = time_of(self._session, finding)
        paint_title(painter, text, self._session.vocabulary.of(finding.kind), time)
        painter.setPen(QColor(COLORS.muted))
        metrics = painter.fontMetrics()
        details = str(index.data()).split("\n")[1:] or [counted(len(finding.span), "frame")]
        lines = [
            line for each in details for line in joined(each.split(), " ", QFontMetricsF(painter.font()), text.width())
        ]
        if len(lines) > DETAIL_LINES:
            rest = " ".join(lines[DETAIL_LINES - 1 :])
            elided = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, text.width())
            lines = [*lines[: DETAIL_LINES - 1], elided]
        painter.drawText(text.adjusted(0, metrics.height(), 0, 0), int(Qt.AlignmentFlag.AlignLeft), "\n".join(lines))
        painter.restore()
