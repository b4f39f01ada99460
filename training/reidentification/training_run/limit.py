"""The distance up to which tracklets are merged, fixed on tracklets of patients that did not train."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.reidentification.fragmentation import limit_of_different
from training.reidentification.matching import pair_figures
from training.reidentification.tracklets import Tracklets

DEFAULT = 0.3
"""Limit where there are too few pairs to fix it on (ours): a cosine of 0.7."""
LEAST_PAIRS = 20
"""Pairs of different findings from which 5 % of them can be told."""
OF_A_PROCEDURE = "pairs of different findings of one study"
OF_PATIENTS = "pairs of findings of different patients"
BY_DEFAULT = "a default: there are too few held-out tracklets"


class MergeLimit(NamedTuple):
    """A limit and how it was fixed."""

    distance: float
    """One less the cosine of two tracklets' vectors, in [0, 2]."""
    source: str
    """What it was fixed on, in words."""
    pairs: int
    """How many pairs of different findings."""
    figures: dict[str, Any] | None
    """`matching.pair_figures` of pairs within a study, where their findings are known; else None."""


def fix_limit(held_out: Tracklets, vectors: NDArray[np.floating], false_positives: float) -> MergeLimit:
    """The largest distance up to which at most this share of the pairs of different findings lies.

    The paper merges within a procedure, so pairs of one study count: those that are annotated as different findings, or
    that overlap in time and so are two. Where there are fewer than 20, pairs of different patients take their place
    (ours): they are easier to tell apart, so more pairs within a study are joined than was asked for.

    Args:
        held_out: T tracklets of patients that did not train.
        vectors: (T, D) of the tracklets.
        false_positives: share in (0, 1).
    """
    units = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    first, second = np.triu_indices(len(held_out), 1)
    cosines = np.clip(np.einsum("ij,ij->i", units[first], units[second]).astype(np.float64), -1.0, 1.0)
    table, findings = held_out.table, held_out.findings
    in_study = table.procedures[first] == table.procedures[second]
    overlaps = (table.starts[first] < table.stops[second]) & (table.starts[second] < table.stops[first])
    is_known = (findings[first] != "") & (findings[second] != "")
    is_same = is_known & (findings[first] == findings[second])
    known = in_study & is_known & ~overlaps
    figures = None
    if (is_same & known).any() and (~is_same & known).any():
        figures = pair_figures(is_same[known], cosines[known])
    different = in_study & ~is_same & (is_known | overlaps)
    apart = held_out.patients[first] != held_out.patients[second]
    for chosen, source in ((different, OF_A_PROCEDURE), (apart, OF_PATIENTS)):
        if (count := int(chosen.sum())) >= LEAST_PAIRS:
            return MergeLimit(limit_of_different(cosines[chosen], false_positives), source, count, figures)
    return MergeLimit(DEFAULT, BY_DEFAULT, 0, figures)
