"""One trunk for views and for tiles, of which only views are remembered."""

import pytest
import torch
from torch import nn

from training.methods.pgcon_heads import PriorPretrainer, running_statistics_kept


def statistics_of(network: nn.Module) -> list[torch.Tensor]:
    norms = [part for part in network.modules() if isinstance(part, nn.BatchNorm2d)]
    return [buffer.clone() for norm in norms for buffer in (norm.running_mean, norm.running_var) if buffer is not None]


def test_tiles_leave_no_trace_in_the_running_statistics() -> None:
    """The encoder that is judged was normalised by a mixture of views and tiles, which the loss never saw.

    After 300 steps on real frames kNN of prior views was 0.75; with the statistics of prior views it was 0.85.
    """
    torch.manual_seed(0)
    network = PriorPretrainer("tiny").train()
    views, tiles = torch.randn(4, 3, 64, 64), 5.0 + torch.randn(4, 9, 3, 32, 32)
    before = statistics_of(network)
    bare = network.puzzle(tiles)
    assert all(torch.equal(one, other) for one, other in zip(before, statistics_of(network), strict=True))
    assert bare.std() > 0
    network.project(views)
    after = statistics_of(network)
    assert not any(torch.equal(one, other) for one, other in zip(before, after, strict=True))
    torch.testing.assert_close(network.puzzle(tiles), bare)  # tiles are still normalised by their own batch
    assert all(torch.equal(one, other) for one, other in zip(after, statistics_of(network), strict=True))


def test_a_layer_gets_its_momentum_back_even_after_an_error() -> None:
    network = nn.Sequential(nn.BatchNorm2d(3, momentum=0.3), nn.BatchNorm2d(3, momentum=None))
    with pytest.raises(RuntimeError, match="memory ran out"), running_statistics_kept(network):
        raise RuntimeError("memory ran out")
    assert [norm.momentum for norm in network if isinstance(norm, nn.BatchNorm2d)] == [0.3, None]
