"""The Evolution window: embeddings of the same frames at the checkpoints of a pretraining run."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QWidget

from training.methods.registry import PRETRAINING
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.embedding_map import map_parts, map_sources
from wce_desktop.library.runs import Run
from wce_desktop.session.study_choice import StudyRow
from wce_desktop.widgets import basic, inputs, plain_text, study_table
from wce_desktop.widgets.basic import as_widget, fill_box, in_column, in_row, make_button
from wce_desktop.widgets.theme import COLORS

SIDES = (300, 10_000, 210)
PLAY_MILLISECONDS = 600
NO_RUN = (
    to_translate("There is no pretrained model yet."),
    to_translate("Train one: Train, Pretrain and fine-tune ({train})."),
)
NOT_MADE = (
    to_translate("This evolution has not been computed yet."),
    to_translate("Tick studies on the left, then choose “Follow the frames”."),
)


class EvolutionWindow(map_parts.MapBase):
    """Choices at the left, the map with its slider in the middle, the legend at the right."""

    def __init__(self, shared: Sequence[QAction] = (), parent: QWidget | None = None) -> None:
        super().__init__(tr("Evolution"), shared, parent)
        self._runs: Mapping[str, Run] = {}
        self.run, self.space = inputs.ComboBox(), inputs.ComboBox()
        self.sample = inputs.WholeBox(minimum=10, maximum=100_000, value=1500, singleStep=500, showGroupSeparator=True)
        with_views = ", ".join(name for name, method in PRETRAINING.items() if method.has_bank)
        views = (tr("Views and memory ({methods})", methods=with_views), "views")
        fill_box(self.space, (*((tr(title), space) for space, title in map_sources.SPACES.items()), views))
        basic.pad(self.sample)
        self.studies = study_table.StudyTable()
        self.studies.setAccessibleName(tr("Studies whose frames to follow"))
        for column in range(2, self.studies.columnCount()):
            self.studies.setColumnHidden(column, True)
        tip = tr("Embed the same frames at every checkpoint of this run")
        self.make = make_button(tr("Follow the frames"), tip, is_primary=True)
        self.note = basic.make_text(COLORS.muted)
        tip = tr("Left and Right: one checkpoint")
        self.slider = basic.make_slider(tr("Checkpoint of the pretraining run"), 0, 0, tip)
        self.step = plain_text.PlainLabel()
        self.play = make_button(tr("Play"), tr("Play the checkpoints in order (Alt+P)"), self.toggle_play)
        self.play.setShortcut("Alt+P")
        self._timer = QTimer(self, interval=PLAY_MILLISECONDS)
        self._timer.timeout.connect(self._advance)
        line = in_row(self.play, (self.slider, 1), self.step)
        middle = as_widget(in_column((self.canvas, 1), line, self.foot, margins=(6, 0, 6, 0)))
        self.arrange_columns(self._make_left(), middle, SIDES)

    def _make_left(self) -> QWidget:
        form = basic.Form()
        for title, widget in (
            (tr("P&retraining"), self.run),  # Alt+P plays
            (tr("&Embeddings"), self.space),
            (tr("&Frames"), self.sample),
        ):
            widget.setAccessibleName(title.replace("&", ""))
            widget.setMinimumWidth(60)
            if isinstance(widget, QComboBox):
                basic.name_in_tip(widget)
            form.addRow(title, widget)
        heading = basic.make_heading(tr("STUDIES"))
        return as_widget(in_column(form, heading, (self.studies, 1), self.problem, self.note, self.make, margins=0))

    # Choices

    def show_choices(self, runs: Sequence[Run], rows: Sequence[StudyRow]) -> None:
        """Offer these; the choice is kept if possible."""
        ticked, self._runs = self.studies.chosen, {run.run_id: run for run in runs}
        fill_box(self.run, ((run.title, run.run_id) for run in runs))
        labelled = {row.study.study_id for row in rows if row.label_count}
        self.studies.set_rows(rows, ticked or labelled or {row.study.study_id for row in rows})

    @property
    def chosen_run(self) -> Run | None:
        """The pretraining, or None if there is none."""
        return self._runs.get(self.run.currentData())

    @property
    def chosen_space(self) -> str:
        """ "backbone", "projection", or "views", which needs no study."""
        return str(self.space.currentData())

    # Steps

    def set_steps(self, count: int, at: int) -> None:
        """Set the number of steps and the shown one."""
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(count - 1, 0))
            self.slider.setValue(at)
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
