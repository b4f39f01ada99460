"""A fine-tuned model that is not in use yet: its metrics, and the flags that it changes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from wce_desktop.core.comparison import compare_scores
from wce_desktop.core.event import Event
from wce_desktop.library import Model
from wce_desktop.library.runs.run_files import read_json
from wce_desktop.library.work import Run
from wce_desktop.session.session import Session


@dataclass(frozen=True)
class Candidate:
    """A model of the library that is not in use yet.

    Attributes:
        model: the new model.
        old_title: title of the model that it was fine-tuned from.
        comparison: content of the run's comparison.json; empty when there was no earlier model.
    """

    model: Model
    old_title: str
    comparison: Mapping[str, Any]


def register_candidate(session: Session, run: Run, labels_until_utc: str) -> Candidate:
    """Add a run's model to the library without using it.

    Raises:
        UserError: the run has no valid model.
    """
    model = session.library.register_model(
        run.folder / "model",
        title=run.title,
        parent_id=run.base_model_id,
        run_id=run.run_id,
        labels_until_utc=labels_until_utc,
    )
    old = next((known.title for known in session.library.models() if known.model_id == run.base_model_id), "")
    return Candidate(model, old, read_json(run.folder / "comparison.json"))


def changed_events(session: Session, candidate: Candidate) -> Iterator[tuple[Literal["appears", "disappears"], Event]]:
    """The events of the open study that only the candidate flags, and those that only the current model flags."""
    reading = session.reading
    if reading is None or reading.scores is None:
        return
    loaded = session.files(reading.study).load_scores(candidate.model.model_id, reading.frame_count)
    if loaded is None:
        return
    file, new = loaded
    file.close()
    threshold, count = reading.threshold, reading.frame_count
    for change in compare_scores(reading.scores, new, threshold, count, max_gap=reading.max_gap):
        for event in change.appeared:
            yield "appears", event
        for event in change.disappeared:
            yield "disappears", event
