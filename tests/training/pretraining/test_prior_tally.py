"""What is said of frames without a prior: from which share on, how often, and with which numbers."""

import pytest
import torch

from training.pretraining.batches import CHECK_EVERY, PriorTally


def batch(missed: int, frames: int = 100) -> torch.Tensor:
    """Which frames had a prior."""
    return torch.arange(frames) >= missed


def test_a_small_share_is_no_word_worth() -> None:
    said: list[str] = []
    tally = PriorTally(said.append)
    assert tally.check() == ""  # nothing counted yet
    assert tally.counts() == {}
    for _ in range(3 * CHECK_EVERY):
        tally.add(batch(1))
    assert (tally.check(), said) == ("", [])
    assert tally.counts() == {"prior_views": {"frames": 6000, "in_the_middle": 60, "since_step": 0}}


def test_more_is_told_once_while_it_runs_and_counted_to_the_end() -> None:
    said: list[str] = []
    tally = PriorTally(said.append)
    for _ in range(CHECK_EVERY):
        tally.add(batch(2))
    assert said == []  # no step waits for the device before
    for _ in range(2 * CHECK_EVERY):
        tally.add(batch(4))
    assert len(said) == 1
    assert said[0].startswith("40 of 2,000 frames have no red region")
    assert said[0].endswith("Decrease least_redness, or exclude such frames.")
    assert tally.check().startswith("200 of 6,000 frames have no red region")
    assert tally.check().endswith("their prior view is the middle of the frame.")
    assert len(said) == 1


def test_a_short_run_is_told_at_its_end_and_a_resumed_one_says_from_where_it_counts() -> None:
    said: list[str] = []
    tally = PriorTally(said.append, first_step=7)
    tally.add(batch(100))
    assert said == []
    assert tally.check().startswith("100 of 100 frames since step 7 have no red region")
    assert len(said) == 1
    assert tally.counts()["prior_views"]["since_step"] == 7


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_counts_on_a_device() -> None:
    tally = PriorTally(lambda _: None)
    tally.add(batch(3).cuda())
    assert tally.counts()["prior_views"]["in_the_middle"] == 3
