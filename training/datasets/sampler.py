"""Batches that hold every class, their negatives spread over the studies; batch k depends on the seed and k only."""

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

    Normal frames are taken from each study in turn, whatever its length (Laiz et al. 2020, section 3.2: negatives
    stratified over procedures). Having no state, a resumed run sees the very batches of an uninterrupted one.
    """

    def __init__(self, frames: LabelledFrames, batch_size: int, positive_share: float, seed: int) -> None:
        positives = [label for label in range(1, len(frames.classes)) if (frames.label == label).any()]
        if not positives or not (frames.label == 0).any():
            raise UserError("The training frames lack normal frames or any other class.", "Label both.")
        if batch_size < len(positives) + 1:
            raise UserError(
                f"A batch of {batch_size} frames cannot hold {len(positives) + 1} classes.", "Choose a larger batch."
            )
        self.batch_size = batch_size
        wanted = round(batch_size * positive_share)
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
    def _deal(decks: list[Deck], count: int, step: int) -> list[NDArray[np.int64]]:
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
        return max(1, round(epochs * max(len(deck.indices) for deck in self._decks) / per_step))
