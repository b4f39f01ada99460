"""The fine-tuning window: labels, progress, and afterwards the comparison of the old and the new model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from wce_desktop.core.annotation.vocabulary import ClassName, Vocabulary, shown_name
from wce_desktop.core.clock import counted
from wce_desktop.core.language import number_text, to_translate, tr, tr_count
from wce_desktop.features.learning.view.comparison_view import ComparisonView
from wce_desktop.session.demo import DemoLabels
from wce_desktop.session.presets import built_in
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import state_words, stop_words
from wce_desktop.widgets.basic import JobBar, make_button, make_text, set_color
from wce_desktop.widgets.inputs import ComboBox
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.window_size import fit_to_screen

if TYPE_CHECKING:
    from wce_desktop.widgets.curve_plot import CurvePlot


DEMO_WORDS = to_translate("Use labels of the demo study")
COMPARISON_SIZE = (960, 700)
_LOSSES = {
    "loss": to_translate("loss"),
    "triplet": to_translate("triplet"),
    "cross_entropy": to_translate("cross-entropy"),
}
"""Field of a "curve" partial -> name of its curve, which the plot translates."""


@dataclass(frozen=True)
class PresetRow:
    """A fine-tuning preset to choose."""

    name: str  # value of the setting `preset`
    title: str
    description: str = ""  # one sentence: what it does, how long it takes


def describe_labels(
    counts: Mapping[str, int],
    study_count: int,
    titles: Mapping[str, str] | None = None,
    negatives: Mapping[str, int] | None = None,
) -> str:
    """ "90 new labels in 3 studies: blood 40, polyp 7, normal 40, not ulcer 3".

    `counts` are the new labels of each class, `negatives` those by which the class is not there.
    """
    negatives = negatives or {}
    total = sum(counts.values()) + sum(negatives.values())
    labels = tr_count("{count} new label", "{count} new labels", total)
    studies = counted(study_count, "study")
    ordered = sorted(counts, key=lambda name: (name == "normal", -counts[name]))
    parts = [
        f"{(titles or {}).get(name, shown_name(name))} {number_text(counts[name])}" for name in ordered if counts[name]
    ]
    parts += [
        tr("not {name} {count}", name=(titles or {}).get(name, shown_name(name)), count=negatives[name])
        for name in sorted(negatives, key=lambda name: -negatives[name])
    ]
    if not parts:
        return tr("{labels} in {studies}", labels=labels, studies=studies)
    return tr("{labels} in {studies}: {classes}", labels=labels, studies=studies, classes=", ".join(parts))


class FinetunePanel(QWidget):
    """Shows labels and job, and emits signals to start and stop; independent of the library."""

    start_requested = Signal(str)  # the preset's name
    comparison_requested = Signal()
    demo_chosen = Signal(bool)  # use the labels of the demo study
    preset_chosen = Signal()
    more_requested = Signal(str)  # the preset's name: choose studies, method and parameters

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._can_start = False
        self._presets: Sequence[PresetRow] = ()
        self._classes: Mapping[str, ClassName] = {}
        self._plots: tuple[CurvePlot, CurvePlot] | None = None
        self._what = make_text()
        self._hint = make_text(COLORS.muted)
        self.demo = QCheckBox(tr(DEMO_WORDS))
        self.demo.setVisible(False)
        self.demo.clicked.connect(self.demo_chosen)
        self._preset = ComboBox()
        self._preset.setAccessibleName(tr("Fine-tuning preset"))
        self._preset.currentIndexChanged.connect(self._describe_preset)
        self._preset_words = make_text(COLORS.muted)
        self._estimate = make_text(COLORS.muted)
        self._start = make_button(
            tr("Fine-tune"), tr("Train a copy of the model on the labels; the current model is not changed")
        )
        self._start.setProperty("primary", True)
        self._bar = JobBar()
        self._state = make_text()
        self._stop = make_button(tr("Stop"), "")
        self._compare = make_button(tr("Compare old and new"), tr("Show the old and the new model side by side"))
        self._more = make_button(
            tr("More options…"), tr("Choose studies, method, start and all parameters, or resume a run")
        )
        self._more.clicked.connect(lambda: self.more_requested.emit(self.preset))
        self._start.clicked.connect(lambda: self.start_requested.emit(self.preset))
        self._stop.clicked.connect(self._stop_job)
        self._compare.clicked.connect(self.comparison_requested)
        self._arrange()
        self.set_blocked(
            tr("No labels to train on yet."), tr("Label frames first: 1-9 for what is there, 0 for normal.")
        )
        self._refresh()

    def _arrange(self) -> None:
        choice = QHBoxLayout()
        choice.addWidget(PlainLabel(tr("Preset")))
        choice.addWidget(self._preset, 1)
        choice.addWidget(self._more)
        choice.addWidget(self._start)
        ending = QHBoxLayout()
        for button in (self._stop, self._compare):
            ending.addWidget(button)
        ending.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 12)
        self._column.setSpacing(8)
        for widget in (self._what, self._hint, self.demo):
            self._column.addWidget(widget)
        self._column.addLayout(choice)
        self._column.addWidget(self._preset_words)
        self._column.addWidget(self._estimate)
        self._column.addWidget(self._bar)
        self._column.addWidget(self._state)
        self._column.addLayout(ending)
        self._column.addStretch(1)

    @property
    def preset(self) -> str:
        """The name of the chosen preset; "" while there is none."""
        return str(self._preset.currentData() or "")

    @property
    def hint(self) -> str:
        """What to do before a start, or which labels would not be used."""
        return self._hint.text()

    @property
    def can_start(self) -> bool:
        """Whether *Fine-tune* can be pressed."""
        return self._start.isEnabled()

    def set_classes(self, classes: Mapping[str, ClassName]) -> None:
        """Set titles and colours of the classes."""
        self._classes = classes
        if self._plots is not None:
            self._plots[1].set_classes(classes)

    def set_presets(self, presets: Sequence[PresetRow], chosen: str = "") -> None:
        """Set the presets to choose from."""
        self._presets = tuple(presets)
        self._preset.clear()
        for row in presets:
            self._preset.addItem(row.title, row.name)
        self._preset.setCurrentIndex(max(self._preset.findData(chosen), 0))
        self._describe_preset()

    def set_estimate(self, duration: str) -> None:
        """Show how long the chosen preset is expected to take; "" shows nothing."""
        self._estimate.setText(duration)
        self._estimate.setVisible(bool(duration))

    def set_labels(
        self,
        counts: Mapping[str, int],
        study_count: int,
        left_out: str = "",
        negatives: Mapping[str, int] | None = None,
    ) -> None:
        """Show the new labels of each class, the number of their studies, and which labels would not be used."""
        titles = {name: known.title_in_sentence for name, known in self._classes.items()}
        self.set_ready(describe_labels(counts, study_count, titles, negatives), left_out)

    def set_demo(self, labels: DemoLabels) -> None:
        """Offer the labels of the demo study, if it has any; without others they are used in any case."""
        self.demo.setVisible(bool(labels.study_ids))
        self.demo.setChecked(labels.are_used)
        self.demo.setEnabled(not labels.are_only)
        self.demo.setText(
            tr("Use labels of the demo study (there are no others yet)") if labels.are_only else tr(DEMO_WORDS)
        )

    def set_ready(self, sentence: str, hint: str = "") -> None:
        """Show a sentence about the labels and enable the start."""
        self._what.setText(sentence)
        self._hint.setText(hint)
        self._can_start = True
        self._refresh()

    def set_blocked(self, sentence: str, hint: str = "") -> None:
        """Show why fine-tuning cannot start, and what to do about it."""
        self._what.setText(sentence)
        self._hint.setText(hint)
        self._can_start = False
        self._refresh()

    def set_job(self, job: Job | None) -> None:
        """Show a queued, running or ended job; call this again whenever it changes. None: no job yet."""
        if job is not None and job is not self._job and self._plots is not None:
            for plot in self._plots:
                plot.clear()
        self._job = job
        self._refresh()

    def add_partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Add a point of the running job: "curve" (losses) or "held_out" (AUC of each class)."""
        losses, held_out = self._need_plots()
        if name == "curve":
            for key, title in _LOSSES.items():
                losses.add_point(title, payload["step"], payload.get(key))
        elif name == "held_out":
            for class_name, auc in payload.get("auc", {}).items():
                held_out.add_point(class_name, payload["step"], auc)

    def _need_plots(self) -> "tuple[CurvePlot, CurvePlot]":
        """The plots, created with the first point: importing pyqtgraph would delay the window."""
        if self._plots is None:
            from wce_desktop.widgets.curve_plot import CurvePlot

            losses = CurvePlot(tr("Training loss"))
            held_out = CurvePlot(tr("AUC on held-out frames: 1 is perfect, 0.5 is chance"), is_share=True)
            held_out.set_classes(self._classes)
            self._plots = (losses, held_out)
            self._column.takeAt(self._column.count() - 1)  # the stretch: the plots take its place
            for plot in self._plots:
                self._column.addWidget(plot, 1)
        return self._plots

    def _describe_preset(self) -> None:
        row = self._preset.currentIndex()
        words = self._presets[row].description if 0 <= row < len(self._presets) else ""
        self._preset_words.setText(words)
        self._preset_words.setVisible(bool(words))
        self.preset_chosen.emit()

    def _stop_job(self) -> None:
        if self._job is not None:
            self._job.stop()

    def _refresh(self) -> None:
        job = self._job
        is_open = job is not None and not job.has_ended
        self._start.setEnabled(self._can_start and not is_open)
        self._preset.setEnabled(not is_open)
        self._hint.setVisible(bool(self._hint.text()))
        self._bar.setVisible(job is not None and job.is_running)
        self._bar.show_progress(job.progress if job else None)
        self._state.setVisible(job is not None)
        self._state.setText(_words(job) if job else "")
        set_color(self._state, COLORS.warning if job and job.state == "failed" else "")
        self._stop.setVisible(is_open)  # a waiting job is removed
        self._stop.setEnabled(job is not None and job.state in ("queued", "running"))
        self._stop.setToolTip(plain(stop_words(job)))
        self._compare.setVisible(job is not None and job.state == "done")


