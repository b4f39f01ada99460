"""Weighted k-nearest-neighbour vote: which labels do the labelled frames near a query suggest, and which of them voted.

Vats et al. evaluate with the classifier of Wu et al. 2018 (Unsupervised feature learning via non-parametric instance
discrimination): each of the k nearest has weight exp(cosine / temperature). There a frame has one label; that one with
several labels votes for each of them is ours.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.embeddings.neighbour import Neighbour
from training.embeddings.neighbour_filter import NeighbourFilter
from training.embeddings.neighbour_index import NeighbourIndex
from training.texts import count_text

TEMPERATURE = 0.1
"""Vats et al."""
NEIGHBOURS = 290
"""Vats et al.; fewer where there are fewer labelled frames."""

FrameLabels = Mapping[str, Mapping[int, tuple[str, ...]]]
"""Labels by study_id and frame_index."""


@dataclass(frozen=True)
class Voter:
    """A neighbour that voted."""

    neighbour: Neighbour
    labels: tuple[str, ...]
    """What it voted for."""
    weight: float
    """Its part of all weights, in (0, 1]."""


@dataclass(frozen=True)
class Votes:
    """The outcome of a vote."""

    weights: Mapping[str, float]
    """Label -> its share of all weights in [0, 1], the largest first; sums to 1 where each frame has one label."""
    voters: tuple[Voter, ...]
    """Nearest first."""
    note: str
    """What a person should know of it; "" for nothing."""


def votes(
    index: NeighbourIndex,
    query: NDArray[np.floating],
    labels: FrameLabels,
    *,
    where: NeighbourFilter = NeighbourFilter(),  # noqa: B008  (frozen)
    k: int = NEIGHBOURS,
    temperature: float = TEMPERATURE,
    check: Callable[[], None] = lambda: None,
) -> Votes:
    """Let the k nearest labelled frames vote on the query, by cosine.

    Args:
        index: of the studies.
        query: (D,)
        labels: of the frames that may vote; frames without labels have no vote. Studies that take no part are ignored.
        where: further conditions; its `frames`, where given, are narrowed down to labelled ones.
        k: at most so many vote.
        temperature: > 0; the smaller it is the more the nearest decide.
        check: called often; may raise to give up.

    Raises:
        ValueError: temperature <= 0.
        UserError: as `NeighbourIndex.find`.
    """
    if not temperature > 0:
        raise ValueError(f"the temperature must be > 0, not {temperature}")
    found = index.find(
        query, k, metric="cosine", where=replace(where, frames=_labelled(index, labels, where)), check=check
    )
    if not found.items:
        return Votes({}, (), "No labelled frame passes the filters.")
    distances = np.array([item.distance for item in found.items])
    weights = np.exp(-(distances - distances.min()) / temperature)
    weights /= weights.sum()
    voters = tuple(
        Voter(item, tuple(labels[item.study_id][item.frame_index]), weight)
        for item, weight in zip(found.items, weights.tolist(), strict=True)
    )
    shares: dict[str, float] = defaultdict(float)
    for voter in voters:
        for label in voter.labels:
            shares[label] += voter.weight
    note = count_text("{count:,} labelled frame voted.", "{count:,} labelled frames voted.", len(voters))
    return Votes(dict(sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))), voters, note)


def _labelled(index: NeighbourIndex, labels: FrameLabels, where: NeighbourFilter) -> dict[str, NDArray[np.bool_]]:
    masks = {}
    for study_id in index.study_ids:
        named = labels.get(study_id, {})
        frames = [frame for frame, its_labels in named.items() if its_labels]
        if not frames or (where.frames is not None and study_id not in where.frames):
            continue
        mask = np.isin(index.frame_index(study_id), frames)
        masks[study_id] = mask if where.frames is None else mask & where.frames[study_id]
    return masks
