"""Pseudo-labels that encode time, and batches of sequences of successive frames (Pascual et al. 2022, section 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.texts import Text

STUDY_STRIDE = 10**6
"""M of the paper: how far the pseudo-labels of two studies lie apart."""

SequenceSource = Literal["studies", "resample", "anywhere"]


def pseudo_labels(
    study_number: int | NDArray[np.int64], positions: NDArray[np.int64], window: int
) -> NDArray[np.int64]:
    """`y = M * gamma + delta`, (N,) int64, so that `|y_i - y_j| <= window` says "the same study, and near in time".

    int64, because float32 cannot distinguish neighbouring frames from study 17 on.

    Args:
        study_number: gamma, one for all positions or (N,).
        positions: delta, (N,) frame indices.
        window: w, in frames.

    Raises:
        UserError: M is not greater than the largest position plus the window, so that frames of two studies could come
            out as positives (the paper asks only for more than the largest position, which is not enough).
    """
    check_positions(int(positions.max()) if len(positions) else 0, window)
    return np.asarray(study_number, dtype=np.int64) * STUDY_STRIDE + np.asarray(positions, dtype=np.int64)


def check_positions(largest: int, window: int, study: str = "") -> None:
    """Raise `UserError` where frames up to the position `largest` could be taken for those of another study."""
    if largest + window >= STUDY_STRIDE:
        of = Text("the study {study}", study) if study else Text("a study")
        raise UserError(
            "Frame {largest} of {of} and a window of {window} frames do not stay below {study_stride:,}, the "
            "longest study that can be sampled.",
            "Cut the recording into shorter files, or choose a smaller window.",
            largest,
            of,
            window,
            STUDY_STRIDE,
        )


@dataclass(frozen=True)
class SequenceSpan:
    """A stretch [start, stop) of a study that sequences are taken from and never leave."""

    study: int
    """Number of the study in the manifest."""
    gamma: int
    """What the pseudo-labels take for the study's number."""
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class FrameSequence(SequenceSpan):
    """Every `step`-th frame of [start, stop) of one span."""

    step: int = 1

    def __len__(self) -> int:
        return len(range(self.start, self.stop, self.step))

    @property
    def positions(self) -> NDArray[np.int64]:
        """(N,) frame indices."""
        return np.arange(self.start, self.stop, self.step, dtype=np.int64)

    @property
    def request(self) -> tuple[int, int, int, int]:
        """Study, start, stop and step: what a reader is asked for."""
        return self.study, self.start, self.stop, self.step

    def labels(self, window: int) -> NDArray[np.int64]:
        """(N,) pseudo-labels."""
        return pseudo_labels(self.gamma, self.positions, window)


class SequenceSampler:
    """Sequences of a step; a function of the seed and the step alone, so that a resumed run sees the same batches.

    Spans are drawn in proportion to their frames (several sequences of one group of spans: to the whole sequences that
    fit), and starts at random, those of one sequence uniformly (ours: the paper does not say). A span shorter than the
    length gives one shorter sequence. Sequences of one batch share no frame.
    """

    def __init__(
        self,
        spans: Sequence[SequenceSpan],
        length: int = 72,
        sequences: int = 1,
        source: SequenceSource = "studies",
        window: int = 9,
        seed: int = 0,
        step: int = 1,
    ) -> None:
        """See `PretrainConfig`.

        Args:
            spans: from `pretraining_spans`.
            length: N, frames of one sequence.
            sequences: of one batch.
            source: "studies": each sequence of a batch from another study; "resample": all from one (Pascual, Table 1);
                "anywhere": from all spans alike (ours, for methods that know no time).
            window: w, checked against the positions.
            seed: of the draw.
            step: every so many frames of a sequence are read.

        Raises:
            UserError: no spans, fewer studies than sequences, or no study that holds so many sequences.
        """
        if not spans:
            raise UserError("There are no frames to pretrain on.", "Check the spans of the manifest, and the regions.")
        for span in spans:
            check_positions(span.stop - 1, window)
        self.spans = tuple(spans)
        self.length, self.sequences, self.source, self.window = length, sequences, source, window
        self._seed, self._step = seed, step
        gammas = np.array([span.gamma for span in spans])
        self._studies = [np.flatnonzero(gammas == gamma) for gamma in dict.fromkeys(gammas.tolist())]
        self._frames = np.array([len(span) for span in spans], dtype=np.int64)
        # How many sequences without a common frame fit into a span.
        self._room = np.maximum(self._frames // length, 1)
        if source == "studies" and sequences > len(self._studies):
            raise UserError(
                "{sequences} sequences from different studies cannot be drawn from {count}.",
                "Choose fewer sequences, add studies, or set sequence_source=resample.",
                sequences,
                len(self._studies),
            )
        groups = self._groups()
        if not groups:
            raise UserError(
                "No study holds {sequences} sequences of {length} frames each.",
                "Choose fewer or shorter sequences, or set sequence_source=studies.",
                sequences,
                length,
            )
        self._choices = groups
        weights = np.array([self._frames[group].sum() for group in groups], dtype=np.float64)
        self._weights = weights / weights.sum()

    def _groups(self) -> list[NDArray[np.int64]]:
        """Sets of spans that sequences of one batch may share; one that has too little room is left out."""
        if self.source == "studies":
            return self._studies
        groups = [np.arange(len(self.spans))] if self.source == "anywhere" else self._studies
        return [group for group in groups if int(self._room[group].sum()) >= self.sequences]

    def batch(self, step: int, attempt: int = 0) -> tuple[FrameSequence, ...]:
        """The sequences of one step (0-based); another `attempt` gives others, for where frames do not decode."""
        rng = np.random.default_rng([self._seed, step, attempt])
        if self.source == "studies":
            chosen = rng.choice(len(self._choices), self.sequences, replace=False, p=self._weights)
            return tuple(part for number in chosen for part in self._draw(self._choices[number], 1, rng))
        group = self._choices[int(rng.choice(len(self._choices), p=self._weights))]
        return tuple(self._draw(group, self.sequences, rng))

    def _draw(self, group: NDArray[np.int64], count: int, rng: np.random.Generator) -> list[FrameSequence]:
        """`count` sequences without a common frame from a group of spans."""
        if count == 1:
            share = self._frames[group] / self._frames[group].sum()
            return self._in_span(int(group[rng.choice(len(group), p=share)]), 1, rng)
        rooms = self._room[group]
        counts = rng.multivariate_hypergeometric(rooms, count)
        drawn = [
            part
            for place in np.flatnonzero(counts)
            for part in self._in_span(int(group[place]), int(counts[place]), rng)
        ]
        return [drawn[place] for place in rng.permutation(len(drawn))]

    def _in_span(self, number: int, count: int, rng: np.random.Generator) -> list[FrameSequence]:
        """`count` sequences laid into a span at random: what is left over lies before, between and after them."""
        span = self.spans[number]
        length = min(self.length, len(span))
        left_over = len(span) - count * length
        before = np.sort(rng.integers(0, left_over + 1, count))
        starts = span.start + before + length * np.arange(count)
        return [FrameSequence(span.study, span.gamma, at, at + length, self._step) for at in starts.tolist()]
