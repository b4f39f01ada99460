"""An answer as one file (.npz without pickle): the array, and all words beside it as JSON."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError, writing
from training.files import npz, outputs
from training.inference.explanation import METHODS, Explanation


@dataclass(frozen=True, eq=False)
class ExplanationAnswer:
    """Why a model says what it says of a frame."""

    frame_index: int
    explanation: Explanation
    model_sha256: str
    """Of the weights: two models may have one name."""
    is_final: bool = True
    """False where a better answer to the same request follows."""


@dataclass(frozen=True, eq=False)
class EmbeddingAnswer:
    """Where a picture lies in a model's space."""

    vector: NDArray[np.float32]
    """(D,)"""
    model_id: str
    model_sha256: str
    """Of the weights; an embedding file's header says whether its vectors come from the same."""
    space: str
    """ "backbone" or "projection"."""
    normalized: bool
    """Whether the vector was scaled to length 1."""
    note: str = ""
    """A sentence for the reader, such as how a region was prepared; "" for nothing."""
    is_final: bool = True
    """Always: no better answer follows."""


Answer = ExplanationAnswer | EmbeddingAnswer


Sound = TypeVar("Sound", EmbeddingAnswer, ExplanationAnswer, Explanation)

VERSION = 1


def write_answer(path: Path, answer: Answer) -> Path:
    """Write beside and rename; a map is kept as float16 (off by at most 0.0003), a vector as it is.

    Raises:
        UserError: the folder cannot be written.
    """
    words: dict[str, Any] = {"model_sha256": answer.model_sha256, "is_final": answer.is_final}
    if isinstance(answer, EmbeddingAnswer):
        array: NDArray[np.floating] = answer.vector
        words |= {"model_id": answer.model_id, "space": answer.space, "note": answer.note}
        words |= {"kind": "embed", "normalized": answer.normalized}
    else:
        array = answer.explanation.map.astype(np.float16)
        words |= {"frame_index": answer.frame_index, "explanation": answer.explanation.to_json(), "kind": "explain"}
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with outputs.written_beside(path) as beside, beside.open("wb") as file:
            np.savez(file, array=array, words=np.array(json.dumps({"version": VERSION, **words})))
    return path


def read_answer(path: Path) -> Answer:
    """The answer that a file holds.

    Raises:
        UserError: no such file, damaged, or written by another version.
    """
    try:
        words = npz.json_of(npz.read_npz(path, {"words": npz.Column("U", ())})["words"])
        shape = ("D",) if words.get("kind") == "embed" else ("h", "w")
        array = npz.read_npz(path, {"array": npz.Column("<f2 <f4", shape)})["array"].astype(np.float32)
        if words.pop("version") != VERSION:
            raise ValueError("another version")
        if not np.isfinite(array).all():
            raise ValueError("numbers that are not finite")
        if words.pop("kind") == "embed":
            return _sound(EmbeddingAnswer(vector=array, **words))
        explanation = _sound(Explanation.from_json(words.pop("explanation"), array))
        return _sound(ExplanationAnswer(explanation=explanation, **words))
    except (UserError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError("{path} is damaged or missing.", "It is computed again at the next request.", path) from error


_CHECKED = ("vector", "explanation", "map", "field_of_view")
_KINDS: dict[str, Any] = {
    "frame_index": int,
    "is_final": bool,
    "normalized": bool,
    "scores": dict,
    "agreement": float | int | None,
}


def _sound(answer: Sound) -> Sound:
    """The value; raises `TypeError` where a field that came as JSON is of another type than it must be."""
    for name, value in vars(answer).items():
        if name not in _CHECKED and not isinstance(value, _KINDS.get(name, str)):
            raise TypeError(f"{name} has the wrong type")
    if isinstance(answer, Explanation):
        scores = answer.scores.values()
        if answer.method not in METHODS or not all(isinstance(score, float | int) for score in scores):
            raise TypeError("a method or a score is invalid")
    return answer
