"""A fine-tuned model that is not in use yet, and which flags of the open study it would change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QTimer

from wce_desktop.core.comparison import Change, FlagCounts, changed_events, count_flags
from wce_desktop.core.language import tr
from wce_desktop.features.learning.view.finetune_window import FinetuneWindow
from wce_desktop.library import Model, run_files, runs
from wce_desktop.session.completeness.protocol import HIDDEN
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.widgets.change_pictures import ChangePictures
from wce_desktop.widgets.comparison import FlagChange
from wce_desktop.workspace import Scorer, Workspace


@dataclass(frozen=True)
class Candidate:
    """A model of the library that is not in use yet.

    Attributes:
        model: the new model.
        old_title: title of the model that it is compared with.
        comparison: content of the run's comparison.json; empty when there was no earlier model.
    """

    model: Model
    old_title: str
    comparison: Mapping[str, Any]

    @property
    def verdict(self) -> Mapping[str, str]:
        """Kind and sentence (see `training.metrics.figures`); empty when the models were not compared."""
        verdict = self.comparison.get("verdict")
        return verdict if isinstance(verdict, dict) else {}


def register_candidate(session: Session, run: runs.Run, labels_until_utc: str) -> Candidate:
    """Add a run's model to the library without using it.

    Raises:
        UserError: the run has no valid model.
    """
    model = session.library.models.register(
        run.folder / "model",
        title=run.title,
        parent_id=run.base_model_id,
        run_id=run.run_id,
        labels_until_utc=labels_until_utc,
    )
    comparison = run_files.read_json(run.folder / "comparison.json")
    old_id = comparison.get("old_model") or run.base_model_id
    old = next((known.title for known in session.library.models.all() if known.model_id == old_id), "")
    return Candidate(model, old, comparison)


def study_changes(session: Session, candidate: Candidate) -> tuple[tuple[Change, ...], tuple[FlagCounts, ...]]:
    """Compare the scores of both models in the open study, at its threshold; nothing where scores are missing.

    Returns:
        Events that only one of the two models flags, and flagged frames and events of each class.
    """
    reading = session.reading
    if reading is None or reading.flags.scores is None:
        return (), ()
    new = session.files(reading.study).read_scores(candidate.model.model_id, reading.frame_count)
    if new is None:
        return (), ()
    given = (reading.flags.scores, new, reading.flags.threshold, reading.frame_count)
    gap = reading.flags.max_gap
    return changed_events(*given, max_gap=gap), count_flags(*given, max_gap=gap)


SHOWN_AFTER_MILLISECONDS = 200  # not while a threshold is dragged, nor for each of many scorings that are queued


class ChangedFlags(QObject):
    """Keeps the list of changed flags up to date with the open study and its scores."""

    def __init__(
        self, workspace: Workspace, scorer: Scorer, dialog: FinetuneWindow, candidate: Callable[[], Candidate | None]
    ) -> None:
        """`candidate` returns the model that the reader may choose; None: there is no choice to make."""
        super().__init__(dialog)
        self._session, self._scorer = workspace.session, scorer
        self._dialog, self._candidate = dialog, candidate
        self._soon = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MILLISECONDS)
        self._soon.timeout.connect(workspace.guard(self.show))
        self._session.study_opened.connect(self._study_opened)
        self._session.study_closed.connect(self.show)
        self._session.scoring_changed.connect(self._show_soon)
        self._session.events_changed.connect(self._show_soon)
        self._session.studies_changed.connect(self._show_soon)
        changes = dialog.comparison.changes
        changes.event_chosen.connect(workspace.guard(workspace.go_to_frame))
        self._pictures = ChangePictures(workspace.session, workspace.thumbnails.get)
        changes.picture = self._pictures.picture
        workspace.thumbnails.arrived.connect(lambda _: changes.show_pictures())

    def score_open_study(self) -> None:
        """Queue jobs for the missing scores of both models, which the list of changed flags needs."""
        candidate, reading = self._candidate(), self._session.reading
        if candidate is not None and reading is not None:
            study, model = reading.study, candidate.model
            if self._session.current_model is not None and not self._session.scores.is_scored(study):
                self._scorer.score(study)
            if not self._is_scored(reading, candidate) and not self._scorer.is_scoring(study, model.model_id):
                self._scorer.submit_score(
                    study, model, tr("scoring {study} with {model}", study=study.shown_name, model=model.title)
                )
        self.show()

    def show(self) -> None:
        """Show which flags of the open study appear and disappear, or why that is not known."""
        self._soon.stop()
        candidate, reading = self._candidate(), self._session.reading
        view = self._dialog.comparison
        if candidate is None:
            view.changes.set_message("")
        elif reading is None:
            view.set_flag_changes("", ())
        elif missing := self._missing_scores(reading, candidate):
            view.changes.set_message(missing)
        else:
            seconds = reading.index.video_seconds
            self._pictures.show(self._session.model_id, candidate.model.model_id)
            changes, counts = study_changes(self._session, candidate)
            events = [FlagChange(kind, event, float(seconds[event.peak_frame])) for kind, event in changes]
            view.set_flag_changes(reading.study.shown_name, events, counts)

    def _study_opened(self) -> None:
        if self._dialog.isVisible() and self._dialog.is_comparing:
            self.score_open_study()
        self.show()

    def _show_soon(self) -> None:
        self._soon.start()

    def _is_scored(self, reading: Reading, candidate: Candidate) -> bool:
        return self._session.files(reading.study).has_scores(candidate.model.model_id)

    def _missing_scores(self, reading: Reading, candidate: Candidate) -> str:
        """A sentence saying which scores of the open study are missing; empty when none are."""
        if reading.flags.is_hidden:
            return tr(HIDDEN)
        name, is_scored = reading.study.shown_name, self._is_scored(reading, candidate)
        if not is_scored and self._scorer.is_scoring(reading.study, candidate.model.model_id):
            return tr("{study} is being scored with the new model…", study=name)
        if not is_scored:
            return tr("{study} has not been scored with the new model.", study=name)
        if reading.flags.scores is None:
            return tr("{study} has no scores of the current model yet.", study=name)
        return ""
