"""What re-identification does for the classification of findings (Intrator et al. 2023, section 3.2, Table 4)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from training.errors import UserError
from training.metrics.detector import auc, sensitivity_at
from training.metrics.protocol import table_figures
from training.settings import Settings

SPECIFICITY = 0.9
"""Where the paper reports sensitivity."""
THRESHOLD = 0.5
"""A fragment with this mean score is called positive for F1 (ours: the paper states none)."""


class ClassifierTraining(Settings):
    """How the classifier of single frames is trained; rate and epochs are the paper's (section 3.2)."""

    epochs: int = Field(default=200, ge=1, description="Passes over all frames of the tracklets that train.")
    learning_rate: float = Field(default=1e-3, gt=0, description="Learning rate of Adam.")
    most_frames: int | None = Field(
        default=None, ge=1, description="Frames of a tracklet that train, spread over it (ours); empty: all."
    )
    batch: int = Field(default=64, ge=2, description="Frames of a batch (ours).")
    hidden: int = Field(default=128, ge=1, le=8192, description="Width of the layer inside the MLP (ours).")
    seed: int = Field(default=0, ge=0, description="Seed of weights and batches.")


def soft_vote(scores: Sequence[NDArray[np.floating]], pieces: NDArray[np.integer]) -> NDArray[np.float64]:
    """(G,) the mean score of all frames of a fragment's tracklets; each frame counts the same.

    Args:
        scores: T arrays, in [0, 1], one score a frame.
        pieces: (T,) numbers of fragments, from 0 without gaps.

    Raises:
        ValueError: a tracklet without frames, or other lengths.
    """
    if len(scores) != len(pieces) or any(not len(each) for each in scores):
        raise ValueError(f"{len(pieces)} tracklets need as many arrays of scores, none of them empty")
    sums = np.bincount(pieces, [float(each.sum(dtype=np.float64)) for each in scores])
    return np.asarray(sums / np.bincount(pieces, [len(each) for each in scores]), np.float64)


def voting_figures(is_positive: NDArray[np.bool_], votes: NDArray[np.float64]) -> dict[str, float]:
    """A row of Table 4.

    Args:
        is_positive: (G,) label of each fragment, which is its finding's.
        votes: (G,) from `soft_vote`.

    Returns:
        auc, f1_macro (mean of both classes), f1_micro (with one label each: the share that is right),
        sensitivity_at_90.

    Raises:
        UserError: all findings are of one class.
    """
    area, sensitivity = auc(is_positive, votes), sensitivity_at(is_positive, votes, SPECIFICITY)
    if area is None or sensitivity is None:
        raise UserError("All findings are of one class.", "Add findings of the other class.")
    is_called = votes >= THRESHOLD
    positive, negative = table_figures(is_positive, is_called), table_figures(~is_positive, ~is_called)
    f1_of_both = [float(figures["f1"] or 0.0) for figures in (positive, negative)]
    right = float((is_called == is_positive).mean())
    return {"auc": area, "f1_macro": sum(f1_of_both) / 2, "f1_micro": right, "sensitivity_at_90": sensitivity}
