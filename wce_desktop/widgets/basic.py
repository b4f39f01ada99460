"""Small widgets made with what each needs to be usable without the mouse and by a screen reader.

What screen readers are told of painted widgets, which Qt knows nothing about.

A widget with a property `spoken_value` answers through QAccessible with this text as its value, and with the role
`spoken_role`. It calls `value_changed` when the value changes.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QAccessibleWidget,
    QBoxLayout,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QListWidget,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QTableWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from training.runs.events import Progress
from wce_desktop.core.language import tr
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import stop_words
from wce_desktop.widgets.inputs import Slider
from wce_desktop.widgets.key_texts import set_tip, set_words
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import COLORS

Part: TypeAlias = (
    QWidget | QLayout | int | tuple[QWidget, int] | tuple[QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag]
)
"""Of a row or a column: a widget or a layout, with its share of the room that is left; a number is such a share of
nothing."""
Margins: TypeAlias = int | tuple[int, int, int, int]
Box = TypeVar("Box", bound=QBoxLayout)


def in_row(*parts: Part, of: QWidget | None = None, margins: Margins = -1, spacing: int = -1) -> QHBoxLayout:
    """Parts beside each other, in a layout of their own or as the layout `of` a widget; -1: as the style has it."""
    return _filled(QHBoxLayout(of) if of is not None else QHBoxLayout(), parts, margins, spacing)


def in_column(*parts: Part, of: QWidget | None = None, margins: Margins = -1, spacing: int = -1) -> QVBoxLayout:
    """Parts below each other; see `in_row`."""
    return _filled(QVBoxLayout(of) if of is not None else QVBoxLayout(), parts, margins, spacing)


def _filled(box: Box, parts: Sequence[Part], margins: Margins, spacing: int) -> Box:
    if margins != -1:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing != -1:
        box.setSpacing(spacing)
    for part in parts:
        match part:
            case int():
                box.addStretch(part)
            case QLayout():
                box.addLayout(part)
            case (QLayout() as layout, int(share)):
                box.addLayout(layout, share)
            case (QWidget() as widget, int(share)):
                box.addWidget(widget, share)
            case (QWidget() as widget, int(share), align):
                box.addWidget(widget, share, align)
            case QWidget():
                box.addWidget(part)
    return box


def as_widget(layout: QLayout) -> QWidget:
    """A widget with this layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def in_splitter(*parts: tuple[QWidget, int], sizes: Sequence[int] = (), is_vertical: bool = False) -> QSplitter:
    """Parts beside each other or below, each with its share of the room that is left, which the reader changes."""
    result = QSplitter(Qt.Orientation.Vertical if is_vertical else Qt.Orientation.Horizontal, childrenCollapsible=False)
    for at, (widget, share) in enumerate(parts):
        result.addWidget(widget)
        result.setStretchFactor(at, share)
    if sizes:
        result.setSizes(sizes)
    return result


TEXT_PX = 220
"""A text that wraps has at least this width beside the buttons."""


