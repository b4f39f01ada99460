"""Live scores: on and off, fitted after each label, kept as a model."""

from collections.abc import Callable, Collection

from PySide6.QtCore import QTimer

from training.errors import NothingToDoError
from training.finetuning.live_head import PENALTY, HeadEstimate, estimate_head
from training.runs.events import Outcome
from training.texts import Text
from wce_desktop.core import counted, number_text, tr, tr_count
from wce_desktop.features.live_scores.fitting import LiveFit, LiveFitting, estimate_in_words
from wce_desktop.session import keys, study_choice
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.basic import TurningRow, bar_button
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import COLORS
from wce_desktop.workspace import Connections, Feature, Panel, Scorer, Workspace

FITTED_AFTER_MILLISECONDS = 30
"""Several changes that arrive together, as of an import, are one fit."""
NEW_SHARE = 0.05
"""Of the labels, after which the AUC is estimated again: with many labels that takes seconds of a core."""


class LiveBar(TurningRow):
    """The line below the frame while live scores are on: what they stand on, and what can be done with them."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Live scores"))
        title = PlainLabel(tr("Live scores"))
        title.setStyleSheet(f"color: {COLORS.accent}; font-weight: bold")
        self.text = PlainLabel()
        self.score = bar_button("", tr("Score these studies with the model in use, so that their labels take part"))
        tip = tr("Flag frames by the live scores instead of the model's ({flag_by_live})")
        self.flags = bar_button(tr("Use for flags"), tip)
        self.flags.setCheckable(True)
        tip = tr("Make a model of these scores and compare it ({keep_live_model})")
        self.keep = bar_button(tr("Keep as model…"), tip)
        self.end = bar_button(tr("End"), tr("Hide the live scores; labels are kept ({live_scores})"))
        self.arrange(self.text, (self.score, self.flags, self.keep, self.end), title)
        self.show_state("", has_head=False)

    def show_state(self, text: str, *, has_head: bool, not_scored: int = 0, tip: str = "") -> None:
        """Show what the scores are made from, in the tooltip in more detail, or why there are none.

        `has_head`: there are scores, to flag by and to keep; `not_scored` labelled studies take no part therefore.
        """
        self.text.setText(text)
        self.text.setToolTip(plain(tip))
        self.flags.setEnabled(has_head)
        self.keep.setEnabled(has_head)
        self.score.setText(tr_count("Score {count} labelled study", "Score {count} labelled studies", not_scored))
        self.score.setVisible(bool(not_scored))


class LiveScoresFeature(Feature):
    """Fits the live head in one thread, and estimates it in another that a newer label does not interrupt."""

    own_actions = ("live_scores", "flag_by_live", "keep_live_model")

    def __init__(self, workspace: Workspace, scorer: Scorer, keep: Callable[[Collection[str]], object]) -> None:
        """`keep` makes a model of the labels of these studies and compares it with the one in use."""
        super().__init__(workspace)
        self._scorer, self._keep = scorer, keep
        self.bar = LiveBar()
        self.bar.hide()
        self.panels = (Panel(self.bar, "below frame", order=2),)
        self.is_on = False
        self._fitting = LiveFitting(self._session)
        self._fit = LiveFit()
        self._estimate: HeadEstimate | None = None
        self._estimated_labels = 0
        self._fitter = FunctionThread(self, workspace.guard(self._show_fit), self._fail)
        self._estimator = FunctionThread(self, workspace.guard(self._show_estimate), self._fail)
        self._soon = QTimer(self, singleShot=True, interval=FITTED_AFTER_MILLISECONDS)
        self._soon.timeout.connect(self._request)
        flag_by_live = workspace.guard(self._session.scores.flag_by_live)
        self.bar.flags.clicked.connect(lambda is_on: flag_by_live(is_on))
        self.bar.keep.clicked.connect(workspace.guard(self.keep_live_model))
        self.bar.score.clicked.connect(workspace.guard(self._score_others))
        self.bar.end.clicked.connect(self.live_scores)
        session = self._session
        changes = session.annotations_changed, session.scores_changed, session.studies_changed, session.study_opened
        self._connections = Connections(
            *((signal, self._fit_soon) for signal in changes),
            (session.model_changed, self._model_changed),
            (session.live_changed, self._show_flags),
        )

    @property
    def is_busy(self) -> bool:
        """True while the live head is fitted."""
        return self._soon.isActive() or self._fitter.is_busy

    def live_scores(self) -> None:
        """Show live scores, or hide them."""
        self.is_on = not self.is_on
        self._workspace.menus.check({"live_scores": self.is_on})
        self.bar.setVisible(self.is_on)
        if self.is_on:
            self.bar.show_state(tr("Learning from your labels…"), has_head=False)
            self._request()
        else:
            self._stop()

    def flag_by_live(self) -> None:
        """Flag frames by the live scores, or by the model's; turns the live scores on."""
        if not self.is_on:
            self.live_scores()
        self._session.scores.flag_by_live(not self._session.flags_by_live)

    def keep_live_model(self) -> None:
        """Make a model of the live scores.

        Raises:
            UserError: there are none.
        """
        if not self.is_on or self._fit.head is None:
            why = self._fit.problem if self.is_on else Text("Turn them on: {key}.", keys.key_of("live_scores"))
            raise NothingToDoError("There are no live scores to keep.", why)
        self._keep(self._fit.study_ids)

    def _stop(self) -> None:
        self._soon.stop()
        self._forget()
        self._session.scores.flag_by_live(False)
        self._session.scores.set_live(None, None)

    def _forget(self) -> None:
        self._fitter.cancel()
        self._estimator.cancel()
        self._fit, self._estimate, self._estimated_labels = LiveFit(), None, 0

    def _model_changed(self) -> None:
        """Another network's embeddings: what was estimated is not of them."""
        self._fitting = LiveFitting(self._session)
        self._forget()
        self._fit_soon()

    def _fit_soon(self, _: object = None) -> None:
        if self.is_on:
            self._soon.start()

    def _request(self) -> None:
        self._fitter.request(self._fitting.fit)

    def _show_fit(self, fit: LiveFit) -> None:
        self._fit = fit
        reading = self._session.reading
        is_of_open = reading is not None and reading.study.study_id == fit.study_id
        self._session.scores.set_live(fit.head, fit.scores if is_of_open else None)
        self._estimate_next()
        self._show_state()

    def _estimate_next(self) -> None:
        """Estimate the newest head where its labels differ enough from those of the last estimate.

        One that is being estimated is finished first.
        """
        used = self._fit.used
        if used is None or self._estimator.is_busy:
            return
        count, before = len(used.labelled), self._estimated_labels
        if abs(count - before) > NEW_SHARE * before or count < before:
            self._estimated_labels = count
            self._estimator.request(lambda reporter: estimate_head(used.labelled, used.embeddings, reporter.check))

    def _show_estimate(self, found: HeadEstimate | None) -> None:
        self._estimate = found
        penalty = found.penalty if found is not None else PENALTY
        if penalty != self._fitting.penalty:
            self._fitting.penalty = penalty
            self._fit_soon()
        self._show_state()
        self._estimate_next()

    def _show_state(self) -> None:
        fit = self._fit
        if fit.head is None:
            self.bar.show_state(fit.problem, has_head=False, not_scored=len(fit.not_scored))
            return
        titles = {name: self._session.vocabulary.of(name).title_in_sentence for name in fit.head.classes}
        counts = ", ".join(f"{number_text(count)} {titles[name]}" for name, count in fit.head.counts.items())
        labels = counted(sum(fit.head.counts.values()), "label")
        estimated = estimate_in_words(self._estimate, titles)
        text = tr("from {labels}; {estimate}.", labels=labels, estimate=estimated)
        if self._estimate is None and self._estimator.is_busy:
            text = tr("from {labels}; estimating the AUC…", labels=labels)
        if self._estimate is not None and (note := study_choice.patients_note(self._session)):
            text += f" {note}"
        if fit.not_scored:
            names = ", ".join(study.shown_name for study in fit.not_scored[:3]) + (
                "…" if len(fit.not_scored) > 3 else ""
            )
            text += " " + tr("Not scored by this model: {names}.", names=names)
        self.bar.show_state(text, has_head=True, not_scored=len(fit.not_scored), tip=counts)

    def _show_flags(self) -> None:
        self.bar.flags.setChecked(self._session.flags_by_live)
        self._workspace.menus.check({"flag_by_live": self._session.flags_by_live})

    def _score_others(self) -> None:
        """Score the labelled studies that take no part yet; they take part once they are scored."""
        for study in self._fit.not_scored:
            self._scorer.score(study)

    def _fail(self, outcome: Outcome) -> None:
        self._fit = LiveFit(problem=tr(outcome.message))
        self._session.scores.set_live(None, None)
        self._show_state()
        self._workspace.show_error(outcome.message, outcome.hint)
