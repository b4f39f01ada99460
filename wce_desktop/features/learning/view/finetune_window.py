"""The fine-tuning window: labels, progress, and afterwards the comparison of the old and the new model."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QStackedLayout, QWidget

from wce_desktop.core import capital, counted, number_text, to_translate, tr, tr_count
from wce_desktop.core.annotation.vocabulary import ClassName, Vocabulary, shown_name
from wce_desktop.features.learning.model.library_estimates import Readiness
from wce_desktop.features.learning.view import comparison_view, live_page
from wce_desktop.session.presets import PRESET_TITLES, Preset, built_in
from wce_desktop.session.work import CLASSIFIER_ONLY
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import state_words
from wce_desktop.widgets import basic, inputs, plain_text, window_size
from wce_desktop.widgets.basic import in_column, in_row, make_button, make_text, show_text
from wce_desktop.widgets.theme import COLORS

DEMO_WORDS = to_translate("Use labels of the demo study")
COMPARISON_SIZE = (960, 700)
CURVES_PX = 260
"""Kept for the curves from the start of a training: the window grows then and not when they arrive."""


def describe_labels(readiness: Readiness, titles: Mapping[str, str] | None = None) -> str:
    """ "90 new labels in 3 studies: blood 40, polyp 7, normal 40, not ulcer 3"."""
    counts, negatives = readiness.counts, readiness.negatives

    def title(name: str) -> str:
        return (titles or {}).get(name, shown_name(name))

    labels = tr_count("{count} new label", "{count} new labels", sum(counts.values()) + sum(negatives.values()))
    studies = counted(readiness.study_count, "study")
    ordered = sorted(counts, key=lambda name: (name == "normal", -counts[name]))
    parts = [f"{title(name)} {number_text(counts[name])}" for name in ordered if counts[name]]
    parts += [
        tr("not {name} {count}", name=title(name), count=negatives[name])
        for name in sorted(negatives, key=lambda name: -negatives[name])
    ]
    if not parts:
        return tr("{labels} in {studies}", labels=labels, studies=studies)
    return tr("{labels} in {studies}: {classes}", labels=labels, studies=studies, classes=", ".join(parts))


class FinetunePanel(QWidget):
    """Shows labels and job, and emits signals to start and stop; independent of the library."""

    start_requested = Signal(str)  # the preset's name
    preset_chosen = Signal()
    more_requested = Signal(str)  # the preset's name: choose studies, method and parameters

    def __init__(self, classes: Mapping[str, ClassName], presets: Sequence[Preset], chosen: str) -> None:
        """`classes`: titles and colours of the classes; `chosen`: the name of a preset."""
        super().__init__()
        self._job: Job | None = None
        self._can_start = self._is_classifier_only = self._can_choose_demo = False
        self._presets, self._classes = presets, classes
        self.curves = live_page.LiveCurves("finetune", classes, ("loss", "accuracy"))
        self._what = make_text()
        self._hint = make_text(COLORS.muted)
        self.demo = QCheckBox(tr(DEMO_WORDS))
        self.demo.setVisible(False)
        self._preset = inputs.ComboBox(tr("Fine-tuning preset"))
        basic.fill_box(self._preset, ((tr(preset.title), preset.name) for preset in presets), chosen)
        self._preset.currentIndexChanged.connect(self._describe_preset)
        self._preset_words = make_text(COLORS.muted)
        self._estimate = make_text(COLORS.muted)
        tip = tr("Train a copy of the model on the labels; the current model is not changed")
        self._start = make_button(tr("Fine-tune"), tip, lambda: self.start_requested.emit(self.preset), is_primary=True)
        self.setFocusProxy(self._start)
        self._bar, self._state, self._stop = basic.JobBar(), make_text(), basic.StopButton()
        self._waiting = basic.make_note(tr("The curves appear with the first steps."), is_centered=True)
        self.compare = make_button(tr("Compare old and new"), tr("Show the old and the new model side by side"))
        tip = tr("Choose studies, method, start and all parameters, or resume a run")
        self._more = make_button(tr("More options…"), tip, lambda: self.more_requested.emit(self.preset))
        self._arrange()
        self.set_blocked(
            tr("No labels to train on yet."), tr("Label frames first: 1-9 for what is there, 0 for normal.")
        )
        self._describe_preset()

    def _arrange(self) -> None:
        choice = in_row(plain_text.PlainLabel(tr("Preset")), (self._preset, 1), self._more, self._start)
        ending = in_row(self._stop, self.compare, 1)
        above = self._what, self._hint, self.demo, choice, self._preset_words, self._estimate
        below = self._bar, self._state, ending, self._waiting, (self.curves, 1)
        in_column(*above, *below, of=self, margins=(14, 12, 14, 12), spacing=8)

    @property
    def preset(self) -> str:
        """The name of the chosen preset."""
        return str(self._preset.currentData())

    @property
    def can_start(self) -> bool:
        """Whether *Fine-tune* can be pressed."""
        return self._start.isEnabled()

    def set_estimate(self, duration: str) -> None:
        """Show how long the chosen preset is expected to take; "" shows nothing."""
        show_text(self._estimate, duration)

    def show_readiness(self, readiness: Readiness) -> None:
        """Show the new labels of each class and which would not be used, or why fine-tuning cannot start."""
        demo, self._is_classifier_only = readiness.demo, readiness.is_classifier_only
        self._show_preset_words()
        self.demo.setVisible(bool(demo.study_ids))
        self.demo.setChecked(demo.are_used)
        self._can_choose_demo = not demo.are_only  # without others they are used in any case
        only = tr("Use labels of the demo study (there are no others yet)")
        self.demo.setText(only if demo.are_only else tr(DEMO_WORDS))
        if readiness.problem:
            self.set_blocked(readiness.problem, readiness.hint)
        else:
            titles = {name: known.title_in_sentence for name, known in self._classes.items()}
            self._show_state(describe_labels(readiness, titles), readiness.hint, can_start=True)

    def set_blocked(self, sentence: str, hint: str = "") -> None:
        """Show why fine-tuning cannot start, and what to do about it."""
        self._show_state(sentence, hint, can_start=False)

    def _show_state(self, sentence: str, hint: str, *, can_start: bool) -> None:
        self._what.setText(sentence)
        show_text(self._hint, hint)
        self._can_start = can_start
        self._refresh()

    def set_job(self, job: Job | None) -> None:
        """Show a queued, running or ended job; call this again whenever it changes. None: no job yet."""
        if job is not None and job is not self._job:
            self.curves.clear()
        self._job = job
        self._refresh()

    def _describe_preset(self) -> None:
        self._show_preset_words()
        self._refresh()
        self.preset_chosen.emit()

    @property
    def _is_refused(self) -> bool:
        """Whether the model in use has no network that the chosen preset could train."""
        return self._is_classifier_only and self.preset not in CLASSIFIER_ONLY

    def _show_preset_words(self) -> None:
        words = tr(self._presets[self._preset.currentIndex()].description)
        if self._is_refused:
            words = tr(
                "The embeddings of the model in use were imported, so it has no network to train. Choose “{preset}”.",
                preset=tr(PRESET_TITLES[CLASSIFIER_ONLY[0]]),
            )
        show_text(self._preset_words, words)

    def _refresh(self) -> None:
        job = self._job
        is_open = job is not None and not job.has_ended
        self._start.setEnabled(self._can_start and not is_open and not self._is_refused)
        self._preset.setEnabled(not is_open)
        self.demo.setEnabled(self._can_choose_demo and not is_open)
        self._bar.show_job(job)
        show_text(self._state, _words(job) if job else "")
        basic.set_color(self._state, COLORS.warning if job and job.state == "failed" else "")
        self.curves.setMinimumHeight(CURVES_PX if is_open or not self.curves.is_empty else 0)
        self._waiting.setVisible(is_open and self.curves.is_empty)
        self._stop.setVisible(is_open)  # a waiting job is removed
        self._stop.show_job(job)
        self.compare.setVisible(job is not None and job.state == "done")


def _words(job: Job) -> str:
    """The job's state and, if it failed, what to do about it."""
    if job.state == "queued":
        return tr("Waiting for the running job.")
    if job.state == "done" and job.outcome is not None:
        return tr(job.outcome.message) or tr("Done. The current model stays in use until you choose the new one.")
    if job.state == "cancelled" and job.outcome is not None and job.outcome.message == "Cancelled.":
        return tr("Stopped before there was a new model. The model in use has not changed.")
    hint = tr(job.outcome.hint) if job.outcome else ""
    return capital(f"{state_words(job)} {hint}".strip())


