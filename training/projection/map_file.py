"""The file of a map: which frames, where they lie, how that came about, and which model's embeddings they are.

Named arrays and one JSON text (npz, no pickles): written beside and renamed, checked when opened.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from training.embeddings.header import EmbeddingHeader
from training.errors import UserError, writing
from training.files.npz import JSON, Column, NpzError, json_of, read_npz
from training.files.outputs import written_beside
from training.texts import Text, texts_in, with_texts

FACTS = "facts"
SCHEMA_VERSION = 1
"""Of maps and evolutions."""
Facts: TypeAlias = dict[str, Any]
Arrays: TypeAlias = dict[str, NDArray[Any]]
Opened = TypeVar("Opened")


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> Path:
    """Write the arrays and `facts` (JSON values) so that readers see the old file or the new one, never half of one."""
    text = np.frombuffer(json.dumps(with_texts(facts), allow_nan=False).encode(), np.uint8)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(path, sync=True) as beside, beside.open("wb") as file:
            np.savez(file, allow_pickle=False, **{FACTS: text, **arrays})
    return path


def read_arrays(path: Path, columns: Mapping[str, Column], what: str) -> tuple[Arrays, Facts]:
    """The declared arrays and the facts of a file."""
    if not path.exists():
        raise UserError("There is no {what} {path}.", "Make it first.", Text(what), path)
    try:
        arrays = read_npz(path, {FACTS: JSON, **columns}, what)
        return arrays, texts_in(json_of(arrays.pop(FACTS)))
    except (NpzError, KeyError) as error:
        raise UserError(
            "{path} is damaged or not a valid {what}: {error}.", "Make it again.", path, Text(what), error
        ) from error


def open_file(
    path: Path, columns: Mapping[str, Column], kind: str, noun: str, make: Callable[[Facts, Arrays], Opened]
) -> Opened:
    """What a file holds.

    Args:
        kind: what its facts call it.
        noun: "a map file" or the like, for the sentences.
        make: of facts and arrays; may raise `KeyError`, `TypeError` or `ValueError` where they are wrong.
    """
    arrays, facts = read_arrays(path, columns, "map" if kind == "projection" else kind)
    try:
        if facts["kind"] != kind:
            raise UserError("{path} is not {noun}.", "Choose another file.", path, Text(noun))
        if facts["schema_version"] > SCHEMA_VERSION:
            raise UserError("{path} was written by a newer version of this program.", "Update the program.", path)
        return make(facts, arrays)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError("{path} is damaged or not {noun}.", "Make it again.", path, Text(noun)) from error


def rows_fit(rows: NDArray[Any], names: Sequence[str]) -> bool:
    """Whether every row number points at one of the names."""
    return not len(rows) or (int(rows.min()) >= 0 and int(rows.max()) < len(names))


def are_texts(*lists: Any) -> bool:
    """Whether all are lists of texts."""
    return all(isinstance(each, list) and all(isinstance(text, str) for text in each) for each in lists)


@dataclass(frozen=True, kw_only=True)
class ShownFrames:
    """What maps and evolutions say of the N frames of S studies that they show."""

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
    parameters: Mapping[str, Any]
    """The settings that made it: seed, sample, components, perplexity ..."""
    notes: tuple[str, ...] = ()
    """What a person should know: frames that were left out, studies that were placed later."""
    is_complete: bool = True
    """False: stopped early, or still being made."""
    explained: tuple[float, float] = (0.0, 0.0)
    """Shares of the variance in [0, 1] that the first two principal components explain; of an evolution its last
    step's."""

    def __len__(self) -> int:
        return len(self.study)


def is_sound(facts: Facts, arrays: Arrays) -> bool:
    """Whether values fit that the shapes say nothing of; raises `KeyError`, `TypeError` or `ValueError` for others."""
    studies, patients = facts["study_ids"], facts["patient_ids"]
    is_whole = are_texts(studies, patients, facts["notes"]) and len(studies) == len(patients)
    is_whole = is_whole and isinstance(facts["parameters"], dict) and isinstance(facts["is_complete"], bool)
    is_whole = is_whole and len([float(share) for share in facts["explained"]]) == 2
    is_whole = is_whole and rows_fit(arrays["study"], studies) and not (arrays["frame_index"] < 0).any()
    return is_whole and all(np.isfinite(array).all() for array in arrays.values())


