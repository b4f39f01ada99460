"""Further parts of a suggested finding of which one was answered, below the list of flags."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QToolButton, QWidget

from wce_desktop.core import counted, format_time, tr, tr_count
from wce_desktop.core.event import Event
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import SidewaysArea, as_widget, in_column, in_row, make_text
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.player.annotation_painter import draw_answer
from wce_desktop.widgets.player.pictures import picture_icon
from wce_desktop.widgets.theme import COLORS


def _closing_button(name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText("✕")
    button.setToolTip(plain(tip))
    button.setAccessibleName(name)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


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
        self.parts: tuple[Event, ...] = ()
        self._pictures: dict[int, QToolButton] = {}
        self._picture_px = PICTURE_PX
        self.setObjectName("parts")
        self.setStyleSheet(f"QFrame#parts {{ background: {COLORS.raised}; border-left: 4px solid {COLORS.accent}; }}")
        self.setAccessibleName(tr("Further parts of the finding"))
        self._text = make_text()
        close = _closing_button(tr("Leave these parts unanswered"), tr("Leave these parts unanswered"))
        close.clicked.connect(self.dismiss)
        self._row = in_row(margins=0, spacing=8)
        inside = as_widget(self._row)
        head = in_row((self._text, 1), (close, 0, Qt.AlignmentFlag.AlignTop))
        area = SidewaysArea(inside)
        for each in (area.viewport(), inside):
            each.setAutoFillBackground(False)
        in_column(head, area, of=self, margins=(8, 4, 4, 4), spacing=4)
        self.hide()

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
        if tuple(parts) != self.parts:
            self.parts = tuple(parts)
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
        if not self.parts:
            return
        title = self._session.vocabulary.of(self.parts[0].name).shown_title
        self._text.setText(
            tr_count(
                "{name}: {count} further part seems to show the same",
                "{name}: {count} further parts seem to show the same",
                len(self.parts),
                name=title,
            )
        )
        for part in self.parts:
            self._row.addWidget(self._cell(part, title))
        self._row.addStretch(1)
        self.show_pictures()
        if had_focus:  # the button that was pressed is gone
            self._pictures[self.parts[0].peak_frame].setFocus()

    def _cell(self, part: Event, title: str) -> QWidget:
        reading = self._session.opened()
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
        answers = in_column(margins=0, spacing=0)
        for is_accept, tip in ((True, tr("Accept this part")), (False, tr("Reject this part"))):
            button = AnswerButton(is_accept=is_accept)
            button.setToolTip(plain(tip))
            button.setAccessibleName(f"{tip}: {words}")
            button.clicked.connect(lambda _=False, accept=is_accept: self.answered.emit(part, accept))
            answers.addWidget(button)
        return as_widget(in_row(picture, answers, margins=0, spacing=0))


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
            look = {"is_accept": self._is_accept, "is_hot": is_hot}
            draw_answer(painter, QRectF(self.rect()), ink=COLORS.text, hot=COLORS.border, **look)

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
