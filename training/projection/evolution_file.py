"""The file of an evolution: the same frames under every kept step of a pretraining."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.npz import Column
from training.projection.array_file import are_texts, read_arrays, rows_fit, write_arrays

SCHEMA_VERSION = 1
ARRAYS = {
    "steps": Column("<i8", ("T",)),
    "coordinates": Column("<f4", ("T", "N", 2)),
    "study": Column("<i4", ("N",)),
    "frame_index": Column("<i8", ("N",)),
    "video_seconds": Column("<f8", ("N",)),
    "label": Column("<i4", ("N",)),
}


@dataclass(frozen=True)
class EvolutionFile:
    """N frames at T steps of a run (Vats et al., Fig. 3); `open` reads it, `save` writes it."""

    run: str
    """Name of the run folder."""
    space: str
    """ "backbone" or "projection"."""
    steps: NDArray[np.int64]
    """(T,) kept steps, ascending."""
    coordinates: NDArray[np.float32]
    """(T, N, 2): all in the axes of one PCA, fitted on the last step."""
    study_ids: tuple[str, ...]
    """(S,)"""
    patient_ids: tuple[str, ...]
    """(S,)"""
    study: NDArray[np.int32]
    """(N,) row of `study_ids`."""
    frame_index: NDArray[np.int64]
    """(N,)"""
    video_seconds: NDArray[np.float64]
    """(N,)"""
    labels: tuple[str, ...]
    """Names; a frame's is `labels[label]`."""
    label: NDArray[np.int32]
    """(N,) row of `labels`; -1 where the frame has none."""
    parameters: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    is_complete: bool = True
    """False: stopped early; the steps that are there are whole."""
    explained: tuple[float, float] = (0.0, 0.0)
    """Shares of the last step's variance that the two axes explain, in [0, 1]."""

    def __len__(self) -> int:
        return len(self.study)

    @staticmethod
    def open(path: Path) -> "EvolutionFile":
        """Read it.

        Raises:
            UserError: no such file, damaged, not an evolution, or of a newer format.
        """
        arrays, facts = read_arrays(path, ARRAYS, "evolution")
        try:
            if facts["kind"] != "evolution":
                raise UserError("{path} is not an evolution file.", "Choose another file.", path)
            if facts["schema_version"] > SCHEMA_VERSION:
                raise UserError("{path} was written by a newer version of this program.", "Update the program.", path)
            _check(facts, arrays)
            fields: dict[str, Any] = {name: facts[name] for name in ("run", "space", "parameters", "is_complete")}
            fields |= {name: tuple(facts[name]) for name in _LISTED} | arrays
        except (KeyError, TypeError, ValueError) as error:
            raise UserError("{path} is damaged or not an evolution file.", "Make it again.", path) from error
        return EvolutionFile(**fields)

    def save(self, path: Path) -> Path:
        """Write it beside and rename; raises `UserError` where that cannot be done."""
        facts: dict[str, Any] = {name: list(getattr(self, name)) for name in _LISTED}
        facts |= {"kind": "evolution", "schema_version": SCHEMA_VERSION, "run": self.run, "space": self.space}
        facts |= {"parameters": dict(self.parameters), "is_complete": self.is_complete}
        return write_arrays(path, {name: getattr(self, name) for name in ARRAYS}, facts)


def _check(facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Raises `ValueError` or `TypeError` where values are wrong that the file's shapes say nothing of."""
    studies, labels = facts["study_ids"], facts["labels"]
    sound = are_texts(studies, facts["patient_ids"], labels, facts["notes"], [facts["run"], facts["space"]])
    sound = sound and isinstance(facts["parameters"], dict) and isinstance(facts["is_complete"], bool)
    sound = sound and len(studies) == len(facts["patient_ids"]) and len([float(x) for x in facts["explained"]]) == 2
    sound = sound and rows_fit(arrays["study"], studies) and rows_fit(arrays["label"] + 1, ["", *labels])
    if not sound or (arrays["frame_index"] < 0).any() or (np.diff(arrays["steps"]) <= 0).any():
        raise ValueError("wrong values")
    if not all(np.isfinite(arrays[name]).all() for name in ("coordinates", "video_seconds")):
        raise ValueError("numbers that are not finite")


_LISTED = ("study_ids", "patient_ids", "labels", "notes", "explained")
