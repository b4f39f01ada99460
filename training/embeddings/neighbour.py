"""What a search for frames that look alike is given and gives back: studies, neighbours, how near they are in time."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Metric = Literal["euclidean", "cosine"]
Relation = Literal["window", "study", "other"]


@dataclass(frozen=True)
class StudyEmbeddings:
    """One study that takes part in a search."""

    study_id: str
    patient_id: str
    """"" where it is not known: such a study counts as a patient of its own (ours)."""
    path: Path
    """Its embedding file, finished."""
    recording: str = ""
    """Fingerprint of its recording, with which the file is compared; empty where it is not known."""


@dataclass(frozen=True)
class Neighbour:
    """A frame that lies near the query."""

    study_id: str
    patient_id: str
    frame_index: int
    video_seconds: float
    distance: float
    """Euclidean: >= 0, in the embedding's units. Cosine: 1 - cosine, in [0, 2]."""


@dataclass(frozen=True)
class Neighbours:
    """The answer to one query."""

    items: tuple[Neighbour, ...]
    """Nearest first; of equal distances the earlier study, then the earlier frame. Never the query itself."""
    note: str
    """What a person should know of this answer ("" for nothing): fewer than asked for, or approximate."""


def relation(study_id: str, frame_index: int | None, neighbour: Neighbour, window: int) -> Relation:
    """How a neighbour is bordered (Pascual et al. 2022, Fig. 3): in the query's window, in its study, or elsewhere.

    Args:
        study_id: the query's; "" for an image from disk: everything is elsewhere.
        frame_index: the query's; None where it is no single frame: nothing is in its window.
        neighbour: to be bordered.
        window: w, in frames; |difference| <= w is inside.
    """
    if not study_id or neighbour.study_id != study_id:
        return "other"
    is_near = frame_index is not None and abs(neighbour.frame_index - frame_index) <= window
    return "window" if is_near else "study"