def _words(job: Job) -> str:
    """The job's state and, if it failed, what to do about it."""
    if job.state == "queued":
        return tr("Waiting for the running job.")
    if job.state == "done" and job.outcome is not None:
        return tr(job.outcome.message) or tr("Done. The current model stays in use until you choose the new one.")
    if job.state == "cancelled" and job.outcome is not None and job.outcome.message == "Cancelled.":
        return tr("Stopped before there was a new model. The model in use has not changed.")
    hint = tr(job.outcome.hint) if job.outcome else ""
    words = f"{state_words(job)} {hint}".strip()
    return words[0].upper() + words[1:]


def preset_rows() -> tuple[PresetRow, ...]:
    """The built-in presets of a fine-tuning."""
    return tuple(PresetRow(preset.name, tr(preset.title), tr(preset.description)) for preset in built_in("finetune"))


IN_FRONT = (
    Qt.WindowType.Dialog
    | Qt.WindowType.WindowTitleHint
    | Qt.WindowType.WindowMinMaxButtonsHint
    | Qt.WindowType.WindowCloseButtonHint
)
"""A window of its own that stays in front of the main window instead of hiding behind it."""


class FinetuneWindow(QDialog):
    """A separate window, so that reading can continue during the training."""

    def __init__(self, vocabulary: Vocabulary, preset: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, IN_FRONT)
        self.setWindowTitle(tr("Fine-tune"))
        fit_to_screen(self, 720, 640)
        self.panel = FinetunePanel()
        self.comparison = ComparisonView()
        classes = {known.name: known for known in vocabulary}
        self.panel.set_classes(classes)
        self.comparison.set_classes(classes)
        self.panel.set_presets(preset_rows(), preset)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.panel)
        self._stack.addWidget(self.comparison)

    @property
    def is_comparing(self) -> bool:
        """True while the comparison is shown."""
        return self._stack.currentWidget() is self.comparison

    def show_panel(self) -> None:
        """Show labels and progress."""
        self._stack.setCurrentWidget(self.panel)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
        self._present()
        self.activateWindow()

    def _present(self) -> None:
        """Show the window, also where it was minimised."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()

    def show_comparison(self, *, takes_focus: bool = True) -> None:
        """Show the comparison of the old and the new model; the highlighted button gets the focus.

        `takes_focus`: False where nobody asked for it, so that an Enter meant for the main window chooses nothing.
        """
        self._stack.setCurrentWidget(self.comparison)
        if self.width() < COMPARISON_SIZE[0]:
            fit_to_screen(self, *COMPARISON_SIZE)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not takes_focus)
        self._present()
        self.comparison.focus_choice()
