"""Views as the settings ask for them: how much of a frame the prior view shows."""

from typing import Any

import pytest
import torch

from training.datasets.sequence_feed import SequenceBatch
from training.losses.memory_bank import MemoryBank
from training.methods.bank_method import BankMethod
from training.methods.pgcon import PgCon, WinCon, prior_shares
from training.methods.pgcon_heads import PriorPretrainer
from training.methods.pirl import Pirl


def batch(*sides_px: tuple[int, int]) -> SequenceBatch:
    """The same noise for each pair of sides: of the study's frame and of its square."""
    noise = torch.randint(40, 200, (1, 112, 112, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(1))
    count = len(sides_px)
    frames, is_round = noise.expand(count, -1, -1, -1).contiguous(), torch.ones(count, dtype=torch.bool)
    return SequenceBatch(frames, torch.arange(count), is_round, torch.tensor(sides_px))


def made(kind: type[BankMethod], **fields: Any) -> BankMethod:
    """The method with small views."""
    network = PriorPretrainer("tiny")
    network.bank = MemoryBank(10, 128)
    return kind(network, prior_size=32, **fields)


def prior_view(sides_px: tuple[int, int], share: float | None) -> torch.Tensor:
    """Of a pgcon pretraining, drawn with one seed."""
    method = made(PgCon, prior_share=share)
    return method.show(batch(sides_px), torch.Generator().manual_seed(0)).pictures[0]


@pytest.mark.parametrize(
    ("sides_px", "published"),
    [((336, 336), 100 / 336), ((576, 576), 150 / 576), ((576, 512), 150 / 512), ((336, 300), 100 / 300)],
)
def test_a_prior_view_has_the_papers_size_in_px_of_the_study(sides_px: tuple[int, int], published: float) -> None:
    """Whatever of the frame the square around the field of view is."""
    torch.testing.assert_close(prior_view(sides_px, None), prior_view(sides_px, published))


def test_studies_of_two_sizes_differ_unless_one_share_is_asked_for() -> None:
    small, large, cut = (336, 336), (576, 576), (576, 512)
    assert not torch.equal(prior_view(small, None), prior_view(large, None))
    assert not torch.equal(prior_view(cut, None), prior_view(large, None))
    assert torch.equal(prior_view(small, 0.28), prior_view(cut, 0.28))


def test_each_frame_of_a_batch_has_its_own() -> None:
    sides = torch.tensor([[576, 576], [336, 336], [576, 512], [576, 576]])
    expected = [150 / 576, 100 / 336, 150 / 512, 150 / 576]
    assert prior_shares(sides, None).tolist() == pytest.approx(expected)
    assert prior_shares(sides, 0.5).tolist() == [0.5] * 4


def test_a_prior_view_larger_than_what_is_read_is_all_of_it() -> None:
    assert float(prior_shares(torch.tensor([[576, 100]]), None)) == pytest.approx(1.5)
    torch.testing.assert_close(prior_view((576, 100), None), prior_view((576, 100), 1.0))


@pytest.mark.parametrize("kind", [PgCon, WinCon])
def test_the_views_say_which_frames_had_a_prior(kind: type[BankMethod]) -> None:
    read = batch(*[(336, 336)] * 3)
    read.frames[1] = 0
    read.frames[2] = 90
    found = made(kind).show(read, torch.Generator().manual_seed(0)).found
    assert found is not None
    assert found.tolist() == [True, False, False]
    assert made(Pirl).show(read, torch.Generator()).found is None
