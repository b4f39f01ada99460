"""The parts of a suggested finding that are left once one of them was accepted or rejected, with their pictures."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from wce_desktop.core.clock import counted, format_time
from wce_desktop.core.event import Event
from wce_desktop.core.language import tr, tr_count
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import SidewaysArea, make_text
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.player.annotation_painter import draw_answer
from wce_desktop.widgets.player.pictures import picture_icon
from wce_desktop.widgets.theme import ACCENT, BORDER, RAISED, TEXT

PICTURE_PX, SMALL_PX, BUTTON_PX = 64, 40, 26


class FurtherParts(QFrame):
    """Hidden unless parts are offered. Only what is answered here or on screen is written."""

    part_chosen = Signal(object)
    """The event of a part whose picture was clicked."""
    answered = Signal(object, bool)
    """The event of a part, and whether it is accepted."""

    def __init__(self, session: Session, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._session, self._thumbnail = session, thumbnail
        self._of: Event | None = None
        self._parts: tuple[Event, ...] = ()
        self._pictures: dict[int, QToolButton] = {}
        self._picture_px = PICTURE_PX
        self.setObjectName("parts")
        self.setStyleSheet(f"QFrame#parts {{ background: {RAISED}; border-left: 4px solid {ACCENT}; }}")
        self.setAccessibleName(tr("Further parts of the finding"))
        self._text = make_text()
        close = QToolButton()
        close.setText("✕")
        close.setToolTip(plain(tr("Leave these parts unanswered")))
        close.setAccessibleName(tr("Leave these parts unanswered"))
        close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        close.clicked.connect(self.dismiss)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        inside = QWidget()
        inside.setLayout(self._row)
        head = QHBoxLayout()
        head.addWidget(self._text, 1)
        head.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 4, 4)
        layout.setSpacing(4)
        layout.addLayout(head)
        area = SidewaysArea(inside)
        for each in (area.viewport(), inside):
            each.setAutoFillBackground(False)
        layout.addWidget(area)
        self.hide()

    @property
    def parts(self) -> tuple[Event, ...]:
        """The parts that are offered, in order of time."""
        return self._parts

    def offer(self, answered: Event) -> None:
        """Offer the other parts of a suggested finding, of which this one was answered."""
        self._of = answered
        self.refresh()

    def dismiss(self) -> None:
        """Offer nothing."""
        self._of = None
        self.refresh()

    def refresh(self) -> None:
        """Show the parts that are left; none once the reader is at another finding or took the answer back."""
        reading, of = self._session.reading, self._of
        parts: list[Event] = []
        if reading is None:
            self._of = None
        elif of is not None and reading.flags.suggested is not None:  # else the flags are being grouped again
            here = reading.event_here()
            is_elsewhere = here is not None and reading.flags.main_of(here) != reading.flags.main_of(of)
            if is_elsewhere or not reading.answer(of):
                self._of = None
            else:
                parts = [part for part in reading.flags.parts_of(of) if not reading.answer(part)]
        if tuple(parts) != self._parts:
            self._parts = tuple(parts)
            self._fill()
        self.setVisible(bool(parts))

    def set_compact(self, is_compact: bool) -> None:
        """Show smaller pictures, where there is little room."""
        self._picture_px = SMALL_PX if is_compact else PICTURE_PX
        for button in self._pictures.values():
            button.setIconSize(QSize(self._picture_px, self._picture_px))

    def show_pictures(self) -> None:
        """Show the pictures that have arrived."""
        for frame_index, button in self._pictures.items():
            picture = self._thumbnail(frame_index) if button.icon().isNull() else None
            if picture is not None and not picture.isNull():
                button.setIcon(picture_icon(picture))

    def _fill(self) -> None:
        had_focus = self.isAncestorOf(self.window().focusWidget() or self)
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._pictures.clear()
        if not self._parts:
            return
        title = self._session.vocabulary.of(self._parts[0].name).shown_title
        self._text.setText(
            tr_count(
                "{name}: {count} further part seems to show the same",
                "{name}: {count} further parts seem to show the same",
                len(self._parts),
                name=title,
            )
        )
        for part in self._parts:
            self._row.addWidget(self._cell(part, title))
        self._row.addStretch(1)
        self.show_pictures()
        if had_focus:  # the button that was pressed is gone
            self._pictures[self._parts[0].peak_frame].setFocus()

    def _cell(self, part: Event, title: str) -> QWidget:
        reading = self._session.reading
        assert reading is not None
        time = format_time(float(reading.index.video_seconds[part.span.start]))
        words = tr("{name} at {time}, {frames}", name=title, time=time, frames=counted(len(part.span), "frame"))
        picture = QToolButton()
        picture.setIconSize(QSize(self._picture_px, self._picture_px))
        picture.setText(time)
        picture.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        picture.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        picture.setAccessibleName(words)
        picture.setToolTip(plain(tr("{part}: go there", part=words)))
        picture.clicked.connect(lambda: self.part_chosen.emit(part))
        self._pictures[part.peak_frame] = picture
        cell = QWidget()
        grid = QGridLayout(cell)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(picture, 0, 0, 2, 1)
        for row, (is_accept, tip) in enumerate(((True, tr("Accept this part")), (False, tr("Reject this part")))):
            button = AnswerButton(is_accept=is_accept)
            button.setToolTip(plain(tip))
            button.setAccessibleName(f"{tip}: {words}")
            button.clicked.connect(lambda _=False, accept=is_accept: self.answered.emit(part, accept))
            grid.addWidget(button, row, 1)
        return cell


class AnswerButton(QAbstractButton):
    """A tick or a cross; Space and Enter press it."""

    def __init__(self, *, is_accept: bool) -> None:
        super().__init__()
        self._is_accept = is_accept
        self.setFixedSize(BUTTON_PX, BUTTON_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sign, on a ground while the pointer is on it or it has the focus."""
        with QPainter(self) as painter:
            is_hot = self.underMouse() or self.hasFocus()
            draw_answer(painter, QRectF(self.rect()), is_accept=self._is_accept, is_hot=is_hot, ink=TEXT, hot=BORDER)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses it, too."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus."""
        super().focusInEvent(event)
        self.update()
