"""Into how many tracklets a finding is split, before and after re-identification (Intrator et al. 2023, Tables 2, 3).

The paper merges at 5 % false positives among pairs of different findings. It says neither on which pairs that threshold
was set nor how decisions on pairs become groups: whoever calls gives the pairs and the rule.

What re-identification does for the classification of findings (Intrator et al. 2023, section 3.2, Table 4).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from training.errors import UserError
from training.metrics.detector import auc, sensitivity_at, threshold_at
from training.metrics.protocol import table_figures
from training.reidentification import grouping, matching
from training.settings import Settings

FALSE_POSITIVES = 0.05
"""Share of the pairs of different findings that may lie within the limit (section 3.1)."""


class Fragmentation(NamedTuple):
    """A row of Table 2, or of Table 3 where it is of one class."""

    findings: int
    """How many."""
    tracklets: int
    """How many fragments they are split into together; one of several findings counts for each."""
    rate: float
    """FR: the mean number of fragments of a finding, 1 at best."""
    deviation: float | None
    """FR STD: of the findings' numbers of fragments (n - 1, ours); None for one finding."""
    fragmented_share: float
    """Share of findings in more than one fragment."""


def limit_of_distance(
    is_same: NDArray[np.bool_], similarities: NDArray[np.float64], false_positives: float = FALSE_POSITIVES
) -> float:
    """The largest distance up to which at most this share of the pairs (P,) of different findings lies.

    Raises:
        UserError: all pairs are of the same finding, or none is.
    """
    matching.check_both_kinds(is_same)
    return limit_of_different(similarities[~is_same], false_positives)


def limit_of_different(similarities: NDArray[np.float64], false_positives: float = FALSE_POSITIVES) -> float:
    """As `limit_of_distance`, from pairs (P,) of different findings alone."""
    # Found among distances, as `merge` compares them: a limit derived from a similarity could round to the other side.
    return -threshold_at(-(1.0 - similarities), 1.0 - false_positives)


def merged_groups(
    procedures: NDArray[np.str_],
    pairs: NDArray[np.int64],
    similarities: NDArray[np.float64],
    limit: float,
) -> NDArray[np.int64]:
    """(T,) group numbers of the tracklets; a group lies within a procedure.

    Only pairs (P, 2) from `separate_pairs` are ever joined, up to the distance from `limit_of_distance`.
    """
    groups = np.zeros(len(procedures), np.int64)
    place = np.zeros(len(procedures), np.int64)
    for procedure in np.unique(procedures):
        rows = np.flatnonzero(procedures == procedure)
        place[rows] = np.arange(len(rows))
        mine = procedures[pairs[:, 0]] == procedure
        distances = np.full((len(rows), len(rows)), np.inf)
        first, second = place[pairs[mine]].T
        distances[first, second] = distances[second, first] = 1.0 - similarities[mine]
        groups[rows] = groups.max(initial=0) + 1 + grouping.merge(distances, limit)
    return np.unique(groups, return_inverse=True)[1].astype(np.int64)


def fragments(
    procedures: NDArray[np.str_], findings: NDArray[np.str_], groups: NDArray[np.integer]
) -> NDArray[np.int64]:
    """(T,) the fragment of each tracklet, from 0: what a group shows of one annotated finding (section 3.2).

    A group with tracklets of two findings is one fragment of each: fragments "are subsets of the corresponding manually
    annotated" tracklet and have its label. Findings are named within their procedure; groups are `np.arange(T)` before
    re-identification, zeros for the annotation.
    """
    numbers = [np.unique(part, return_inverse=True)[1] for part in (procedures, findings, groups)]
    return np.unique(np.stack(numbers, 1), axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def fragmentation(
    procedures: NDArray[np.str_], findings: NDArray[np.str_], groups: NDArray[np.integer]
) -> Fragmentation:
    """The statistics of Table 2; the arguments are those of `fragments`."""
    if not len(procedures):
        raise UserError("There is no tracklet to count fragments of.", "Check that the studies have findings.")
    pieces = fragments(procedures, findings, groups)
    _, first = np.unique(pieces, return_index=True)
    whole = fragments(procedures, findings, np.zeros(len(findings), np.int64))
    counts = np.bincount(whole[first])
    return Fragmentation(
        findings=len(counts),
        tracklets=int(counts.sum()),
        rate=float(counts.mean()),
        deviation=float(counts.std(ddof=1)) if len(counts) > 1 else None,
        fragmented_share=float((counts > 1).mean()),
    )


def fragmentation_by_class(
    procedures: NDArray[np.str_],
    findings: NDArray[np.str_],
    groups: NDArray[np.integer],
    classes: NDArray[np.str_],
) -> dict[str, Fragmentation]:
    """The statistics of each class of findings, by name (Table 3).

    Raises:
        UserError: a finding has two classes, or there is no tracklet.
    """
    whole = fragments(procedures, findings, np.zeros(len(findings), np.int64))
    first = np.unique(whole, return_index=True)[1]
    odd = np.flatnonzero(classes != classes[first][whole])
    if len(odd):
        at = odd[0]
        raise UserError(
            "The finding {finding} of procedure {procedure} has more than one class.",
            "Give each finding one class.",
            findings[at],
            procedures[at],
        )
    result = {}
    for name in np.unique(classes):
        of_class = classes == name
        result[str(name)] = fragmentation(procedures[of_class], findings[of_class], groups[of_class])
    return result


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
    """
    sums = np.bincount(pieces, [float(each.sum(dtype=np.float64)) for each in scores])
    return np.asarray(sums / np.bincount(pieces, [len(each) for each in scores]), np.float64)


def voting_figures(is_positive: NDArray[np.bool_], votes: NDArray[np.float64]) -> dict[str, float]:
    """A row of Table 4, of fragments (G,) with the label of their finding and their `soft_vote`.

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
