"""The file of a map: which frames, where they lie, and how that came about."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.npz import Column
from training.projection.array_file import are_texts, read_arrays, rows_fit, write_arrays
from training.projection.identity import ProjectionModel

SCHEMA_VERSION = 1
BASIS = {
    "mean": Column("<f4 <f8", ("D",), is_optional=True),
    "components": Column("<f4 <f8", ("K", "D"), is_optional=True),
    "reduced": Column("<f4 <f8", ("N", "K"), is_optional=True),
}
POINTS = {
    "study": Column("<i4", ("N",)),
    "frame_index": Column("<i8", ("N",)),
    "video_seconds": Column("<f8", ("N",)),
    "coordinates": Column("<f4", ("N", 2)),
}


@dataclass(frozen=True)
class ProjectionFile:
    """A map of N frames of S studies, as saved; `open` reads it, `save` writes it."""

    study_ids: tuple[str, ...]
    """(S,)"""
    patient_ids: tuple[str, ...]
    """(S,)"""
    study: NDArray[np.int32]
    """(N,) row of `study_ids`."""
    frame_index: NDArray[np.int64]
    """(N,) ascending within a study."""
    video_seconds: NDArray[np.float64]
    """(N,)"""
    coordinates: NDArray[np.float32]
    """(N, 2), no unit; finite."""
    method: str
    """ "pca" or "tsne"."""
    model: ProjectionModel
    parameters: Mapping[str, Any]
    """The settings that made it: seed, sample, components, perplexity ..."""
    iteration: int = 0
    """t-SNE steps that were made; 0: still the PCA that it starts from."""
    iterations: int = 0
    """t-SNE steps that were asked for; 0 for PCA."""
    kl_divergence: float | None = None
    """Of the last step of t-SNE, in nats; None before and for PCA."""
    is_complete: bool = True
    """False: stopped early, or still being made; `project --resume` continues."""
    notes: tuple[str, ...] = ()
    """What a person should know: frames that were left out, studies that were placed later."""
    explained: tuple[float, float] = (0.0, 0.0)
    """Shares of the variance in [0, 1] that the first two principal components explain."""
    basis: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """What placing needs: `mean` (D,), `components` (K, D), `reduced` (N, K); read only where asked for.
    The first picture of a large map has none yet."""

    def __len__(self) -> int:
        return len(self.study)

    @staticmethod
    def open(path: Path, *, with_basis: bool = False) -> "ProjectionFile":
        """Read a map.

        Raises:
            UserError: no such file, damaged, not a map, or of a newer format.
        """
        arrays, facts = read_arrays(path, POINTS | (BASIS if with_basis else {}), "map")
        try:
            if facts["kind"] != "projection":
                raise UserError("{path} is not a map file.", "Choose another file.", path)
            if facts["schema_version"] > SCHEMA_VERSION:
                raise UserError("{path} was written by a newer version of this program.", "Update the program.", path)
            model = ProjectionModel(**facts["model"])
            fields: dict[str, Any] = {name: facts[name] for name in _SCALARS}
            _check(facts, arrays)
            fields |= {name: tuple(facts[name]) for name in _LISTED}
        except (KeyError, TypeError, ValueError) as error:
            raise UserError("{path} is damaged or not a map file.", "Make it again.", path) from error
        fields |= {name: arrays.pop(name) for name in POINTS}
        return ProjectionFile(model=model, basis=arrays, **fields)

    def save(self, path: Path) -> Path:
        """Write it beside and rename; raises `UserError` where that cannot be done."""
        arrays = {name: getattr(self, name) for name in POINTS} | dict(self.basis)
        facts = {name: getattr(self, name) for name in _SCALARS} | {name: list(getattr(self, name)) for name in _LISTED}
        facts |= {"kind": "projection", "schema_version": SCHEMA_VERSION, "model": asdict(self.model)}
        return write_arrays(path, arrays, facts)


def _check(facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Raises `ValueError` or `TypeError` where values are wrong that the file's shapes say nothing of."""
    studies, patients = facts["study_ids"], facts["patient_ids"]
    sound = are_texts(studies, patients, facts["notes"]) and len(studies) == len(patients)
    sound = sound and are_texts([facts["method"], *(facts["model"][name] for name in ("model_id", "model_sha256"))])
    sound = sound and isinstance(facts["parameters"], dict) and isinstance(facts["is_complete"], bool)
    sound = sound and all(type(facts[name]) is int and facts[name] >= 0 for name in ("iteration", "iterations"))
    sound = sound and isinstance(facts["kl_divergence"], float | int | None)
    sound = sound and len([float(share) for share in facts["explained"]]) == 2
    if not sound or not rows_fit(arrays["study"], studies) or (arrays["frame_index"] < 0).any():
        raise ValueError("wrong values")
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError("numbers that are not finite")


_SCALARS = ("method", "parameters", "iteration", "iterations", "kl_divergence", "is_complete")
_LISTED = ("study_ids", "patient_ids", "notes", "explained")
