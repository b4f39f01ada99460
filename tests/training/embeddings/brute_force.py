"""Neighbours the slow and obvious way: every frame one by one, all conditions as they are said."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from training.embeddings.neighbour import NeighbourFilter

Study = tuple[str, str, NDArray[np.floating], NDArray[np.float64]]
"""study_id, patient_id, (N, D), (N,) seconds"""


def distance(a: NDArray[np.floating], b: NDArray[np.floating], metric: str) -> float:
    """In float64."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    if metric == "euclidean":
        return math.sqrt(sum((x - y) ** 2 for x, y in zip(a.tolist(), b.tolist(), strict=True)))
    lengths = math.sqrt(float((a * a).sum())) * math.sqrt(float((b * b).sum()))
    return 1.0 if lengths == 0 else 1.0 - float((a * b).sum()) / lengths


def may_be(where: NeighbourFilter, study: Study, frame: int) -> bool:
    """Whether one frame fulfils what does not concern other results."""
    study_id, patient_id, embeddings, seconds = study
    masks: Mapping[str, NDArray[np.bool_]] | None = where.frames
    if masks is not None and not (study_id in masks and masks[study_id][frame]):
        return False
    if not np.isfinite(embeddings[frame]).all():
        return False
    if where.scope == "this study" and study_id != where.study_id:
        return False
    if where.scope == "other studies" and study_id == where.study_id:
        return False
    if where.scope == "other patients" and (study_id == where.study_id or patient_id == where.patient_id != ""):
        return False
    if study_id != where.study_id:
        return True
    own = range(*where.span) if where.span else [] if where.frame_index is None else [where.frame_index]
    times = [where.video_seconds] if where.video_seconds is not None else [seconds[i] for i in own if i < len(seconds)]
    if frame in own:
        return False
    inside = bool(times) and min(times) < seconds[frame] < max(times)
    too_near = [abs(seconds[frame] - time) for time in times]
    near = inside or min(too_near, default=math.inf) < where.min_seconds_to_query
    return not (where.min_seconds_to_query > 0 and near)


def neighbours(
    studies: Sequence[Study], query: NDArray[np.floating], k: int, metric: str, where: NeighbourFilter
) -> list[tuple[str, int, float]]:
    """Study, frame, distance; nearest first."""
    ranked = sorted(
        (distance(study[2][frame], query, metric), number, frame)
        for number, study in enumerate(studies)
        for frame in range(len(study[2]))
        if may_be(where, study, frame)
    )
    found: list[tuple[str, int, float]] = []
    for how_far, number, frame in ranked:
        study_id, _, _, seconds = studies[number]
        near = [
            other
            for other, its_frame, _ in found
            if other == study_id and abs(seconds[its_frame] - seconds[frame]) < where.min_seconds_among
        ]
        if not near and len(found) < k:
            found.append((study_id, frame, how_far))
    return found
