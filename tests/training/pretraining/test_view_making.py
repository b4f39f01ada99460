"""Views as the settings ask for them: how much of a frame the prior view shows."""

import pytest
import torch

from training.datasets.sequence_feed import SequenceBatch
from training.pretraining.config import pretrain_config
from training.pretraining.view_making import make_views, prior_shares


def batch(*sides_px: int) -> SequenceBatch:
    """The same noise for each of the sides."""
    noise = torch.randint(40, 200, (1, 112, 112, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(1))
    count = len(sides_px)
    frames, is_round = noise.expand(count, -1, -1, -1).contiguous(), torch.ones(count, dtype=torch.bool)
    return SequenceBatch(frames, torch.arange(count), is_round, torch.tensor(sides_px))


def prior_view(side_px: int, share: float | None) -> torch.Tensor:
    """Of a pgcon pretraining, drawn with one seed."""
    config = pretrain_config(studies="-", out="-", method="pgcon", prior_size=32, prior_share=share)
    return make_views(config)(batch(side_px), torch.Generator().manual_seed(0))[0]


@pytest.mark.parametrize(("side_px", "published"), [(336, 100 / 336), (576, 150 / 576)])
def test_a_prior_view_is_as_large_as_the_paper_says_for_a_study_of_that_size(side_px: int, published: float) -> None:
    torch.testing.assert_close(prior_view(side_px, None), prior_view(side_px, published))


def test_studies_of_two_sizes_differ_unless_one_share_is_asked_for() -> None:
    assert not torch.equal(prior_view(336, None), prior_view(576, None))
    assert torch.equal(prior_view(336, 0.28), prior_view(576, 0.28))


def test_each_frame_of_a_batch_has_its_own() -> None:
    assert prior_shares(torch.tensor([576, 336, 576]), None).tolist() == pytest.approx(
        [150 / 576, 100 / 336, 150 / 576]
    )
    assert prior_shares(torch.tensor([576, 336]), 0.5).tolist() == [0.5, 0.5]
