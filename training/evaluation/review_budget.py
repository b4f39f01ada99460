"""What is found when only the top x % of each held-out study is looked at."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.evaluation.evaluation_set import EvaluationSet
from training.evaluation.fold_run import FoldScores

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
    positive = np.concatenate([share[frames.label > 0] for share in needed])
    positive = positive[~np.isnan(positive)]
    lowest = [
        np.nanmin(share[finding.rows])
        for share in needed
        for finding in data.findings
        if _is_evaluated(share, finding.rows)
    ]
    sizes = [float(data.weight[frames.study == study].sum()) for study in np.unique(frames.study)]
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
    studies = frames.study[scores.rows]
    for study in np.unique(studies):
        mine = np.flatnonzero(studies == study)
        rows = scores.rows[mine]
        share[rows] = reviewed_at(track[mine], frames.label[rows] > 0, data.weight[rows])
    return share


def _is_evaluated(share: NDArray[np.float64], rows: NDArray[np.int64]) -> bool:
    return bool((~np.isnan(share[rows])).any())


def _within(shares: NDArray[np.float64], budget: float) -> float | None:
    return float((shares <= budget + 1e-9).mean()) if len(shares) else None


def _sentence(report: dict[str, Any]) -> str:
    said = (
        f"From {report['patients']} patients ({report['patients_with_positives']} with findings), each held out once; "
        "shares are of the labelled frames of a study."
    )
    if report["median_frames"] < SHORT_STUDY:
        said += f" Half of the studies have fewer than {SHORT_STUDY} frames: these shares do not apply to whole videos."
    return said
