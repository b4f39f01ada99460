"""The window *Clean labels*: a list of what may be wrong as tiles, to answer each by a key."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from training.cleaning.listing import Kind
from training.runs.events import Progress
from wce_desktop.core import to_translate, tr
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.features.neighbours.suspects import Entry
from wce_desktop.widgets import basic, glyphs, inputs, theme, tile_list, window_size
from wce_desktop.widgets.plain_text import PlainLabel

KINDS: Mapping[Kind, str] = {
    "label": to_translate("Labels that may be wrong"),
    "duplicate": to_translate("Near-duplicates across studies"),
    "outlier": to_translate("Outliers"),
}
HINTS: Mapping[Kind, str] = {
    "label": to_translate("The model's embeddings, learned from other patients, say another class."),
    "duplicate": to_translate("Two frames of different studies that look the same to the model."),
    "outlier": to_translate("Frames that look like no other frame."),
}
SORTS = {
    "worst": to_translate("Worst first"),
    "study": to_translate("By study and time"),
    "label": to_translate("By label"),
}
PICTURE_PX = 144


class CleanWindow(window_size.DialogBase):
    """Shows one list at a time; keys and buttons mean the tile that is highlighted."""

    kind_chosen = Signal(str)
    opened = Signal(str, int)

    def __init__(
        self,
        vocabulary: Vocabulary,
        picture: tile_list.PictureProvider,
        steps: Mapping[str, Callable[[], object]],
        parent: QWidget | None = None,
    ) -> None:
        """`steps` are "suggested", "remove", "keep", "other" and "label_0" to "label_9"."""
        super().__init__(tr("Clean labels"), 1000, 680, parent, Qt.WindowType.Window)
        self._vocabulary, self._steps = vocabulary, steps
        self.entries: Sequence[Entry] = ()
        self.kind, self.sort = inputs.ComboBox(tr("What to look for")), inputs.ComboBox(tr("Order"))
        basic.fill_box(self.kind, ((tr(title), kind) for kind, title in KINDS.items()))
        basic.fill_box(self.sort, ((tr(title), key) for key, title in SORTS.items()))
        self.again = basic.make_button(
            tr("Look again"), tr("Look through all frames again, with the labels as they are")
        )
        self.title, self.note = PlainLabel(), basic.make_note()
        self.title.setStyleSheet("font-weight: bold")
        keys = {"accept_votes": steps["suggested"], "reject_event": steps["remove"], "K": steps["keep"]}
        keys |= {"O": steps["other"], "J": lambda: self.move_on(1)}
        keys |= {name: step for name, step in steps.items() if name.startswith("label_")}
        self._lists = tuple(
            tile_list.TileList(tr("Clean labels"), picture, keys=keys, lines=3, pictures=count) for count in (1, 2)
        )
        for tiles in self._lists:
            tiles.fill_rows(PICTURE_PX)
            tiles.setSelectionMode(tile_list.TileList.SelectionMode.SingleSelection)
            tiles.opened.connect(lambda *_: self._open())
            tiles.give_menu(self._fill_menu)
            tiles.chosen_changed.connect(self._show_buttons)
        self._pages = QStackedWidget()
        self._message = basic.make_note(is_centered=True)
        for page in (*self._lists, self._message):
            self._pages.addWidget(page)
        self.bar, self.said = basic.JobBar(), basic.make_note()
        self.stop = basic.make_button(tr("Stop"), tr("Stop looking"))
        self._acts = (
            (
                tr("Relabel as suggested"),
                tr("Give it the class that is suggested ({accept_votes})"),
                steps["suggested"],
            ),
            (tr("Remove the label"), tr("Take the labels off ({reject_event})"), steps["remove"]),
            (tr("It is right"), tr("Leave it out of this list from now on (K)"), steps["keep"]),
            (tr("Show the frame"), tr("Show the frame in its study (Enter; O for the other frame)"), self._open),
        )
        self._buttons = [basic.make_button(*act) for act in self._acts]
        self._labels = QMenu(self)
        self.label = basic.make_button(tr("Label…"), tr("Give it another class (keys {label_0} to {label_9})"))
        self.label.setMenu(self._labels)
        self._labels.aboutToShow.connect(lambda: self._fill(self._labels))
        top = basic.in_row(self.kind, self.sort, (self.title, 1), self.again)
        row = basic.in_row(*self._buttons[:1], self.label, *self._buttons[1:3], 1, self._buttons[3])
        line = basic.in_row((self.said, 1), self.bar, self.stop)
        basic.in_column(top, self.note, (self._pages, 1), row, line, of=self, margins=(12, 10, 12, 10))
        self.kind.currentIndexChanged.connect(lambda _: self.kind_chosen.emit(self.shown_kind))
        self.show_progress(None)

    @property
    def shown_kind(self) -> Kind:
        """The chosen list."""
        kind: Kind = self.kind.currentData()
        return kind

    @property
    def tiles(self) -> tile_list.TileList:
        """The list of the chosen kind."""
        return self._lists[self.shown_kind == "duplicate"]

    @property
    def current(self) -> Entry | None:
        """The entry that is highlighted."""
        row = self.tiles.currentIndex().row()
        return self.entries[row] if 0 <= row < len(self.entries) else None

    def show_entries(self, entries: Sequence[Entry], make: tile_list.TileMaker, title: str, empty: str) -> None:
        """Show a list; the row that was highlighted stays so, as another entry took its place."""
        row = max(self.tiles.currentIndex().row(), 0)
        had_focus = any(tiles.hasFocus() for tiles in self._lists) or not self.entries
        self.entries = entries
        self.title.setText(title)
        self.note.setText(tr(HINTS[self.shown_kind]))
        with QSignalBlocker(self.tiles):
            self.tiles.show_tiles(len(entries), make)
        self._pages.setCurrentWidget(self.tiles if entries else self._message)
        self._message.setText(empty)
        if entries:
            self._go_to(min(row, len(entries) - 1))
            if had_focus:
                self.tiles.setFocus(Qt.FocusReason.TabFocusReason)
        self._show_buttons()

    def move_on(self, step: int) -> None:
        """Highlight the next entry."""
        row = self.tiles.currentIndex().row() + step
        if 0 <= row < len(self.entries):
            self._go_to(row)

    def show_message(self, sentence: str, *, is_error: bool = False) -> None:
        """Say what was done, or why not."""
        basic.show_text(self.said, sentence)
        self.said.setStyleSheet(f"color: {theme.COLORS.warning}" if is_error else "")

    def show_progress(self, progress: Progress | None, words: str = "") -> None:
        """Show how far the search is; None: none runs."""
        self.bar.setVisible(bool(words))
        self.stop.setVisible(bool(words))
        self.again.setEnabled(not words)
        self.bar.show_progress(progress)
        if words:
            self.show_message("")
            self._message.setText(words)

    def _go_to(self, row: int) -> None:
        index = self.tiles.tiles.index(row)
        self.tiles.setCurrentIndex(index)
        self.tiles.scrollTo(index)

    def _open(self) -> None:
        if self.current is not None:
            self.opened.emit(self.current.study_id, self.current.frame_index)

    def _show_buttons(self) -> None:
        is_there = self.current is not None
        for button in (*self._buttons, self.label):
            button.setEnabled(is_there)
        self._buttons[0].setVisible(self.shown_kind == "label")

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        for entry in self._vocabulary:
            title = f"{entry.shown_title}\t{entry.key}" if entry.key else entry.shown_title
            if entry.key:
                icon = glyphs.class_icon(entry, 14)
                menu.addAction(icon, title, self._steps[f"label_{entry.key}"])

    def _fill_menu(self, menu: QMenu) -> None:
        for title, _, act in self._acts[0 if self.shown_kind == "label" else 1 :]:
            menu.addAction(title, act)
        if self.shown_kind == "duplicate":
            menu.addAction(tr("Show the other frame"), self._steps["other"])
        self._fill(menu.addMenu(tr("Label…")))
