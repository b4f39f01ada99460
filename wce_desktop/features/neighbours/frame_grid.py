"""A grid of frames, of one study or of many, in a window with the labelling keys of the main window."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QPushButton, QStackedWidget, QWidget

from training.runs.events import Progress
from wce_desktop.core import counted, to_translate, tr
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.selection import FrameSelection
from wce_desktop.session.keys import with_keys
from wce_desktop.widgets import basic, glyphs, key_texts, theme, window_size
from wce_desktop.widgets.frame_tile import FrameTile
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.tile_list import PictureProvider, TileList, TileMaker

SMALLEST_PX, LARGEST_PX, FIRST_PX = 64, 160, 112
EMPTY = to_translate(
    "No frames are selected. Draw a lasso on the map ({show_map}), or find frames like the one on screen "
    "({find_like_frame}) and press {show_selection}."
)


def _no_tile(row: int) -> FrameTile:
    raise IndexError(row)


class GridWindow(window_size.DialogBase):
    """Shows frames with the buttons of what can be done with them; stays open beside the main window.

    The buttons concern `chosen`: the frames chosen in the grid, or all if none is chosen. Keys: digits label,
    M finding, A more like these, Ctrl+Z undoes.
    """

    label_requested = Signal(str)
    empty = EMPTY
    """What is said where there are no frames."""

    def __init__(
        self, vocabulary: Vocabulary, picture: PictureProvider, parent: QWidget | None = None, lines: int = 1
    ) -> None:
        """`lines` of the caption of a frame."""
        super().__init__(tr("Frames"), 980, 660, parent=parent, flags=Qt.WindowType.Window)
        self._vocabulary = vocabulary
        self.frames: Sequence[tuple[str, int]] = ()
        self._title = PlainLabel()
        self._title.setStyleSheet("font-weight: bold; font-size: 13pt")
        self._count = basic.make_note()
        self.tiles = TileList(tr("Frames"), picture, lines=lines)
        key_texts.give_keys(self.tiles)
        self.tiles.fill_rows(FIRST_PX)
        self.tiles.chosen_changed.connect(self._show_count)
        self._size = basic.make_slider(tr("Size of the pictures"), SMALLEST_PX, LARGEST_PX)
        self._size.setValue(FIRST_PX)
        self._size.setFixedWidth(110)
        self._size.valueChanged.connect(self.tiles.fill_rows)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.tiles)
        self._pages.addWidget(basic.make_note(with_keys(tr(self.empty)), is_centered=True))
        self._said = basic.make_note()
        self._bar = basic.JobBar()
        self.stop = basic.make_button(tr("Stop"), tr("Stop without exporting"))
        self._make_buttons()
        size = PlainLabel(tr("Size"))
        size.setStyleSheet(f"color: {theme.COLORS.muted}")
        top = basic.in_row(self._title, (self._count, 1), size, self._size)
        row = basic.in_row(self.labels, self.finding, self.like, 1, self.export)
        line = basic.in_row((self._said, 1), self._bar, self.stop)
        self._column = basic.in_column(top, (self._pages, 1), row, line, of=self, margins=(12, 10, 12, 10))
        self.show_frames(tr("Frames"), (), _no_tile)
        self.show_progress(None)
        self.show_message("")
        for digit in "0123456789":
            key_texts.share_key(self, f"label_{digit}", partial(self.label_by_key, digit))
        key_texts.share_key(self, "new_finding", self.finding.click)
        key_texts.share_key(self, "find_like_frame", self.like.click)
        key_texts.share_key(self, "export_labels", self.csv.trigger)

    def _make_buttons(self) -> None:
        menu, ways = QMenu(self), QMenu(self)
        tip = tr("Label the chosen frames, or all, in one step (keys {label_0} to {label_9})")
        self.labels = _menu_button(tr("Label…"), tip, menu)
        menu.aboutToShow.connect(lambda: self._fill(menu))
        self._fill(menu)
        self.finding = basic.make_button(
            tr("Add to a finding…"), tr("Add the chosen frames to a finding of the same study ({new_finding})")
        )
        self.like = basic.make_button(
            tr("Find similar"), tr("Find frames similar to the mean of the chosen ones ({find_like_frame})")
        )
        tip = tr("Export labels, or images masked outside the field of view, without patient names")
        self.export = _menu_button(tr("Export…"), tip, ways)
        self.csv = ways.addAction(tr("Frames and labels as CSV…"))
        self.sheet = ways.addAction(tr("Contact sheet as PNG…"))

    def _fill(self, menu: QMenu) -> None:
        """Offer the classes of the vocabulary as they are now."""
        menu.clear()
        for entry in self._vocabulary:
            title = f"{entry.shown_title}\t{entry.key}" if entry.key else entry.shown_title
            action = menu.addAction(QIcon(glyphs.class_pixmap(entry, 14, 2.0)), title)
            action.triggered.connect(lambda _=False, name=entry.name: self.label_requested.emit(name))

    def label_by_key(self, key: str) -> None:
        """Label with the class that has a key now; nothing without one."""
        entry = self._vocabulary.by_key(key)
        if entry is not None:
            self.label_requested.emit(entry.name)

    def show_frames(self, title: str, frames: Sequence[tuple[str, int]], make: TileMaker) -> None:
        """Show these frames (study, frame), under a title; `make(row)` gives the tile of one."""
        self.frames = frames
        self._studies = len({study_id for study_id, _ in frames})
        self._title.setText(title)
        with QSignalBlocker(self.tiles):
            self.tiles.show_tiles(len(frames), make)
        self._pages.setCurrentIndex(0 if frames else 1)
        for widget in (self.labels, self.finding, self.like, self.export):
            widget.setEnabled(bool(frames))
        self._show_count()

    @property
    def chosen(self) -> FrameSelection:
        """The frames picked in the grid; all where none is picked."""
        rows = self.tiles.chosen_rows
        picked: dict[str, list[int]] = {}
        for study_id, frame_index in [self.frames[row] for row in rows] if rows else self.frames:
            picked.setdefault(study_id, []).append(frame_index)
        return FrameSelection(picked)

    def _show_count(self) -> None:
        self._count.setText(self._count_words(counted(len(self.frames), "frame"), counted(self._studies, "study")))

    def _count_words(self, frames: str, studies: str) -> str:
        if rows := len(self.tiles.chosen_rows):
            return tr("{frames} of {studies} · {chosen} chosen", frames=frames, studies=studies, chosen=rows)
        words = tr("{frames} of {studies} · none chosen: the buttons apply to all", frames=frames, studies=studies)
        return words if self.frames else ""

    def show_message(self, sentence: str, *, is_error: bool = False) -> None:
        """Say what was done, or why not."""
        basic.show_text(self._said, sentence)
        self._said.setStyleSheet(f"color: {theme.COLORS.warning}" if is_error else "")

    def show_progress(self, progress: Progress | None) -> None:
        """Show how far an export is; None when none runs."""
        self._bar.setVisible(progress is not None)
        self.stop.setVisible(progress is not None)
        self._bar.show_progress(progress)
        if progress is not None:
            frames = counted(progress.total, "frame")
            basic.show_text(self._said, tr("{done} of {frames}", done=progress.done, frames=frames))


def _menu_button(text: str, tip: str, menu: QMenu) -> QPushButton:
    button = basic.make_button(text, tip)
    button.setMenu(menu)
    return button
