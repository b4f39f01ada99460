"""An answer as one file (.npz without pickle): the array, and all words beside it as JSON."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.outputs import written_beside
from training.inference.explanation import Explanation
from training.service.answers import Answer, EmbeddingAnswer, ExplanationAnswer

VERSION = 1


def write_answer(path: Path, answer: Answer) -> Path:
    """Write beside and rename; a map is kept as float16 (off by at most 0.0003), a vector as it is.

    Raises:
        UserError: the folder cannot be written.
    """
    array, words = _parts(answer)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(path) as beside, beside.open("wb") as file:
            np.savez(file, array=array, words=np.array(json.dumps({"version": VERSION, **words})))
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error.strerror or error}).", "Free some space.") from error
    return path


def read_answer(path: Path) -> Answer:
    """The answer that a file holds.

    Raises:
        UserError: no such file, damaged, or written by another version.
    """
    try:
        # From memory: of a damaged file np.load would leave the descriptor open.
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            array, words = file["array"].astype(np.float32), json.loads(str(file["words"]))
        if words.pop("version") != VERSION:
            raise ValueError("another version")
        if words.pop("kind") == "embed":
            return EmbeddingAnswer(vector=array, **words)
        explanation = Explanation.from_json(words.pop("explanation"), array)
        return ExplanationAnswer(explanation=explanation, **words)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise UserError(f"{path} is damaged or missing.", "It is made anew when it is asked for again.") from error


def _parts(answer: Answer) -> tuple[NDArray[np.floating], dict[str, Any]]:
    """The array, and the rest as JSON values."""
    words: dict[str, Any] = {"model_sha256": answer.model_sha256, "is_final": answer.is_final}
    if isinstance(answer, EmbeddingAnswer):
        words |= {"model_id": answer.model_id, "space": answer.space, "note": answer.note}
        return answer.vector, words | {"kind": "embed", "normalized": answer.normalized}
    words |= {"frame_index": answer.frame_index, "explanation": answer.explanation.to_json()}
    return answer.explanation.map.astype(np.float16), words | {"kind": "explain"}
