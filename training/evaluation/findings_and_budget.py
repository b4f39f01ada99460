"""What is found when only the top x % of each held-out study is looked at.

Findings instead of frames, as in Laiz et al. 2020, section 4.3 and Table 9.

A finding is detected when one of its frames passes the threshold of its fold. The paper does not say where its
thresholds are taken: that each fold has its own is ours.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.evaluation.evaluation_set import EvaluationSet, FindingFrames
from training.evaluation.fold_run import FoldScores
from training.metrics import detector, protocol

SIZES = ("small (2-6 mm)", "medium (7-11 mm)", "large (12+ mm)")
"""The bins of Laiz et al., Table 5."""
MEDIUM_FROM_MM, LARGE_FROM_MM = 6.5, 11.5
"""The paper's sizes are whole mm: others are rounded (ours). What is below 2 mm counts as small (ours)."""
UNKNOWN = "not stated"
"""Size of a finding without one."""
UNDEFINED = "undefined"
"""Morphology of a finding without one, as in the paper's Tables 5 and 9."""
CURVE_SPECIFICITIES = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)
LAIZ_NOTE = "The percentages of Laiz et al., Table 9, are of 158 polyps, where their Table 5 counts 165."


class Highest(NamedTuple):
    """The best frame of every finding that a training never saw."""

    findings: tuple[FindingFrames, ...]
    score: NDArray[np.float64]
    """(F,) highest score of "not normal" among the finding's frames."""
    normal: NDArray[np.float64]
    """Scores of the held-out normal frames."""


def highest_scores(data: EvaluationSet, scores: FoldScores) -> Highest:
    """For the findings that one training holds out."""
    track = np.full(len(data.labelled), np.nan)
    track[scores.rows] = protocol.any_track(scores.scores)
    held_out = [finding for finding in data.findings if not np.isnan(track[finding.rows]).all()]
    best = np.array([np.nanmax(track[finding.rows]) for finding in held_out], dtype=np.float64)
    normal = track[scores.rows][data.labelled.label[scores.rows] == 0]
    return Highest(tuple(held_out), best, normal)


def detected(held: Sequence[Highest], specificity: float) -> list[tuple[FindingFrames, bool]]:
    """Every finding with whether its own fold's threshold found it; the same finding once for each seed."""
    result = []
    for fold in held:
        threshold = detector.threshold_at(fold.normal, specificity)
        result += list(zip(fold.findings, (fold.score >= threshold).tolist(), strict=True))
    return result


def finding_report(data: EvaluationSet, done: Sequence[FoldScores]) -> dict[str, Any]:
    """Shares of findings detected at each specificity: in all, by kind, by size, by morphology, by both (Table 9), and
    the curve over specificities (Fig. 8). With several seeds each finding is counted once for each.

    Returns:
        JSON values; every row has `findings` (their number) and the share `detected` at each specificity; empty where
        the set has no findings.
    """
    if not data.findings:
        return {}
    held = [highest_scores(data, scores) for scores in done]
    at = {f"{level:.2f}": detected(held, level) for level in detector.SPECIFICITIES}
    seeds = len({scores.seed for scores in done})
    return {
        "findings": len(data.findings),
        "seeds": seeds,
        "all": _row(at, seeds, lambda _: True),
        "by_kind": _rows(at, seeds, data, kind=lambda f: f.kind),
        "by_size": _rows(at, seeds, data, size=size_of),
        "by_morphology": _rows(at, seeds, data, morphology=shape_of),
        "by_size_and_morphology": _rows(at, seeds, data, size=size_of, morphology=shape_of),
        "curve": [
            {"specificity": level, "detected": float(np.mean([hit for _, hit in detected(held, level)]))}
            for level in CURVE_SPECIFICITIES
        ],
        "notes": [LAIZ_NOTE],
    }


Hits = dict[str, list[tuple[FindingFrames, bool]]]


