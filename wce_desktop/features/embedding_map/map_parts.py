"""The parts of a map window around the map: its colours and legend, the card of a frame, selection and job."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QImage, QPixmap
from PySide6.QtWidgets import QButtonGroup, QFrame, QListWidgetItem, QMenu, QPushButton, QSplitter, QWidget

from wce_desktop.core import counted, number_text, to_translate, tr
from wce_desktop.core.annotation.vocabulary import ClassName, Vocabulary
from wce_desktop.features.embedding_map import map_canvas, map_coloring, map_facts, map_input
from wce_desktop.session.keys import key_of
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import state_words
from wce_desktop.widgets import basic, glyphs, inputs, key_texts, plain_text, window_size
from wce_desktop.widgets.basic import fill_box, in_column, in_row, make_button
from wce_desktop.widgets.theme import COLORS, ON_PICTURE

TOOLS: tuple[tuple[map_input.Tool, str, str], ...] = (
    ("pan", to_translate("&Move"), to_translate("Drag to move the map (Alt+M)")),
    (
        "lasso",
        to_translate("&Lasso"),
        to_translate("Drag around frames to select them; Shift adds, Ctrl removes (Alt+L)"),
    ),
    (
        "box",
        to_translate("&Box"),
        to_translate("Drag a rectangle to select the frames in it; Shift adds, Ctrl removes (Alt+B)"),
    ),
)
HIGHEST = to_translate("Highest of all findings")


class ColorBar(QWidget):
    """Choice of colouring and of the mouse tool."""

    choice_changed = Signal()
    tool_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ways, self.classes = inputs.ComboBox(), inputs.ComboBox()
        self.ways.setAccessibleName(tr("Colour by"))
        self.classes.setAccessibleName(tr("Finding whose score is shown"))
        fill_box(self.ways, ((tr(title), way) for way, title in map_facts.WAYS.items()))
        self.ways.currentIndexChanged.connect(lambda _: self._emit_choice())
        self.classes.currentIndexChanged.connect(lambda _: self._emit_choice())
        self.tools: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        label = plain_text.PlainLabel(tr("&Colour by"))
        label.setBuddy(self.ways)
        line = in_row(label, self.ways, self.classes, 1, plain_text.PlainLabel(tr("Drag")), of=self, margins=0)
        for tool, title, tip in TOOLS:
            button = basic.make_button(tr(title), tr(tip))
            button.setCheckable(True)
            button.clicked.connect(lambda _, tool=tool: self.tool_changed.emit(tool))
            self._group.addButton(button)
            self.tools[tool] = button
            line.addWidget(button)
        self.setStyleSheet(f"QPushButton:checked {{ background: {COLORS.raised}; border: 2px solid {COLORS.text}; }}")
        self.tools["pan"].setChecked(True)
        self.classes.hide()

    @property
    def choice(self) -> tuple[str, str]:
        """By what to colour, and by the scores of which class; "" for the highest of all pathologies."""
        return str(self.ways.currentData()), str(self.classes.currentData() or "")

    def set_classes(self, classes: Sequence[tuple[str, str]]) -> None:
        """Offer the scores of these classes, names and titles; the chosen one stays where it is among them."""
        fill_box(self.classes, ((tr(HIGHEST), ""), *((title, name) for name, title in classes)))

    def choose(self, way: str) -> None:
        """Colour by this."""
        self.ways.setCurrentIndex(self.ways.findData(way))

    def _emit_choice(self) -> None:
        self.classes.setVisible(self.ways.currentData() == map_facts.BY_SCORE)
        self.choice_changed.emit()


ICON_PX = 14
_CODE = Qt.ItemDataRole.UserRole


class MapLegend(QWidget):
    """Ticks are the filter; a double click, or Enter, shows one category alone, and all again."""

    hidden_changed = Signal(object)  # frozenset of codes

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = basic.make_heading(tr("LEGEND"))
        self._note = basic.make_note()
        self._note.hide()
        self.rows = basic.make_list(tr("Legend: tick what to show on the map"))
        self.rows.setStyleSheet(  # as the map: the icons have its colours
            f"QListWidget {{ background: {ON_PICTURE.panel}; color: {ON_PICTURE.text}; }}"
            f"QListWidget::indicator {{ border: 1px solid {ON_PICTURE.muted}; background: {ON_PICTURE.background}; }}"
            f"QListWidget::indicator:checked {{ background: {ON_PICTURE.accent}; }}"
        )
        self.rows.setIconSize(QSize(ICON_PX, ICON_PX))
        self.rows.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # the counts at the end stay
        self.rows.itemChanged.connect(lambda _: self.hidden_changed.emit(self.hidden))
        self.rows.itemActivated.connect(self._show_alone)
        buttons = basic.button_row(
            (tr("Show all"), tr("Show every category"), lambda: self._tick(lambda _: True)),
            (tr("Hide all"), tr("Show no category"), lambda: self._tick(lambda _: False)),
        )
        in_column(self._title, self._note, (self.rows, 1), buttons, of=self, margins=0)

    def show_coloring(self, coloring: map_coloring.Coloring, hidden: frozenset[int]) -> None:
        """Show these categories, the hidden ones unticked."""
        self._title.setText(coloring.title)
        basic.show_text(self._note, coloring.note)
        with QSignalBlocker(self.rows):
            self.rows.clear()
            for code, (category, count) in enumerate(zip(coloring.categories, coloring.counts.tolist(), strict=True)):
                item = QListWidgetItem(f"{category.title}   {number_text(count)}", self.rows)
                entry = ClassName(category.name or "none", category.title or "none", "", category.color, category.shape)
                item.setIcon(glyphs.class_icon(entry, ICON_PX, is_on_picture=True))
                item.setData(_CODE, code)
                item.setToolTip(tr("Space: show or hide. Enter: show only this one; again: show all."))
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Unchecked if code in hidden else Qt.CheckState.Checked)

    @property
    def hidden(self) -> frozenset[int]:
        """The codes that are unticked."""
        return frozenset(
            int(item.data(_CODE)) for item in self._items() if item.checkState() == Qt.CheckState.Unchecked
        )

    def _items(self) -> list[QListWidgetItem]:
        return [self.rows.item(row) for row in range(self.rows.count())]

    def _show_alone(self, chosen: QListWidgetItem) -> None:
        is_alone = self.hidden == frozenset(range(self.rows.count())) - {int(chosen.data(_CODE))}
        self._tick(lambda item: is_alone or item is chosen)

    def _tick(self, is_on: Callable[[QListWidgetItem], bool]) -> None:
        with QSignalBlocker(self.rows):
            for item in self._items():
                item.setCheckState(Qt.CheckState.Checked if is_on(item) else Qt.CheckState.Unchecked)
        self.hidden_changed.emit(self.hidden)


SIDE_PX = 160
AWAY_PX = 18
WAITING, GONE = to_translate("reading the frame…"), to_translate("no picture")


class HoverCard(QFrame):
    """A small card over the map, transparent to the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setStyleSheet(
            f"HoverCard {{ background: {COLORS.raised}; border: 1px solid {COLORS.border}; border-radius: 6px; }}"
        )
        self.picture = plain_text.PlainLabel()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setFixedSize(SIDE_PX, SIDE_PX)
        self.picture.setStyleSheet(f"background: black; color: {COLORS.muted}")
        self.words = plain_text.PlainLabel()
        self.words.setWordWrap(True)
        self.words.setFixedWidth(SIDE_PX)
        in_column(self.picture, self.words, of=self, margins=6)
        self.hide()

    def show_at(self, at: QPoint, words: str, picture: QImage | None) -> None:
        """Show a frame beside a place of the parent, on the side where there is room."""
        self.words.setText(words)
        self.set_picture(picture)
        self.adjustSize()
        room, size = self._area.rect(), self.size()
        right, left = at.x() + AWAY_PX, at.x() - AWAY_PX - size.width()
        across = right if right + size.width() <= room.width() else max(left, 0)
        down = min(max(at.y() - size.height() // 2, 0), max(room.height() - size.height(), 0))
        self.move(across, down)
        self.show()
        self.raise_()

    def set_picture(self, picture: QImage | None) -> None:
        """Show the picture; None: it is being read; a null one: it cannot be."""
        if picture is None or picture.isNull():
            self.picture.setText(tr(WAITING if picture is None else GONE))
            return
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self.picture.setPixmap(QPixmap.fromImage(picture).scaled(SIDE_PX, SIDE_PX, keep, smooth))


NOTHING = to_translate("Nothing selected: draw a lasso or a box, or press Space.")


class MapFoot(QWidget):
    """Shows the selection and the job, and emits the buttons' signals."""

    label_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = plain_text.PlainLabel(tr(NOTHING))
        self.label = make_button(tr("Label all"), tr("Label all selected frames ({label_0} to {label_9})"))
        self.tiles = make_button(tr("Show as tiles"), tr("Show the selected frames as a grid ({show_selection})"))
        self.clear = make_button(tr("Clear"), tr("Clear the selection (Escape)"))
        self.map = make_button(tr("Map of these"), tr("Make a new map of the selected frames alone"))
        self.map.hide()
        self.job = self._make_job()
        self.hint = basic.make_note(tr(map_input.HINT))
        self.hint.setStyleSheet(f"color: {COLORS.muted}; font-size: 11px")
        first = basic.TurningRow(margins=(0, 0, 0, 0))
        first.arrange(self.selection, (self.label, self.tiles, self.map, self.clear))
        in_column(self.hint, first, self.job, of=self, margins=0)
        self.show_selection(0, 0, 0)
        self.show_job(None, "")

    def _make_job(self) -> QWidget:
        job = QWidget()
        room = job.sizePolicy()
        room.setRetainSizeWhenHidden(True)  # the map must not jump when its job begins or ends
        job.setSizePolicy(room)
        self._bar, self.words, self.stop = basic.JobBar(), plain_text.PlainLabel(), basic.StopButton()
        in_row((self.words, 1), (self._bar, 1), self.stop, of=job, margins=0)
        return job

    def show_selection(self, on_map: int, in_all: int, studies: int) -> None:
        """Say how many frames are selected, and how many of them the map does not hold."""
        values = {"frames": counted(in_all, "frame"), "studies": counted(studies, "study")}
        values |= {"first": key_of("label_0"), "last": key_of("label_9")}
        words = tr("{frames} of {studies} selected: press {first} to {last} to label all", **values)
        if in_all > on_map:
            words = tr(
                "{frames} of {studies} selected, {elsewhere} of them not on this map: "
                "press {first} to {last} to label all",
                elsewhere=in_all - on_map,
                **values,
            )
        self.selection.setText(words if in_all else tr(NOTHING))
        for widget in (self.label, self.tiles, self.map, self.clear):
            widget.setEnabled(in_all > 0)

    def set_classes(self, vocabulary: Vocabulary) -> None:
        """Offer the classes of a vocabulary; their keys label all selected frames, wherever the focus is."""
        menu = QMenu(self.label)
        for entry in vocabulary:
            if entry.key:
                title = tr("Label “{title}”", title=entry.shown_title)
                action = menu.addAction(QIcon(glyphs.class_pixmap(entry, 14, 2.0)), title)
                key_texts.borrow_key(action, f"label_{entry.key}")
                action.triggered.connect(lambda *_, name=entry.name: self.label_requested.emit(name))
        self.label.setMenu(menu)
        self.addActions(menu.actions())

    def say(self, words: str) -> None:
        """Say what was done with the selection, until another one is made."""
        self.selection.setText(words)

    def show_job(self, job: Job | None, picture: str) -> None:
        """Show the progress of the map's job; `picture` describes the shown result."""
        self.job.setVisible(job is not None and not job.has_ended)
        if job is None:
            return
        self._bar.show_progress(job.progress)
        self.words.setText("   ".join(filter(None, (state_words(job), picture))))
        self.stop.show_job(job)

    def show_wait(self, words: str) -> None:
        """Show that something is being prepared that has no job yet."""
        self.job.show()
        self._bar.show_progress(None)
        self.words.setText(words)
        self.stop.setEnabled(False)


class MapBase(window_size.DialogBase):
    """A window around a map: columns that can be resized, of which the middle one takes what is left."""

    def __init__(self, title: str, shared: Sequence[QAction], parent: QWidget | None) -> None:
        """`shared` are actions of the main window whose keys work here too."""
        super().__init__(title, 1180, 760, parent, Qt.WindowType.Window)
        self.canvas, self.legend, self.foot = map_canvas.MapCanvas(), MapLegend(), MapFoot()
        self.card = HoverCard(self.canvas)
        self.problem = basic.make_text(COLORS.warning)
        self.problem.hide()
        self.canvas.leave_requested.connect(self.focusNextPrevChild)
        self.legend.hidden_changed.connect(self.canvas.set_hidden)
        self.addActions(list(shared))

    def arrange_columns(self, left: QWidget, middle: QWidget, widths: Sequence[int]) -> None:
        """Fill the window; the legend is the right column."""
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for number, column in enumerate((left, middle, self.legend)):
            splitter.addWidget(column)
            splitter.setStretchFactor(number, number == 1)
        splitter.setSizes(widths)
        in_column(splitter, of=self, margins=(12, 10, 12, 10))

    def show_message(self, sentence: str) -> None:
        """Show what went wrong; "" hides it."""
        basic.show_text(self.problem, sentence)
