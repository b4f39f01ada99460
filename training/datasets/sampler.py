"""Batches of labelled frames, balanced or in proportion to the classes, and thinning frames evenly in time.

Batch k depends on the seed and k only.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.errors import UserError


class Deck:
    """An endless shuffle: every index once before any comes again; the card at a position can be asked for directly."""

    def __init__(self, indices: NDArray[np.int64], seed: tuple[int, ...]) -> None:
        self.indices = indices
        self._seed = seed
        self._round = -1
        self._order = indices

    def take(self, position: int, count: int) -> NDArray[np.int64]:
        """`count` cards from `position` on."""
        return np.array([self._card(position + k) for k in range(count)], dtype=np.int64)

    def _card(self, position: int) -> int:
        around, place = divmod(position, len(self.indices))
        if around != self._round:
            self._round = around
            self._order = np.random.default_rng([*self._seed, around]).permutation(self.indices)
        return int(self._order[place])


class BalancedSampler:
    """Batches of `batch_size` frames: each positive class gets an equal part of the positives, normal frames the rest.

    Normal frames are taken from each study in turn, whatever its length (Laiz et al. 2020, section 4.2: negatives
    stratified over procedures). Having no state, a resumed run sees the very batches of an uninterrupted one.
    """

    def __init__(self, frames: LabelledFrames, batch_size: int, positive_share: float, seed: int) -> None:
        positives = [label for label in range(1, len(frames.classes)) if (frames.label == label).any()]
        if not positives or not (frames.label == 0).any():
            raise UserError("The training frames lack normal frames or any other class.", "Label both.")
        if batch_size < len(positives) + 1:
            raise UserError(
                "A batch of {batch_size} frames cannot hold {count} classes.",
                "Choose a larger batch.",
                batch_size,
                len(positives) + 1,
            )
        self.batch_size = batch_size
        wanted = round(batch_size * positive_share)
        self._largest = int(np.bincount(frames.label)[1:].max())
        self.positives = min(max(wanted, len(positives)), batch_size - 1)
        self._decks = [Deck(np.flatnonzero(frames.label == label), (seed, label)) for label in positives]
        self._normal = [
            Deck(np.flatnonzero((frames.label == 0) & (frames.study == study)), (seed, 0, int(study)))
            for study in np.unique(frames.study[frames.label == 0])
        ]

    def batch(self, step: int) -> NDArray[np.int64]:
        """(batch_size,) indices of the frames of one step."""
        parts = self._deal(self._decks, self.positives, step)
        parts += self._deal(self._normal, self.batch_size - self.positives, step)
        return np.concatenate(parts)

    @staticmethod
    def _deal(decks: Sequence[Deck], count: int, step: int) -> list[NDArray[np.int64]]:
        """`count` cards, one deck after the other in turn; over the steps all decks are dealt from equally often."""
        first = step * count
        hands = []
        for number, deck in enumerate(decks):
            # Of the cards 0 .. first - 1 dealt so far, those whose number is `number` modulo the decks were its own.
            before = (first - number + len(decks) - 1) // len(decks)
            after = (first + count - number + len(decks) - 1) // len(decks)
            hands.append(deck.take(before, after - before))
        return hands

    def epoch_steps(self, epochs: float) -> int:
        """Steps until every frame of the largest positive class was seen `epochs` times."""
        per_step = self.positives / len(self._decks)
        return max(1, round(epochs * self._largest / per_step))


class ProportionalSampler:
    """Classes in proportion to their frames: every frame once before any comes again (Pascual et al. 2022).

    Each class is spread evenly: any stretch of B frames within a round holds B times the class's share, give or take
    one frame; within a class the studies are spread in the same way. A class rarer than one frame in B is missing from
    some batches, as proportion asks for: at the paper's 0.85 % of positives, half of the batches of 64 have no triplet.

    `least_per_class` (ours) gives each class that many frames in every batch: where proportion gives fewer, frames of
    the class take the places of frames of the largest class.
    """

    def __init__(self, frames: LabelledFrames, batch_size: int, seed: int, least_per_class: int = 0) -> None:
        if not (frames.label > 0).any() or not (frames.label == 0).any():
            raise UserError("The training frames lack normal frames or any other class.", "Label both.")
        self._present = np.unique(frames.label).tolist()
        if least_per_class * len(self._present) > batch_size:
            raise UserError(
                "A batch of {batch_size} frames cannot hold {least_per_class} frames of each of {count} classes.",
                "Choose a larger batch_size or a smaller least_per_class.",
                batch_size,
                least_per_class,
                len(self._present),
            )
        self._least = least_per_class
        self.batch_size = batch_size
        self._label, self._study, self._seed = frames.label, frames.study, seed
        self._round = -1
        self._order = np.zeros(0, dtype=np.int64)

    def batch(self, step: int) -> NDArray[np.int64]:
        """(batch_size,) indices of the frames of one step."""
        first = step * self.batch_size
        rows = np.array([self._frame(first + k) for k in range(self.batch_size)], dtype=np.int64)
        return self._filled_up(rows, step) if self._least else rows

    def _filled_up(self, rows: NDArray[np.int64], step: int) -> NDArray[np.int64]:
        """The batch with at least `least_per_class` frames of each class; none twice while the class has others."""
        rng = np.random.default_rng([self._seed, 8, step])
        rows = rows.copy()
        for label in self._present:
            missing = self._least - int((self._label[rows] == label).sum())
            if missing <= 0:
                continue
            mine = np.flatnonzero(self._label == label)
            others = np.setdiff1d(mine, rows)
            added = np.resize(rng.permutation(others if len(others) else mine), missing)
            counts = [int((self._label[rows] == other).sum()) for other in self._present]
            largest = self._present[int(np.argmax(counts))]
            rows[np.flatnonzero(self._label[rows] == largest)[-missing:]] = added
        return rows

    def epoch_steps(self, epochs: float) -> int:
        """Steps until every frame was seen `epochs` times."""
        return max(1, round(epochs * len(self._label) / self.batch_size))

    def _frame(self, position: int) -> int:
        around, place = divmod(position, len(self._label))
        if around != self._round:
            rng = np.random.default_rng([self._seed, 7, around])
            by_study = _spread(rng.permutation(len(self._label)), self._study, rng)
            self._round, self._order = around, _spread(by_study, self._label, rng)
        return int(self._order[place])


def _spread(order: NDArray[np.int64], group: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """The same indices, each group at even distances; within a group their order stays.

    Args:
        order: (M,) indices.
        group: (M,) group of each index (not of each place).
        rng: decides where each group begins.
    """
    places = np.empty(len(order))
    for number in np.unique(group):
        mine = np.flatnonzero(group[order] == number)
        places[mine] = (np.arange(len(mine)) + rng.random()) / len(mine)
    return order[np.argsort(places, kind="stable")]


def thin(frames: LabelledFrames, max_normal_per_study: int, max_frames: int) -> LabelledFrames:
    """At most so many normal frames a study and frames in all; every class gives way alike, the largest first."""
    keep = np.ones(len(frames), dtype=bool)
    for study in np.unique(frames.study):
        normal = np.flatnonzero((frames.study == study) & (frames.label == 0))
        keep[normal] = False
        keep[evenly(normal, max_normal_per_study)] = True
    frames = frames.select(keep)
    allowed = fair_shares(np.bincount(frames.label, minlength=len(frames.classes)), max_frames)
    chosen = [evenly(np.flatnonzero(frames.label == label), count) for label, count in enumerate(allowed)]
    return frames.select(np.sort(np.concatenate(chosen)))


def evenly(indices: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """`count` of the indices at even distances (all of them when there are fewer)."""
    if len(indices) <= count:
        return indices
    return indices[(np.arange(count) * len(indices)) // count]


def fair_shares(counts: NDArray[np.int64], total: int) -> list[int]:
    """How many of each class to keep so that all fit into `total`: the small ones whole, the large ones cut alike."""
    shares = [0] * len(counts)
    left, order = total, sorted(range(len(counts)), key=lambda label: int(counts[label]))
    for position, label in enumerate(order):
        shares[label] = min(int(counts[label]), left // (len(order) - position))
        left -= shares[label]
    return shares