class TurningRow(QWidget):
    """A text that wraps, and buttons; the buttons stand below the text where it would become narrow."""

    def __init__(self, margins: tuple[int, int, int, int] = (10, 1, 8, 1)) -> None:
        super().__init__()
        self._title: QLabel | None = None
        self._words, self._buttons = QHBoxLayout(), QHBoxLayout()
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(*margins)
        self._rows.addLayout(self._words, 1)
        self._rows.addLayout(self._buttons)

    def arrange(self, text: QLabel, buttons: Sequence[QWidget], title: QLabel | None = None) -> None:
        """Take the parts, once; a title stands before the text."""
        self._title = title
        text.setWordWrap(True)
        if title is not None:
            self._words.addWidget(title)
        self._words.addWidget(text, 1)
        for button in buttons:
            self._buttons.addWidget(button)

    def minimumSizeHint(self) -> QSize:
        """Two rows fit where one does not."""
        margins = self._rows.contentsMargins()
        width = max(self._words.minimumSize().width(), self._buttons.minimumSize().width())
        return QSize(width + margins.left() + margins.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One row if there is room for it."""
        title_px = self._title.sizeHint().width() if self._title is not None else 0
        needed = title_px + TEXT_PX + self._buttons.minimumSize().width()
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._rows.setDirection(across if needed <= self.width() else down)
        super().resizeEvent(event)


def bar_button(text: str, tip: str) -> QToolButton:
    """A small button of such a row; a click does not take the keys from the frame."""
    button = QToolButton()
    button.setText(text)
    set_tip(button, tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setStyleSheet("padding: 2px 8px")
    return button


class PaintedInterface(QAccessibleWidget):
    """Name and description as of any widget; value and role as the widget says."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, getattr(widget, "spoken_role", QAccessible.Role.Graphic), "")
        self._painted = widget

    def text(self, kind: QAccessible.Text) -> str:
        """The widget's own words for its value."""
        if kind == QAccessible.Text.Value:
            return str(getattr(self._painted, "spoken_value", ""))
        return super().text(kind)


def _make(_: str, thing: QObject) -> QAccessibleInterface | None:
    is_painted = isinstance(thing, QWidget) and hasattr(type(thing), "spoken_value")
    return PaintedInterface(thing) if is_painted and isinstance(thing, QWidget) else None


def answer_screen_readers() -> None:
    """Let painted widgets answer; calling it again changes nothing."""
    QAccessible.installFactory(_make)


def value_changed(widget: QWidget) -> None:
    """Tell a screen reader, if there is one, that the value of a painted widget has changed."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(widget, QAccessible.Event.ValueChanged))


STEPS = 1000


def make_button(text: str, tip: str) -> QPushButton:
    """A button that Return in a dialog does not press by accident; `{undo}` in a text is the key of that action."""
    button = QPushButton()
    set_words(button, text)
    set_tip(button, tip)
    button.setAutoDefault(False)
    return button


def make_text(color: str = "") -> PlainLabel:
    """A label that wraps and whose text can be selected, such as a sentence to send to somebody."""
    label = PlainLabel()
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    set_color(label, color)
    return label


def show_text(label: QLabel | QAbstractButton, text: str) -> None:
    """Show a text; an empty one hides its label."""
    label.setText(text)
    label.setVisible(bool(text))


def set_color(widget: QWidget, color: str) -> None:
    """Give a widget's text a colour; "" gives it the theme's back."""
    sheet = f"color: {color};" if color else ""
    if widget.styleSheet() != sheet:  # setting one costs a polish of the widget
        widget.setStyleSheet(sheet)


class JobBar(QProgressBar):
    """A thin bar without text; indeterminate while the total is unknown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(tr("Progress of the job"))
        self.show_progress(None)

    def show_progress(self, progress: Progress | None) -> None:
        """Show the share that is done, or that it is not known; what is all done is followed by a next step."""
        fraction = progress.fraction if progress else None
        fraction = None if fraction == 1 else fraction
        self.setRange(0, 0 if fraction is None else STEPS)
        self.setValue(int((fraction or 0.0) * STEPS))

    def show_job(self, job: Job | None) -> None:
        """Show the progress of a job while it runs."""
        self.setVisible(job is not None and job.is_running)
        self.show_progress(job.progress if job is not None else None)


class StopButton(QPushButton):
    """Stops a job; its tooltip says what is kept of it."""

    def __init__(self) -> None:
        super().__init__(tr("Stop"))
        self.setAutoDefault(False)
        self._job: Job | None = None
        self.clicked.connect(self._stop)

    def show_job(self, job: Job | None) -> None:
        """Offer to stop this job; a waiting one is removed."""
        self._job = job
        self.setEnabled(job is not None and job.state in ("queued", "running"))
        self.setToolTip(plain(stop_words(job)))

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()


def check_quietly(button: QAbstractButton, is_on: bool) -> None:
    """Check a button or a box, or not, without a signal."""
    with QSignalBlocker(button):
        button.setChecked(is_on)


def fill_box(box: QComboBox, rows: Iterable[tuple[str, object]], chosen: object = None) -> None:
    """Offer titles with their data, without a signal; what was chosen, or `chosen`, stays so where it is among them."""
    wanted = box.currentData() if chosen is None else chosen
    with QSignalBlocker(box):
        box.clear()
        for title, data in rows:
            box.addItem(title, data)
        box.setCurrentIndex(max(box.findData(wanted), 0) if box.count() else -1)


def button_row(*offers: tuple[str, str, Callable[[], object]]) -> QHBoxLayout:
    """Buttons at the left: title, tooltip and what each does."""
    buttons = [make_button(title, tip) for title, tip, _ in offers]
    for button, (_, _, step) in zip(buttons, offers, strict=True):
        button.clicked.connect(step)
    return in_row(*buttons, 1)


class SidewaysArea(QScrollArea):
    """A widget in its full height; it scrolls sideways where it is wider than the window."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = widget
        self.setWidget(widget)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the height of the widget."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower widget may be higher."""
        super().resizeEvent(event)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as the widget at this width, with room for the bar."""
        inside = self._inside
        least = inside.minimumSizeHint()
        width = max(least.width(), self.width())
        height = inside.heightForWidth(width) if inside.hasHeightForWidth() else least.height()
        bar = self.horizontalScrollBar().sizeHint().height() if least.width() > self.width() else 0
        return QSize(least.width(), max(height, least.height()) + bar)

    def minimumSizeHint(self) -> QSize:
        """Of any width."""
        return QSize(0, self.sizeHint().height())


def make_list(name: str) -> QListWidget:
    """A list whose rows wrap, called `name` by a screen reader."""
    result = QListWidget()
    result.setAccessibleName(name)
    result.setWordWrap(True)
    result.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return result


def make_slider(name: str, minimum: int, maximum: int, tip: str = "") -> Slider:
    """A horizontal slider called `name` by a screen reader."""
    result = Slider()
    result.setAccessibleName(name)
    result.setRange(minimum, maximum)
    result.setToolTip(plain(tip or name))
    return result


def pad(box: QAbstractSpinBox) -> None:
    """Keep a number off the border of its box: without buttons the style leaves it no room."""
    box.lineEdit().setTextMargins(6, 0, 6, 0)


def name_in_tip(box: QComboBox, tip: str = "") -> None:
    """Name what is chosen in the tooltip, before the sentence `tip`: the box may be too narrow for it."""

    def show() -> None:
        box.setToolTip(plain(". ".join(filter(None, (box.currentText(), tip)))))

    box.currentTextChanged.connect(show)
    show()


def make_heading(text: str) -> PlainLabel:
    """The title of a panel."""
    result = PlainLabel(text)
    result.setStyleSheet(f"color: {COLORS.muted}; font-weight: bold")
    return result


def make_note(text: str = "", *, is_centered: bool = False) -> PlainLabel:
    """A sentence that explains, set back from the text."""
    result = PlainLabel(text)
    result.setWordWrap(True)
    result.setStyleSheet(f"color: {COLORS.muted}")
    if is_centered:
        result.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return result


def stacked(*parts: tuple[QWidget, int]) -> QWidget:
    """Widgets below each other without gaps, each with its share of the room that is left."""
    return as_widget(in_column(*parts, margins=0, spacing=0))


def as_row_list(table: QTableWidget, name: str, titles: Sequence[str]) -> None:
    """Let a table be a list of rows that are chosen as a whole and not edited; Tab leaves it."""
    table.setAccessibleName(name)
    table.setHorizontalHeaderLabels(titles)
    table.verticalHeader().hide()
    table.setTabKeyNavigation(False)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
