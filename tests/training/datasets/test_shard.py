"""What each process of a run takes of the sequences that all of them draw."""

import pytest

from training.datasets.sequences import SequenceSampler, SequenceSpan, Shard


def sampler(sequences: int) -> SequenceSampler:
    spans = [SequenceSpan(study, study, 0, 200) for study in range(5)]
    return SequenceSampler(spans, length=12, sequences=sequences, window=3, seed=4)


def test_the_parts_in_order_are_the_batch_of_one_process() -> None:
    whole = sampler(4)
    parts = [Shard(whole, rank, 2) for rank in (0, 1)]
    for step in range(20):
        for attempt in (0, 1):
            together = parts[0].batch(step, attempt) + parts[1].batch(step, attempt)
            assert together == whole.batch(step, attempt)
            assert len({sequence.study for sequence in together}) == 4  # no two ranks share a study, nor a frame


def test_a_part_says_how_many_frames_it_has() -> None:
    part = Shard(sampler(4), 1, 2)
    assert (part.sequences, part.window) == (2, 3)
    assert Shard(sampler(4), 0, 1).sequences == 4


def test_what_cannot_be_dealt_out_evenly_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="3 sequences"):
        Shard(sampler(3), 0, 2)