def _row(at: Hits, seeds: int, chosen: Callable[[FindingFrames], bool]) -> dict[str, Any]:
    shares: dict[str, float | None] = {}
    count = 0
    for level, hits in at.items():
        mine = [hit for finding, hit in hits if chosen(finding)]
        count = len(mine)
        shares[level] = float(np.mean(mine)) if mine else None
    return {"findings": count // max(1, seeds), "detected": shares}


def _rows(at: Hits, seeds: int, data: EvaluationSet, **name_of: Callable[[FindingFrames], str]) -> list[dict[str, Any]]:
    """A row for each value, or each pair of values, that findings have in these columns."""
    there = {tuple(of(finding) for of in name_of.values()) for finding in data.findings}
    return [
        {
            **dict(zip(name_of, names, strict=True)),
            **_row(at, seeds, lambda f, names=names: tuple(of(f) for of in name_of.values()) == names),  # type: ignore[misc]
        }
        for names in sorted(there, key=lambda names: [_order(name) for name in names])
    ]


def _order(name: str) -> tuple[bool, int, str]:
    """Sizes from small to large, other names by letter, what is not stated last."""
    return name in (UNKNOWN, UNDEFINED), SIZES.index(name) if name in SIZES else 0, name


def size_of(finding: FindingFrames) -> str:
    """The bin of a finding's size."""
    if finding.size_mm is None:
        return UNKNOWN
    return SIZES[int(finding.size_mm >= MEDIUM_FROM_MM) + int(finding.size_mm >= LARGE_FROM_MM)]


def shape_of(finding: FindingFrames) -> str:
    """The morphology of a finding, "undefined" where nobody stated it."""
    return finding.morphology or UNDEFINED


SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0)
SHORT_STUDY = 100
"""In studies with fewer labelled frames than this, a per cent of them is not even one frame."""


def flag_track(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """(M,) the highest of a frame's scores (M, C) but that of normal: what the window's threshold flags frames by.

    Not one minus the score of normal, which ranks frames of several doubtful classes higher than the threshold does.
    """
    return np.asarray(scores[:, 1:].max(axis=1), np.float64)


def reviewed_at(track: NDArray[np.floating], positive: NDArray[np.bool_], weight: NDArray[np.floating]) -> NDArray[Any]:
    """(m,) the smallest share of one study that has to be looked at, from the top, until each frame is seen.

    Args:
        track: (m,) scores of one study's labelled frames.
        positive: (m,); among equal scores normal frames come first, so that ties never favour the model.
        weight: (m,) how many labelled frames each one stands for (normal ones are sampled evenly in time).
    """
    order = np.lexsort((positive, -track))
    seen = np.cumsum(weight[order]) / weight.sum()
    share = np.empty(len(track))
    share[order] = seen
    return share


def budget_report(data: EvaluationSet, done: Sequence[FoldScores]) -> dict[str, Any]:
    """Sensitivity by frame and by finding for each share of `SHARES`, over all held-out studies and seeds.

    Returns:
        JSON values: patients, studies, findings, median_frames (labelled frames of a study), rows of {share,
        frame_sensitivity, finding_sensitivity (None without findings)}, and a sentence on what they rest on.
    """
    frames = data.labelled
    needed = [_needed(data, scores) for scores in done]
    once = np.unique(frames.frame_key, return_index=True)[1]
    positive = np.concatenate([share[once][frames.label[once] > 0] for share in needed])
    positive = positive[~np.isnan(positive)]
    lowest = [
        np.nanmin(share[finding.rows])
        for share in needed
        for finding in data.findings
        if not np.isnan(share[finding.rows]).all()
    ]
    sizes = [float(data.weight[once][frames.study[once] == study].sum()) for study in np.unique(frames.study)]
    report = {
        "patients": len(np.unique(frames.patients)),
        "patients_with_positives": len(np.unique(frames.patients[frames.label > 0])),
        "studies": len(sizes),
        "findings": len(data.findings),
        "median_frames": float(np.median(sizes)),
        "rows": [
            {
                "share": share,
                "frame_sensitivity": _within(positive, share),
                "finding_sensitivity": _within(np.array(lowest), share),
            }
            for share in SHARES
        ],
    }
    return report | {"sentence": _sentence(report)}


def _needed(data: EvaluationSet, scores: FoldScores) -> NDArray[np.float64]:
    """(M,) share of its study until each held-out frame is seen; NaN for frames that this training learned from."""
    frames, track = data.labelled, flag_track(scores.scores)
    share = np.full(len(frames), np.nan)
    once, place = np.unique(frames.frame_key[scores.rows], return_index=True, return_inverse=True)[1:]
    studies, seen_at = frames.study[scores.rows[once]], np.zeros(len(once))
    for study in np.unique(studies):
        mine = np.flatnonzero(studies == study)
        rows = scores.rows[once[mine]]
        seen_at[mine] = reviewed_at(track[once[mine]], frames.label[rows] > 0, data.weight[rows])
    share[scores.rows] = seen_at[place]  # rows of one frame are seen together
    return share


def _within(shares: NDArray[np.float64], budget: float) -> float | None:
    return float((shares <= budget + 1e-9).mean()) if len(shares) else None


def _sentence(report: dict[str, Any]) -> str:
    said = (
        f"From {report['patients']} patients ({report['patients_with_positives']} with findings); "
        "shares are of the labelled frames of a study."
    )
    if report["median_frames"] < SHORT_STUDY:
        said += f" Half of the studies have fewer than {SHORT_STUDY} frames: these shares do not apply to whole videos."
    return said
