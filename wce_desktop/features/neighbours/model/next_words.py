"""Why a frame is asked for, in words: what the model hesitates between, and how far away what is labelled lies."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from training.embeddings.what_to_label import Pick
from wce_desktop.core.vocabulary import Vocabulary

UNDECIDED, FAR, NEAR = 0.7, 0.58, 0.42
"""Ours: two best scores closer than 0.3 are called undecided; 1.4 times the usual distance is far, 0.7 times near."""


def reason_in_words(
    vocabulary: Vocabulary, classes: Sequence[str], scores: NDArray[np.float32], pick: Pick, nearest_label: str
) -> str:
    """Why a frame is asked for: what the model hesitates between, and what labelled frame is nearest.

    Args:
        classes: C names.
        scores: (C,) of the frame.
        nearest_label: of the nearest labelled frame, "" where none is labelled.
    """
    doubt = _doubt_in_words(vocabulary, classes, scores, pick.undecided)
    return f"{doubt} {_distance_in_words(vocabulary, pick, nearest_label)}"


def _doubt_in_words(vocabulary: Vocabulary, classes: Sequence[str], scores: NDArray[np.float32], doubt: float) -> str:
    order = np.argsort(-scores, kind="stable")[:2].tolist()
    named = [f"{vocabulary.of(classes[at]).title.lower()} {scores[at]:.2f}" for at in order]
    said = " or ".join(named)
    said = said[:1].upper() + said[1:]
    return f"{said}: cannot tell." if doubt >= UNDECIDED else f"{said}: not quite sure."


def _distance_in_words(vocabulary: Vocabulary, pick: Pick, nearest_label: str) -> str:
    if not nearest_label:
        return "Nothing is labelled yet to compare it with."
    name = vocabulary.of(nearest_label).title.lower()
    if pick.far >= FAR:
        return f"Unlike anything labelled so far (nearest: {name})."
    if pick.far <= NEAR:
        return f"It resembles frames that are labelled {name}."
    return f"Few labelled frames are like it (nearest: {name})."
