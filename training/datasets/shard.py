"""The sequences of one process of a run: its share of what all of them draw together."""

from training.datasets.sequences import FrameSequence, SequenceSampler


class Shard:
    """Part `rank` of `count` equal parts of the sampler's batches.

    All ranks draw the same sequences and each takes its own, so that no two ranks share a frame in a step, and the
    parts in the order of the ranks are the batch of one process that does it all. (Only where hardly anything of a part
    decodes is it drawn anew, by its rank alone.)
    """

    def __init__(self, sampler: SequenceSampler, rank: int, count: int) -> None:
        """`sampler` draws the sequences of all ranks, a multiple of `count`."""
        if sampler.sequences % count:
            raise ValueError(f"{sampler.sequences} sequences cannot be dealt out to {count} ranks")
        self.sequences = sampler.sequences // count
        self.window = sampler.window
        self._sampler, self._rank = sampler, rank

    @property
    def batch_frames(self) -> int:
        """The most frames that a batch of this rank holds."""
        return self._sampler.length * self.sequences

    def batch(self, step: int, attempt: int = 0) -> tuple[FrameSequence, ...]:
        """This rank's sequences of one step (0-based)."""
        first = self._rank * self.sequences
        return self._sampler.batch(step, attempt)[first : first + self.sequences]
