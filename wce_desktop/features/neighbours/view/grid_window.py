"""The window around the grid of frames, with the labelling keys of the main window."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from training.runs.events import Progress
from wce_desktop.core.vocabulary import Vocabulary
from wce_desktop.features.neighbours.view.frame_grid import FrameGrid
from wce_desktop.features.neighbours.view.tile_list import PictureProvider
from wce_desktop.widgets.basic import make_note
from wce_desktop.widgets.job_widgets import JobBar, make_button
from wce_desktop.widgets.theme import WARNING
from wce_desktop.widgets.window_size import fit_to_screen


class GridWindow(QDialog):
    """Stays open beside the main window; keys: digits label, M finding, A more like these, Ctrl+Z takes it back."""

    def __init__(self, vocabulary: Vocabulary, picture: PictureProvider, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Frames")
        fit_to_screen(self, 980, 660)
        self.grid = FrameGrid(vocabulary, picture)
        self._said = make_note()
        self._bar = JobBar()
        self.stop = make_button("Stop", "Write nothing")
        line = QHBoxLayout()
        line.setContentsMargins(12, 0, 12, 10)
        line.addWidget(self._said, 1)
        line.addWidget(self._bar)
        line.addWidget(self.stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.grid, 1)
        column.addLayout(line)
        self.show_progress(None)
        for known in vocabulary:
            if known.key:
                self.add_key(known.key, partial(self.grid.label_requested.emit, known.name))
        self.add_key("M", self.grid.finding_requested.emit)
        self.add_key("A", self.grid.like_requested.emit)
        self.add_key("Ctrl+E", self.grid.csv_requested.emit)

    def add_key(self, keys: str, step: Callable[[], object]) -> None:
        """Let a key of this window do something."""
        QShortcut(QKeySequence(keys), self).activated.connect(lambda: step())

    def tell(self, sentence: str, *, is_error: bool = False) -> None:
        """Say what was done, or why not."""
        self._said.setText(sentence)
        self._said.setStyleSheet(f"color: {WARNING}" if is_error else "")

    def show_progress(self, progress: Progress | None) -> None:
        """Show how far an export is; None when none runs."""
        self._bar.setVisible(progress is not None)
        self.stop.setVisible(progress is not None)
        self._bar.show_progress(progress)
        if progress is not None:
            self._said.setText(f"{progress.done:,} of {progress.total:,} {progress.unit}")
