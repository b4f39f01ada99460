"""Figures of each labelled kind by itself: what is true of all frames may be true of the frequent kinds only."""

from collections.abc import Sequence
from typing import Any

from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.experiments.explanations.figures import maps_by_way, pointing_figures
from training.experiments.explanations.judging import JudgedFrame, JudgedMap

SUBSETS = ("all", "sample")

Rows = dict[str, dict[str, dict[str, Any]]]
"""Labelled kind -> way of explaining -> figures."""


def kind_counts(frames: Sequence[JudgedFrame]) -> dict[str, dict[str, int]]:
    """Labelled kind -> {"frames", "sampled"}, the rarest kind first.

    Args:
        frames: each once.
    """
    counts: dict[str, dict[str, int]] = {}
    for frame in frames:
        mine = counts.setdefault(frame.kind, {"frames": 0, "sampled": 0})
        mine["frames"] += 1
        mine["sampled"] += frame.is_sampled
    return dict(sorted(counts.items(), key=lambda item: (item[1]["frames"], item[0])))


def by_kind(config: EvaluateExplanationsConfig, judged: Sequence[JudgedMap], kinds: Sequence[str]) -> dict[str, Rows]:
    """Subset -> kind -> way of explaining -> `pointing_figures`; empty where there is one kind only.

    Args:
        config: what was asked.
        judged: every map.
        kinds: of the frames, in the order of the rows; one of which no frame is in the sample has no row there.
    """
    if len(kinds) < 2:
        return {}
    return {subset: _rows(config, judged, kinds, subset) for subset in SUBSETS}


def _rows(config: EvaluateExplanationsConfig, judged: Sequence[JudgedMap], kinds: Sequence[str], subset: str) -> Rows:
    rows: Rows = {kind: {} for kind in kinds}
    for way, maps in maps_by_way(config, judged, subset).items():
        for kind in kinds:
            mine = [item for item in maps if item.frame.kind == kind]
            if mine:
                rows[kind][way] = pointing_figures(config, mine)
    return {kind: ways for kind, ways in rows.items() if ways}
