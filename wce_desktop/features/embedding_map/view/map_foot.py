"""The lines below a map: the selection with its buttons, and the job."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.clock import counted
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.embedding_map.view.map_input import HINT
from wce_desktop.session.keys import key_of
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import state_words, stop_words
from wce_desktop.widgets.basic import JobBar, make_button, make_note
from wce_desktop.widgets.glyphs import class_pixmap
from wce_desktop.widgets.key_texts import borrow_key
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import MUTED
from wce_desktop.widgets.turning_row import TurningRow

NOTHING = to_translate("Nothing selected: draw a lasso or a box, or press Space.")


class MapFoot(QWidget):
    """Shows the selection and the job, and emits the buttons' signals."""

    label_requested = Signal(str)
    tiles_requested = Signal()
    clear_requested = Signal()
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = PlainLabel(tr(NOTHING))
        self.label = make_button(tr("Label all"), tr("Label all selected frames ({label_0} to {label_9})"))
        self.tiles = make_button(tr("Show as tiles"), tr("Show the selected frames as a grid ({show_selection})"))
        self.clear = make_button(tr("Clear"), tr("Clear the selection (Escape)"))
        self.tiles.clicked.connect(self.tiles_requested)
        self.clear.clicked.connect(self.clear_requested)
        self.job = self._make_job()
        self.hint = make_note(tr(HINT))
        self.hint.setStyleSheet(f"color: {MUTED}; font-size: 11px")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.hint)
        first = TurningRow(margins=(0, 0, 0, 0))
        first.arrange(self.selection, (self.label, self.tiles, self.clear))
        column.addWidget(first)
        column.addWidget(self.job)
        self.show_selection(0, 0, 0)
        self.show_job(None, "")

    def _make_job(self) -> QWidget:
        job = QWidget()
        room = job.sizePolicy()
        room.setRetainSizeWhenHidden(True)  # the map must not jump when its job begins or ends
        job.setSizePolicy(room)
        self._bar, self.words = JobBar(), PlainLabel()
        self.stop = make_button(tr("Stop"), "")
        self.stop.clicked.connect(self.stop_requested)
        line = QHBoxLayout(job)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.words, 1)
        line.addWidget(self._bar, 1)
        line.addWidget(self.stop)
        return job

    def show_selection(self, on_map: int, in_all: int, studies: int) -> None:
        """Say how many frames are selected, and how many of them the map does not hold."""
        said = {"frames": counted(in_all, "frame"), "studies": counted(studies, "study")}
        said |= {"first": key_of("label_0"), "last": key_of("label_9")}
        if not in_all:
            words = tr(NOTHING)
        elif in_all <= on_map:
            words = tr("{frames} of {studies} selected: press {first} to {last} to label all", **said)
        else:
            words = tr(
                "{frames} of {studies} selected, {elsewhere} of them not on this map: "
                "press {first} to {last} to label all",
                elsewhere=in_all - on_map,
                **said,
            )
        self.selection.setText(words)
        for widget in (self.label, self.tiles, self.clear):
            widget.setEnabled(in_all > 0)

    def set_classes(self, vocabulary: Vocabulary) -> None:
        """Offer the classes of a vocabulary; their keys label all selected frames, wherever the focus is."""
        menu = QMenu(self.label)
        for known in vocabulary:
            if known.key:
                title = tr("Label “{title}”", title=known.shown_title)
                action = menu.addAction(QIcon(class_pixmap(known, 14, 2.0)), title)
                borrow_key(action, f"label_{known.key}")
                action.triggered.connect(lambda *_, name=known.name: self.label_requested.emit(name))
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
        self.stop.setEnabled(job.state in ("running", "queued"))
        self.stop.setToolTip(plain(stop_words(job)))

    def show_wait(self, words: str) -> None:
        """Show that something is being prepared that has no job yet."""
        self.job.show()
        self._bar.show_progress(None)
        self.words.setText(words)
        self.stop.setEnabled(False)
