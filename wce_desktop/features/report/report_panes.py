"""The right and the lower part of the report window: the pages, and the box with which it is signed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from wce_desktop.core import counted, to_translate, tr
from wce_desktop.session.completeness.still_open import Open
from wce_desktop.widgets import plain_text, theme
from wce_desktop.widgets.basic import in_column, in_row, make_button, make_heading, make_note, make_text, show_text
from wce_desktop.widgets.page_area import PageArea

TIP = to_translate("Keep this report in the library as a signed version")


class Acknowledgement(QWidget):
    """A check box with a sentence that wraps."""

    toggled = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.box = QCheckBox()
        self.box.setAccessibleName(name)
        self._words = make_text()
        self._words.setBuddy(self.box)
        in_row(self.box, (self._words, 1), of=self, margins=0)
        self.box.toggled.connect(self.toggled)

    @property
    def is_answered(self) -> bool:
        """Whether there is nothing to acknowledge, or it was."""
        return not self._words.text() or self.box.isChecked()

    def ask(self, words: str, *, is_ticked: bool | None = None) -> None:
        """Ask for this, ticked or not; None: another count takes the tick away."""
        if is_ticked is None:
            is_ticked = self.box.isChecked() and words == self._words.text()
        with QSignalBlocker(self.box):
            self.box.setChecked(is_ticked)
        self._words.setText(words)
        self.box.setAccessibleDescription(words)
        self.setVisible(bool(words))


class SignBox(QWidget):
    """Check boxes with the counts, the reader's name, and the button."""

    def __init__(self) -> None:
        super().__init__()
        self.flags, self.frames = Acknowledgement(tr("Flags not seen")), Acknowledgement(tr("Frames not seen"))
        self.reader = QLineEdit()
        self.reader.setAccessibleName(tr("Reader who signs"))
        self.reader.setPlaceholderText(tr("Name of the reader"))
        self.reader.setMaxLength(200)
        self.button = make_button(tr("Sign"), tr(TIP))
        self.button.setProperty("primary", True)
        self.amend = make_button(tr("Amend…"), "")
        self.key = make_button(
            tr("Protect key…"), tr("Show what protects your signature key, and give it a passphrase")
        )
        self.drop = make_button(tr("Discard amendment"), tr("Take the reason back; what was changed stays as it is"))
        self.note = make_note()
        self.known: Open | None = None
        """What is to be acknowledged, as it is shown."""
        in_column(
            make_heading(tr("SIGNATURE")),
            self.flags,
            self.frames,
            in_row(plain_text.PlainLabel(tr("Reader")), (self.reader, 1), self.button),
            self.note,
            in_row(self.key, 1, self.drop, self.amend),
            of=self,
            margins=0,
        )
        for box in (self.flags, self.frames):
            box.toggled.connect(self.refresh)
        self.offer(tr("Sign"))

    def ask(self, open_points: Open) -> None:
        """Show what must be acknowledged."""
        self.known = open_points
        self.flags.ask(open_points.flag_words)
        self.frames.ask(open_points.frame_words)
        self.refresh()

    def offer(self, sign: str, note: str = "", amend: str = "", tip: str = "", *, may_drop: bool = False) -> None:
        """Offer what can be done now.

        Args:
            sign: title of the button that signs; empty: there is nothing to sign.
            note: what was signed, and whether anything has changed since.
            amend, tip: title and tooltip of the button that asks for a reason; empty: there is none.
            may_drop: whether an amendment can be discarded.
        """
        self._is_ready = bool(sign)
        for widget, text in ((self.button, sign), (self.note, note), (self.amend, amend)):
            show_text(widget, text)
        self.amend.setToolTip(plain_text.plain(tip))
        self.drop.setVisible(may_drop)
        self.refresh()

    def refresh(self) -> None:
        """Enable the button once everything is acknowledged."""
        are_answered = self.flags.is_answered and self.frames.is_answered
        self.button.setEnabled(are_answered and self._is_ready)
        missing = tr("Tick what was not seen, or look at it, before you sign.")
        self.button.setToolTip(plain_text.plain(tr(TIP) if are_answered else missing))


GAP_PX = 12
LEAST_WIDTH_PX = 240
RESIZED_AFTER_MILLISECONDS = 200
A4 = 297 / 210


class _Sheets(QWidget):
    """The pages; only what is on screen is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: Sequence[QImage] = ()
        self.words = ""

    def place(self, number: int) -> QRect:
        """Where a page lies."""
        width = max(self.width() - 2 * GAP_PX, 1)
        height = round(width * A4)
        return QRect(GAP_PX, GAP_PX + number * (height + GAP_PX), width, height)

    def sizeHint(self) -> QSize:
        """As high as all pages."""
        return QSize(self.width(), self.place(len(self.pages)).top())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pages on screen."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.COLORS.background))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for number, page in enumerate(self.pages):
            place = self.place(number)
            if place.intersects(event.rect()):
                painter.drawImage(place, page)
        if not self.pages:
            painter.setPen(QColor(theme.COLORS.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, self.words)
        painter.end()


class PagesView(PageArea):
    """Shows pages as wide as there is room."""

    width_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._sheets = _Sheets()
        self.setWidget(self._sheets)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Preview of the report"))
        self._resized = QTimer(self, singleShot=True, interval=RESIZED_AFTER_MILLISECONDS)
        self._resized.timeout.connect(self.width_changed)

    @property
    def page_width_px(self) -> int:
        """Width of a page on the screen, in its own pixels."""
        shown = max(self.viewport().width() - 2 * GAP_PX, LEAST_WIDTH_PX)
        return round(shown * self.devicePixelRatioF())

    @property
    def pages(self) -> Sequence[QImage]:
        """The pages shown."""
        return self._sheets.pages

    def show_pages(self, pages: Sequence[QImage]) -> None:
        """Show these pages at the same place."""
        at = self.verticalScrollBar().value()
        self._sheets.pages = pages
        self.setAccessibleDescription(counted(len(pages), "page"))
        self._fit()
        self.verticalScrollBar().setValue(at)
        self._sheets.update()

    def show_words(self, words: str) -> None:
        """Say what is awaited, while there are no pages."""
        self._sheets.words = words
        self._sheets.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scale the pages at once, and ask for sharper ones."""
        super().resizeEvent(event)
        self._fit()
        self._resized.start()

    def _fit(self) -> None:
        self._sheets.resize(self.viewport().width(), self._sheets.height())
        height = max(self._sheets.sizeHint().height(), self.viewport().height())
        self._sheets.resize(self.viewport().width(), height)
