"""Small widgets made with what each needs to be usable without the mouse and by a screen reader."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QListWidget,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from training.runs.events import Progress
from wce_desktop.core.language import tr
from wce_desktop.widgets.inputs import Slider
from wce_desktop.widgets.key_texts import set_tip, set_words
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import MUTED

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
    made = QListWidget()
    made.setAccessibleName(name)
    made.setWordWrap(True)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return made


def make_slider(name: str, minimum: int, maximum: int, tip: str = "") -> Slider:
    """A horizontal slider called `name` by a screen reader."""
    made = Slider()
    made.setAccessibleName(name)
    made.setRange(minimum, maximum)
    made.setToolTip(plain(tip or name))
    return made


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
    made = PlainLabel(text)
    made.setStyleSheet(f"color: {MUTED}; font-weight: bold")
    return made


def make_note(text: str = "", *, is_centered: bool = False) -> PlainLabel:
    """A sentence that explains, set back from the text."""
    made = PlainLabel(text)
    made.setWordWrap(True)
    made.setStyleSheet(f"color: {MUTED}")
    if is_centered:
        made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return made


def stacked(*parts: tuple[QWidget, int]) -> QWidget:
    """Widgets below each other without gaps, each with its share of the room that is left."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget, stretch in parts:
        column.addWidget(widget, stretch)
    return made
