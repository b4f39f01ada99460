"""What a search for frames that look alike is given and gives back: studies, neighbours, how near they are in time.

Which frames may be neighbours of a query: whose, how far away in time, and which of a caller's choosing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Metric = Literal["euclidean", "cosine"]
Relation = Literal["window", "study", "other"]
WINDOW = 9
"""Frames this close to the query are marked: w of the best setting of Pascual et al. 2022 (Fig. 3)."""


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


def relation(study_id: str, frame_index: int | None, neighbour: Neighbour, window: int = WINDOW) -> Relation:
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


Scope = Literal["all", "this study", "other studies", "other patients"]
SCOPES: tuple[Scope, ...] = ("all", "this study", "other studies", "other patients")


@dataclass(frozen=True)
class NeighbourFilter:
    """What is known of the query, and what its neighbours must fulfil. The query's own frame never is one."""

    study_id: str = ""
    """The query's; "" where it comes from no study (an image from disk)."""
    patient_id: str = ""
    """The query's; "" where it is not known."""
    frame_index: int | None = None
    """The query's, where it is one frame of the study."""
    video_seconds: float | None = None
    """When the query was taken; None: as the file says of its frame or span."""
    span: tuple[int, int] | None = None
    """The query's [start, stop), where it is a span: none of its frames is a neighbour."""
    scope: Scope = "all"
    min_seconds_to_query: float = 0.0
    """Frames of the query's study are at least so far from it in time (from the nearer end of a span)."""
    min_seconds_among: float = 0.0
    """Any two results of one study are at least so far apart; the nearer one to the query stays."""
    frames: Mapping[str, NDArray[np.bool_]] | None = None
    """For each study (N,): which rows may be neighbours (labelled ones, one class). A study without a mask has none.
    None: all frames of all studies."""

    def __post_init__(self) -> None:
        """Check what types do not say.

        Raises:
            ValueError: an unknown scope, a negative time, or a scope that needs a study that is not named.
        """
        if self.scope not in SCOPES:
            raise ValueError(f"there is no scope {self.scope!r}; there are {', '.join(SCOPES)}")
        if not (self.min_seconds_to_query >= 0 and self.min_seconds_among >= 0):
            raise ValueError(f"times must be >= 0, not {self.min_seconds_to_query} and {self.min_seconds_among}")
        if self.scope != "all" and not self.study_id and not (self.scope == "other patients" and self.patient_id):
            raise ValueError(f"the scope {self.scope!r} needs the query's study")

    def admits(self, study_id: str, patient_id: str) -> bool:
        """Whether a study's frames can be neighbours at all."""
        if self.frames is not None and study_id not in self.frames:
            return False
        if self.scope == "this study":
            return study_id == self.study_id
        if self.scope == "other studies":
            return study_id != self.study_id
        if self.scope == "other patients":
            return study_id != self.study_id and (not patient_id or patient_id != self.patient_id)
        return True

    def rows(
        self, study_id: str, frame_index: NDArray[np.int64], video_seconds: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """(N,) which rows of an admitted study can be neighbours.

        Args:
            study_id: whose rows.
            frame_index: (N,) of the rows, ascending.
            video_seconds: (N,) of the rows.

        Raises:
            ValueError: the caller's mask has another length.
        """
        allowed = np.ones(len(frame_index), dtype=bool)
        if self.frames is not None:
            mask = np.asarray(self.frames[study_id], dtype=bool)
            if mask.shape != allowed.shape:
                raise ValueError(f"the mask of {study_id} must be {allowed.shape}, not {mask.shape}")
            allowed &= mask
        if study_id != self.study_id:
            return allowed
        own = -1 if self.frame_index is None else self.frame_index
        start, stop = self.span or (own, own + 1)
        inside = (frame_index >= start) & (frame_index < stop)
        times = video_seconds[inside] if self.video_seconds is None else np.array([self.video_seconds])
        first, last = times.min(initial=np.inf), times.max(initial=-np.inf)  # unknown: nothing is too near
        if self.min_seconds_to_query > 0:
            far = (first - video_seconds >= self.min_seconds_to_query) | (
                video_seconds - last >= self.min_seconds_to_query
            )
            allowed &= far
        return np.asarray(allowed & ~inside)
