"""The Evolution window: embeddings of the same frames at the checkpoints of a pretraining run."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from training.methods.registry import PRETRAINING
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.embedding_map.map_canvas import MapCanvas
from wce_desktop.features.embedding_map.map_legend import MapLegend
from wce_desktop.features.embedding_map.map_parts import HoverCard, MapFoot, arrange_columns
from wce_desktop.features.embedding_map.map_sources import SPACES
from wce_desktop.library.runs import Run
from wce_desktop.session.study_choice import StudyRow
from wce_desktop.widgets.basic import make_button, make_heading, make_slider, make_text, name_in_tip, pad
from wce_desktop.widgets.inputs import ComboBox, WholeBox
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.study_table import StudyTable
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.window_size import fit_to_screen

SIDES = (300, 10_000, 190)
PLAY_MILLISECONDS = 600
NO_RUN = (
    to_translate("There is no pretrained model yet."),
    to_translate("Train one: Train, Pretrain and fine-tune ({train})."),
)
NOT_MADE = (
    to_translate("This evolution has not been computed yet."),
    to_translate("Tick studies on the left, then choose “Follow the frames”."),
)


class EvolutionWindow(QDialog):
    """Choices at the left, the map with its slider in the middle, the legend at the right."""

    choice_changed = Signal()
    make_requested = Signal()
    step_chosen = Signal(int)

    def __init__(self, shared: Sequence[QAction] = (), parent: QWidget | None = None) -> None:
        """`shared` are actions of the main window whose keys work here too."""
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("Evolution"))
        fit_to_screen(self, 1180, 760)
        self._runs: Sequence[Run] = ()
        self.run, self.space, self.sample = ComboBox(), ComboBox(), WholeBox()
        for space, title in SPACES.items():
            self.space.addItem(tr(title), space)
        with_views = ", ".join(name for name, method in PRETRAINING.items() if method.has_bank)
        self.space.addItem(tr("Views and memory ({methods})", methods=with_views), "views")
        self.sample.setRange(10, 100_000)
        self.sample.setValue(1500)
        self.sample.setSingleStep(500)
        pad(self.sample)
        self.studies = StudyTable()
        self.studies.setAccessibleName(tr("Studies whose frames to follow"))
        for column in range(2, self.studies.columnCount()):
            self.studies.setColumnHidden(column, True)
        self.make = make_button(tr("Follow the frames"), tr("Embed the same frames at every checkpoint of this run"))
        self.make.setProperty("primary", True)
        self.note, self.problem = make_text(COLORS.muted), make_text(COLORS.warning)
        self.canvas, self.legend, self.foot = MapCanvas(), MapLegend(), MapFoot()
        self.card = HoverCard(self.canvas)
        self.slider = make_slider(tr("Checkpoint of the pretraining run"), 0, 0, tr("Left and Right: one checkpoint"))
        self.step = PlainLabel()
        self.play = make_button(tr("Play"), tr("Play the checkpoints in order (Alt+P)"))
        self.play.setShortcut("Alt+P")
        self._timer = QTimer(self, interval=PLAY_MILLISECONDS)
        self._timer.timeout.connect(self._advance)
        self._arrange()
        self.addActions(list(shared))
        self.run.currentIndexChanged.connect(lambda _: self.choice_changed.emit())
        self.space.currentIndexChanged.connect(lambda _: self.choice_changed.emit())
        self.make.clicked.connect(self.make_requested)
        self.slider.valueChanged.connect(self.step_chosen)
        self.play.clicked.connect(self.toggle_play)
        self.canvas.leave_requested.connect(self.focusNextPrevChild)
        self.legend.hidden_changed.connect(self.canvas.set_hidden)

    def _arrange(self) -> None:
        arrange_columns(self, (self._make_left(), self._make_middle(), self.legend), SIDES)

    def _make_left(self) -> QWidget:
        left = QWidget()
        form = QFormLayout()
        for title, widget in (
            (tr("P&retraining"), self.run),  # Alt+P plays
            (tr("&Embeddings"), self.space),
            (tr("&Frames"), self.sample),
        ):
            widget.setAccessibleName(title.replace("&", ""))
            widget.setMinimumWidth(60)
            if isinstance(widget, QComboBox):
                name_in_tip(widget)
            form.addRow(title, widget)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(form)
        column.addWidget(make_heading(tr("STUDIES")))
        column.addWidget(self.studies, 1)
        for part in (self.problem, self.note, self.make):
            column.addWidget(part)
        return left

    def _make_middle(self) -> QWidget:
        middle = QWidget()
        line = QHBoxLayout()
        line.addWidget(self.play)
        line.addWidget(self.slider, 1)
        line.addWidget(self.step)
        column = QVBoxLayout(middle)
        column.setContentsMargins(6, 0, 6, 0)
        column.addWidget(self.canvas, 1)
        column.addLayout(line)
        column.addWidget(self.foot)
        return middle

    # Choices

    def show_choices(self, runs: Sequence[Run], rows: Sequence[StudyRow]) -> None:
        """Offer these; the choice is kept if possible."""
        chosen, ticked = self.chosen_run, self.studies.chosen
        self._runs = runs
        self.run.blockSignals(True)
        self.run.clear()
        for run in runs:
            self.run.addItem(run.title, run.run_id)
        if chosen is not None:
            self.run.setCurrentIndex(max(self.run.findData(chosen.run_id), 0))
        self.run.blockSignals(False)
        labelled = {row.study.study_id for row in rows if row.label_count}
        self.studies.set_rows(rows, ticked or labelled or {row.study.study_id for row in rows})

    @property
    def chosen_run(self) -> Run | None:
        """The pretraining, or None if there is none."""
        at = self.run.currentIndex()
        return self._runs[at] if 0 <= at < len(self._runs) else None

    @property
    def chosen_space(self) -> str:
        """ "backbone", "projection", or "views", which needs no study."""
        return str(self.space.currentData())

    # Steps

    def set_steps(self, count: int, at: int) -> None:
        """Set the number of steps and the shown one."""
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(count - 1, 0))
        self.slider.setValue(at)
        self.slider.blockSignals(False)
        for widget in (self.slider, self.play):
            widget.setEnabled(count > 1)
        if count <= 1:
            self._set_playing(False)

    def toggle_play(self) -> None:
        """Play or pause the steps; from the last one playback restarts."""
        if not self._timer.isActive() and self.slider.value() == self.slider.maximum():
            self.slider.setValue(0)
        self._set_playing(not self._timer.isActive())

    def _set_playing(self, is_on: bool) -> None:
        self._timer.start() if is_on else self._timer.stop()
        self.play.setText(tr("Pause") if is_on else tr("Play"))

    def _advance(self) -> None:
        self.slider.setValue(self.slider.value() + 1)
        if self.slider.value() == self.slider.maximum():
            self._set_playing(False)

    def show_message(self, sentence: str) -> None:
        """Show what went wrong; "" hides it."""
        self.problem.setText(sentence)

    def present(self) -> None:
        """Show the window in front."""
        self.show()
        self.raise_()
        self.activateWindow()