IN_FRONT = (
    Qt.WindowType.Dialog
    | Qt.WindowType.WindowTitleHint
    | Qt.WindowType.WindowMinMaxButtonsHint
    | Qt.WindowType.WindowCloseButtonHint
)
"""A window of its own that stays in front of the main window instead of hiding behind it."""


class FinetuneWindow(window_size.DialogBase):
    """A separate window, so that reading can continue during the training."""

    def __init__(self, vocabulary: Vocabulary, preset: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Fine-tune"), 720, 200, parent, IN_FRONT)
        classes = {entry.name: entry for entry in vocabulary}
        self.panel = FinetunePanel(classes, built_in("finetune"), preset)
        self.comparison = comparison_view.ComparisonView(classes)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.panel)
        self.comparison.setParent(self)  # for its default button
        self.comparison.hide()

    @property
    def is_comparing(self) -> bool:
        """True while the comparison is shown."""
        return self._stack.currentWidget() is self.comparison

    def show_panel(self) -> None:
        """Show labels and progress."""
        self._present(self.panel, takes_focus=True)
        self.panel.setFocus()
        self.activateWindow()

    def _present(self, page: QWidget, *, takes_focus: bool) -> None:
        """Show the window, also where it was minimised."""
        self._stack.addWidget(page)  # the comparison takes no room before it is shown
        self._stack.setCurrentWidget(page)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not takes_focus)
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()

    def show_comparison(self, *, takes_focus: bool = True) -> None:
        """Show the comparison of the old and the new model; the highlighted button gets the focus.

        `takes_focus`: False where nobody asked for it, so that an Enter meant for the main window chooses nothing.
        """
        if self.width() < COMPARISON_SIZE[0]:
            window_size.fit_to_screen(self, *COMPARISON_SIZE)
        self._present(self.comparison, takes_focus=takes_focus)
        self.comparison.recommended.setFocus()