@dataclass(frozen=True)
class ProjectionModel:
    """Whose numbers were projected."""

    model_id: str
    model_sha256: str
    space: str
    """ "backbone" or "projection"."""
    normalized: bool

    @staticmethod
    def of(header: EmbeddingHeader) -> "ProjectionModel":
        """The identity that an embedding file states."""
        return ProjectionModel(header.model_id, header.model_sha256, header.space, header.normalized)

    def difference(self, other: "ProjectionModel") -> str:
        """The first thing that keeps both out of one map, in words; "" where nothing does."""
        if self.model_sha256 != other.model_sha256:
            if self.model_id == other.model_id:
                return Text("two models of the same name {model_id} (their weights differ)", self.model_id)
            return Text("the models {model_id} and {other_model_id}", self.model_id, other.model_id)
        if self.space != other.space:
            return Text("the spaces {space} and {other_space} of {model_id}", self.space, other.space, self.model_id)
        if self.normalized != other.normalized:
            return Text("normalised and plain embeddings of {model_id}", self.model_id)
        return ""


def common_model(names: Sequence[str], models: Sequence[ProjectionModel]) -> ProjectionModel:
    """The one model behind all files of these studies.

    Raises:
        UserError: two differ; both studies and both models are named.
    """
    for name, model in zip(names[1:], models[1:], strict=True):
        if difference := models[0].difference(model):
            raise UserError(
                "{name} and {name2} cannot be in one map: they were scored with {difference}.",
                "Score the studies with one model, or leave one of them out.",
                names[0],
                name,
                difference,
            )
    return models[0]


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


@dataclass(frozen=True, kw_only=True)
class ProjectionFile(ShownFrames):
    """A map of N frames of S studies, as saved; `open` reads it, `save` writes it."""

    coordinates: NDArray[np.float32]
    """(N, 2), no unit; finite."""
    method: str
    """ "pca", "tsne" or "umap"."""
    model: ProjectionModel
    iteration: int = 0
    """t-SNE steps that were made; 0: still the PCA that it starts from."""
    iterations: int = 0
    """t-SNE steps that were asked for; 0 for PCA."""
    kl_divergence: float | None = None
    """Of the last step of t-SNE, in nats; None before and for PCA."""
    basis: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """What placing needs: `mean` (D,), `components` (K, D), `reduced` (N, K); read only where asked for.
    The first picture of a large map has none yet."""

    @staticmethod
    def open(path: Path, *, with_basis: bool = False) -> "ProjectionFile":
        """Read a map."""
        return open_file(path, POINTS | (BASIS if with_basis else {}), "projection", "a map file", _made)

    def save(self, path: Path) -> Path:
        """Write it beside and rename; raises `UserError` where that cannot be done."""
        arrays = {name: getattr(self, name) for name in POINTS} | dict(self.basis)
        facts = {name: getattr(self, name) for name in _SCALARS} | {name: list(getattr(self, name)) for name in _LISTED}
        facts |= {"kind": "projection", "schema_version": SCHEMA_VERSION, "model": asdict(self.model)}
        return write_arrays(path, arrays, facts)


def _made(facts: Facts, arrays: Arrays) -> ProjectionFile:
    texts = [facts["method"], *(facts["model"][name] for name in ("model_id", "model_sha256"))]
    counts = [facts[name] for name in ("iteration", "iterations")]
    sound = is_sound(facts, arrays) and are_texts(texts) and all(type(each) is int and each >= 0 for each in counts)
    if not sound or not isinstance(facts["kl_divergence"], float | int | None):
        raise ValueError("wrong values")
    fields: dict[str, Any] = {name: facts[name] for name in _SCALARS}
    fields |= {name: tuple(facts[name]) for name in _LISTED} | {name: arrays.pop(name) for name in POINTS}
    return ProjectionFile(model=ProjectionModel(**facts["model"]), basis=arrays, **fields)


_SCALARS = ("method", "parameters", "iteration", "iterations", "kl_divergence", "is_complete")
_LISTED = ("study_ids", "patient_ids", "notes", "explained")
