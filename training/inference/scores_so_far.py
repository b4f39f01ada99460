"""Scores of frames as a partial result of a scoring that still runs, for a window that shows the first flags."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

NAME = "scores"
"""Of the partial result."""
ROWS = 8192
"""Of one partial result at most: it is one line on a pipe."""


class ScoredRows(NamedTuple):
    """Scores of successive frames."""

    first: int
    """Number of the first frame."""
    classes: tuple[str, ...]
    """C of them."""
    scores: NDArray[np.float32]
    """(K, C) in [0, 1]; NaN for a frame that does not decode."""


def payloads(first: int, classes: Sequence[str], scores: NDArray[np.floating]) -> Iterator[dict[str, Any]]:
    """The partial results that say the scores (K, C) of the frames from `first` on."""
    for start in range(0, len(scores), ROWS):
        rows = np.ascontiguousarray(scores[start : start + ROWS], dtype="<f4")
        text = base64.b64encode(rows.tobytes()).decode("ascii")
        yield {"first": first + start, "classes": list(classes), "scores": text}


def read_rows(payload: Mapping[str, Any]) -> ScoredRows:
    """The scores in a partial result.

    Raises:
        ValueError: it is none of `payloads`.
    """
    try:
        first, classes = payload["first"], tuple(payload["classes"])
        flat = np.frombuffer(base64.b64decode(payload["scores"], validate=True), dtype="<f4")
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("these are no scores of a running job") from error
    is_named = all(isinstance(name, str) for name in classes) and len(classes) > 0
    if type(first) is not int or first < 0 or not is_named or flat.size % max(1, len(classes)):
        raise ValueError("these are no scores of a running job")
    scores = flat.reshape(-1, len(classes)).astype(np.float32)
    known = scores[~np.isnan(scores)]
    if known.size and not (known.min() >= 0 and known.max() <= 1):
        raise ValueError("scores lie in [0, 1]")
    return ScoredRows(first, classes, scores)
