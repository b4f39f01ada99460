"""A fine-tuned model that is not in use yet: its metrics, and the flags that it changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from wce_desktop.core.comparison import Change, FlagCounts, changed_events, count_flags
from wce_desktop.library import Model, run_files, runs
from wce_desktop.session.session import Session


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


StudyChanges: TypeAlias = tuple[tuple[Change, ...], tuple[FlagCounts, ...]]
"""Of the open study: events that only one of the two models flags, and flagged frames and events of each class."""


def study_changes(session: Session, candidate: Candidate) -> StudyChanges:
    """Compare the scores of both models in the open study, at its threshold; nothing where scores are missing."""
    reading = session.reading
    if reading is None or reading.flags.scores is None:
        return (), ()
    new = session.files(reading.study).read_scores(candidate.model.model_id, reading.frame_count)
    if new is None:
        return (), ()
    given = (reading.flags.scores, new, reading.flags.threshold, reading.frame_count)
    gap = reading.flags.max_gap
    return changed_events(*given, max_gap=gap), count_flags(*given, max_gap=gap)
