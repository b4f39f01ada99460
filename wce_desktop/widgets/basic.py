"""Small widgets made with what each needs to be usable without the mouse and by a screen reader.

What screen readers are told of painted widgets, which Qt knows nothing about.

A widget with a property `spoken_value` answers through QAccessible with this text as its value, and with the role
`spoken_role`. It calls `value_changed` when the value changes.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias, TypeVar

from PySide6 import QtCore, QtGui, QtWidgets

from training.runs.events import Progress
from wce_desktop.core.language import tr
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import stop_words
from wce_desktop.widgets import inputs, key_texts, plain_text, theme

Part: TypeAlias = (
    QtWidgets.QWidget
    | QtWidgets.QLayout
    | int
    | tuple[QtWidgets.QWidget, int]
    | tuple[QtWidgets.QLayout, int]
    | tuple[QtWidgets.QWidget, int, QtCore.Qt.AlignmentFlag]
)
"""Of a row or a column: a widget or a layout, with its share of the room that is left; a number is such a share of
nothing."""
Margins: TypeAlias = int | tuple[int, int, int, int]
Box = TypeVar("Box", bound=QtWidgets.QBoxLayout)


def in_row(
    *parts: Part, of: QtWidgets.QWidget | None = None, margins: Margins = -1, spacing: int = -1
) -> QtWidgets.QHBoxLayout:
    """Parts beside each other, in a layout of their own or as the layout `of` a widget; -1: as the style has it."""
    return _filled(QtWidgets.QHBoxLayout(of) if of is not None else QtWidgets.QHBoxLayout(), parts, margins, spacing)


def in_column(
    *parts: Part, of: QtWidgets.QWidget | None = None, margins: Margins = -1, spacing: int = -1
) -> QtWidgets.QVBoxLayout:
    """Parts below each other; see `in_row`."""
    return _filled(QtWidgets.QVBoxLayout(of) if of is not None else QtWidgets.QVBoxLayout(), parts, margins, spacing)


def _filled(box: Box, parts: Sequence[Part], margins: Margins, spacing: int) -> Box:
    if margins != -1:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing != -1:
        box.setSpacing(spacing)
    for part in parts:
        match part:
            case int():
                box.addStretch(part)
            case QtWidgets.QLayout():
                box.addLayout(part)
            case (QtWidgets.QLayout() as layout, int(share)):
                box.addLayout(layout, share)
            case (QtWidgets.QWidget() as widget, int(share)):
                box.addWidget(widget, share)
            case (QtWidgets.QWidget() as widget, int(share), align):
                box.addWidget(widget, share, align)
            case QtWidgets.QWidget():
                box.addWidget(part)
    return box


class Form(QtWidgets.QFormLayout):
    """Rows of a label and a field, which takes the width that is left; both texts stand on one line.

    Qt itself puts the label of a higher field some pixels too high. Of fields below each other the first one counts.
    """

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFieldGrowthPolicy(self.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.setLabelAlignment(QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter)

    def setGeometry(self, rect: QtCore.QRect) -> None:
        """Lay out the rows, then give each label beside a field the place of that field's line."""
        super().setGeometry(rect)
        for row in range(self.rowCount()):
            label, field = self.itemAt(row, self.ItemRole.LabelRole), self.itemAt(row, self.ItemRole.FieldRole)
            while field is not None and (inner := field.layout()) is not None:
                field = inner.itemAt(0)
            if label is None or field is None or label.geometry().right() > field.geometry().left():
                continue
            place, line = label.geometry(), field.geometry()
            height = max(line.height(), label.sizeHint().height())
            label.setGeometry(QtCore.QRect(place.x(), line.y() + (line.height() - height) // 2, place.width(), height))


def as_widget(layout: QtWidgets.QLayout) -> QtWidgets.QWidget:
    """A widget with this layout."""
    widget = QtWidgets.QWidget()
    widget.setLayout(layout)
    return widget


def in_splitter(
    *parts: tuple[QtWidgets.QWidget, int], sizes: Sequence[int] = (), is_vertical: bool = False
) -> QtWidgets.QSplitter:
    """Parts beside each other or below, each with its share of the room that is left, which the reader changes."""
    result = QtWidgets.QSplitter(
        QtCore.Qt.Orientation.Vertical if is_vertical else QtCore.Qt.Orientation.Horizontal, childrenCollapsible=False
    )
    for at, (widget, share) in enumerate(parts):
        result.addWidget(widget)
        result.setStretchFactor(at, share)
    if sizes:
        result.setSizes(sizes)
    return result


NO_LIMIT_PX = 16_777_215  # Qt's own
TEXT_PX = 220
"""A text that wraps has at least this width beside the buttons."""


class Halves(QtWidgets.QWidget):
    """Two rows beside each other; below each other where there is no room for that."""

    def __init__(
        self,
        first: QtWidgets.QLayout,
        second: QtWidgets.QLayout,
        shares: tuple[int, int] = (1, 0),
        margins: Margins = 0,
        spacing: int = -1,
    ) -> None:
        super().__init__()
        self._halves = first, second
        self._rows = in_row((first, shares[0]), (second, shares[1]), of=self, margins=margins, spacing=spacing)

    @property
    def needed_px(self) -> int:
        """The width in which one row has room."""
        margins = self._rows.contentsMargins()
        between = margins.left() + margins.right() + self._rows.spacing()
        return between + sum(half.minimumSize().width() for half in self._halves)

    def minimumSizeHint(self) -> QtCore.QSize:
        """Two rows fit where one does not."""
        margins = self._rows.contentsMargins()
        width = max(half.minimumSize().width() for half in self._halves)
        return QtCore.QSize(width + margins.left() + margins.right(), super().minimumSizeHint().height())

    def event(self, event: QtCore.QEvent) -> bool:
        """One row if there is room for it."""
        if event.type() in (QtCore.QEvent.Type.Resize, QtCore.QEvent.Type.LayoutRequest):
            across, down = QtWidgets.QBoxLayout.Direction.LeftToRight, QtWidgets.QBoxLayout.Direction.TopToBottom
            self._rows.setDirection(across if self.needed_px <= self.width() else down)
        return super().event(event)


def fit_rows(bar: QtWidgets.QWidget, *rows: Sequence[Part]) -> None:
    """Fill a bar with rows that are beside each other, two by two or below each other, as there is room."""

    def fitted(rows: Sequence[Sequence[Part]]) -> QtWidgets.QBoxLayout:
        if len(rows) == 1:
            return in_row(*rows[0], spacing=4)
        middle = len(rows) // 2
        return in_row(Halves(fitted(rows[:middle]), fitted(rows[middle:]), (1, 1), spacing=4), margins=0)

    in_column(fitted(rows), of=bar, margins=(4, 2, 4, 2))
    bar.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)


class TurningRow(Halves):
    """A text that wraps, and buttons; the buttons stand below the text where it would become narrow."""

    def __init__(self, margins: Margins = (10, 1, 8, 1)) -> None:
        super().__init__(QtWidgets.QHBoxLayout(), QtWidgets.QHBoxLayout(), margins=margins)
        self._title: QtWidgets.QLabel | None = None

    def arrange(
        self, text: QtWidgets.QLabel, buttons: Sequence[QtWidgets.QWidget], title: QtWidgets.QLabel | None = None
    ) -> None:
        """Take the parts, once; a title stands before the text."""
        self._title = title
        text.setWordWrap(True)
        words, row = self._halves
        assert isinstance(words, QtWidgets.QBoxLayout)
        assert isinstance(row, QtWidgets.QBoxLayout)
        _filled(words, (*([] if title is None else [title]), (text, 1)), -1, -1)
        _filled(row, buttons, -1, -1)

    @property
    def needed_px(self) -> int:
        """The text has its least width beside the buttons."""
        title_px = self._title.sizeHint().width() if self._title is not None else 0
        return title_px + TEXT_PX + self._halves[1].minimumSize().width()


def bar_button(text: str, tip: str) -> QtWidgets.QToolButton:
    """A small button of such a row; a click does not take the keys from the frame."""
    button = QtWidgets.QToolButton()
    button.setText(text)
    key_texts.set_tip(button, tip)
    button.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
    button.setStyleSheet("padding: 2px 8px")
    return button


def make_fold(title: str, *widgets: QtWidgets.QWidget) -> QtWidgets.QToolButton:
    """A button that shows widgets while it is pressed down, and folds them away."""
    button = bar_button(title, "")
    button.setCheckable(True)
    button.setChecked(True)
    button.setArrowType(QtCore.Qt.ArrowType.DownArrow)
    button.setToolButtonStyle(QtCore.Qt.ToolButtonStyle.ToolButtonTextBesideIcon)

    def show(is_open: bool) -> None:
        button.setArrowType(QtCore.Qt.ArrowType.DownArrow if is_open else QtCore.Qt.ArrowType.RightArrow)
        for widget in widgets:
            widget.setVisible(is_open)

    button.toggled.connect(show)
    return button


class PaintedInterface(QtWidgets.QAccessibleWidget):
    """Name and description as of any widget; value and role as the widget says."""

    def __init__(self, widget: QtWidgets.QWidget) -> None:
        super().__init__(widget, getattr(widget, "spoken_role", QtGui.QAccessible.Role.Graphic), "")
        self._painted = widget

    def text(self, kind: QtGui.QAccessible.Text) -> str:
        """The widget's own words for its value."""
        if kind == QtGui.QAccessible.Text.Value:
            return str(getattr(self._painted, "spoken_value", ""))
        return super().text(kind)


def _make(_: str, thing: QtCore.QObject) -> QtGui.QAccessibleInterface | None:
    return (
        PaintedInterface(thing)
        if isinstance(thing, QtWidgets.QWidget) and hasattr(type(thing), "spoken_value")
        else None
    )


def answer_screen_readers() -> None:
    """Let painted widgets answer; calling it again changes nothing."""
    QtGui.QAccessible.installFactory(_make)


def value_changed(widget: QtWidgets.QWidget) -> None:
    """Tell a screen reader, if there is one, that the value of a painted widget has changed."""
    if QtGui.QAccessible.isActive():
        QtGui.QAccessible.updateAccessibility(QtGui.QAccessibleEvent(widget, QtGui.QAccessible.Event.ValueChanged))


STEPS = 1000


def make_button(
    text: str,
    tip: str,
    step: Callable[..., object] | QtCore.SignalInstance | None = None,
    *,
    is_primary: bool = False,
) -> QtWidgets.QPushButton:
    """A button that Return in a dialog does not press by accident; `{undo}` in a text is the key of that action.

    `step`: what a click does; `is_primary`: the button stands out, as what the window is for.
    """
    button = QtWidgets.QPushButton(autoDefault=False)
    key_texts.set_words(button, text)
    key_texts.set_tip(button, tip)
    if is_primary:
        button.setProperty("primary", True)
    if step is not None:
        button.clicked.connect(step)
    return button


def make_text(color: str = "", text: str = "") -> plain_text.PlainLabel:
    """A label that wraps and whose text can be selected, such as a sentence to send to somebody."""
    label = plain_text.PlainLabel(text)
    label.setWordWrap(True)
    label.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
    set_color(label, color)
    return label


def show_text(label: QtWidgets.QLabel | QtWidgets.QAbstractButton, text: str) -> None:
    """Show a text; an empty one hides its label."""
    label.setText(text)
    label.setVisible(bool(text))


def set_color(widget: QtWidgets.QWidget, color: str) -> None:
    """Give a widget's text a colour; "" gives it the theme's back."""
    sheet = f"color: {color};" if color else ""
    if widget.styleSheet() != sheet:  # setting one costs a polish of the widget
        widget.setStyleSheet(sheet)


class JobBar(QtWidgets.QProgressBar):
    """A thin bar without text; indeterminate while the total is unknown."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
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


class StopButton(QtWidgets.QPushButton):
    """Stops a job; its tooltip says what is kept of it."""

    def __init__(self) -> None:
        super().__init__(tr("Stop"))
        self.setAutoDefault(False)
        self._job: Job | None = None
        self.clicked.connect(lambda: self._job.stop() if self._job is not None else None)

    def show_job(self, job: Job | None) -> None:
        """Offer to stop this job; a waiting one is removed."""
        self._job = job
        self.setEnabled(job is not None and job.state in ("queued", "running"))
        self.setToolTip(plain_text.plain(stop_words(job)))


def check_quietly(button: QtWidgets.QAbstractButton, is_on: bool) -> None:
    """Check a button or a box, or not, without a signal."""
    with QtCore.QSignalBlocker(button):
        button.setChecked(is_on)


def fill_box(box: QtWidgets.QComboBox, rows: Iterable[tuple[str, object]], chosen: object = None) -> None:
    """Offer titles with their data, without a signal; what was chosen, or `chosen`, stays so where it is among them."""
    wanted = box.currentData() if chosen is None else chosen
    with QtCore.QSignalBlocker(box):
        box.clear()
        for title, data in rows:
            box.addItem(title, data)
        box.setCurrentIndex(max(box.findData(wanted), 0) if box.count() else -1)


def button_row(*offers: tuple[str, str, Callable[[], object]]) -> QtWidgets.QHBoxLayout:
    """Buttons at the left: title, tooltip and what each does."""
    return in_row(*(make_button(*offer) for offer in offers), 1)


class SidewaysArea(QtWidgets.QScrollArea):
    """A widget in its full height; it scrolls sideways where it is wider than the window."""

    def __init__(self, widget: QtWidgets.QWidget) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QtWidgets.QScrollArea.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)
        self._inside = widget
        self.setWidget(widget)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        """Follow the height of the widget."""
        if event.type() == QtCore.QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """A narrower widget may be higher."""
        super().resizeEvent(event)
        self.updateGeometry()

    def sizeHint(self) -> QtCore.QSize:
        """As high as the widget at this width, with room for the bar."""
        inside = self._inside
        least = inside.minimumSizeHint()
        width = max(least.width(), self.width())
        height = inside.heightForWidth(width) if inside.hasHeightForWidth() else least.height()
        bar = self.horizontalScrollBar().sizeHint().height() if least.width() > self.width() else 0
        return QtCore.QSize(least.width(), max(height, least.height()) + bar)

    def minimumSizeHint(self) -> QtCore.QSize:
        """Of any width."""
        return QtCore.QSize(0, self.sizeHint().height())


def make_list(name: str) -> QtWidgets.QListWidget:
    """A list whose rows wrap, called `name` by a screen reader."""
    return as_wrapping(QtWidgets.QListWidget(), name)


def as_wrapping(rows: QtWidgets.QListWidget, name: str) -> QtWidgets.QListWidget:
    """Let the rows of a list wrap, and a screen reader call it `name`."""
    rows.setAccessibleName(name)
    rows.setWordWrap(True)
    rows.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return rows


def make_slider(name: str, minimum: int, maximum: int, tip: str = "") -> inputs.Slider:
    """A horizontal slider called `name` by a screen reader."""
    result = inputs.Slider()
    result.setAccessibleName(name)
    result.setRange(minimum, maximum)
    result.setToolTip(plain_text.plain(tip or name))
    return result


def pad(box: QtWidgets.QAbstractSpinBox) -> None:
    """Keep a number off the border of its box: without buttons the style leaves it no room."""
    box.lineEdit().setTextMargins(6, 0, 6, 0)


def name_in_tip(box: QtWidgets.QComboBox, tip: str = "") -> None:
    """Name what is chosen in the tooltip, before the sentence `tip`: the box may be too narrow for it."""

    def show() -> None:
        box.setToolTip(plain_text.plain(". ".join(filter(None, (box.currentText(), tip)))))

    box.currentTextChanged.connect(show)
    show()


def make_heading(text: str) -> plain_text.PlainLabel:
    """The title of a panel, in capitals."""
    result = plain_text.PlainLabel(text)
    font = result.font()
    font.setCapitalization(QtGui.QFont.Capitalization.AllUppercase)
    result.setFont(font)
    result.setContentsMargins(0, plain_text.UMLAUT_PX, 0, 0)  # a small umlaut is a capital here
    result.setStyleSheet(f"color: {theme.COLORS.muted}; font-weight: bold")
    return result


def make_note(text: str = "", *, is_centered: bool = False) -> plain_text.PlainLabel:
    """A sentence that explains, set back from the text."""
    result = plain_text.PlainLabel(text)
    result.setWordWrap(True)
    result.setStyleSheet(f"color: {theme.COLORS.muted}")
    if is_centered:
        result.setAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
    return result


def stacked(*parts: tuple[QtWidgets.QWidget, int]) -> QtWidgets.QWidget:
    """Widgets below each other without gaps, each with its share of the room that is left."""
    return as_widget(in_column(*parts, margins=0, spacing=0))


def as_row_list(
    table: QtWidgets.QTableView, name: str, titles: Sequence[str] = (), numbers: Collection[int] = ()
) -> None:
    """Let a table be a list of rows that are chosen as a whole and not edited; Tab leaves it.

    `numbers`: the columns whose titles stand at the right, as `plain_text.fill_row` puts what is below them.
    """
    table.setAccessibleName(name)
    if isinstance(table, QtWidgets.QTableWidget):
        for column, text in enumerate(titles):
            title = QtWidgets.QTableWidgetItem(text)
            side = QtCore.Qt.AlignmentFlag.AlignRight if column in numbers else QtCore.Qt.AlignmentFlag.AlignLeft
            title.setTextAlignment(side | QtCore.Qt.AlignmentFlag.AlignVCenter)
            table.setHorizontalHeaderItem(column, title)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setDefaultAlignment(QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter)
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
