"""NT-Xent equals its definition, written out."""

import math

import pytest
import torch
from torch import Tensor

from training.losses.nt_xent import NtXentLoss


def written_out(projections: Tensor, temperature: float) -> Tensor:
    """Chen et al. 2020, eq. 1, one view after the other."""
    count = len(projections)
    terms = []
    for i in range(count):
        j = (i + count // 2) % count

        def similarity(k: int, i: int = i) -> Tensor:
            a, b = projections[i], projections[k]
            return torch.div(torch.dot(a, b), a.square().sum().sqrt() * b.square().sum().sqrt() * temperature)

        below = torch.stack([similarity(k).exp() for k in range(count) if k != i]).sum()
        terms.append(-(similarity(j).exp() / below).log())
    return torch.stack(terms).mean()


@pytest.mark.parametrize("temperature", [0.1, 0.5, 2.0])
def test_value_and_gradient_equal_the_definition(temperature: float) -> None:
    projections = torch.randn(10, 6, generator=torch.Generator().manual_seed(3))
    ours, slow = projections.clone().requires_grad_(), projections.double().requires_grad_()
    value, expected = NtXentLoss(temperature)(ours), written_out(slow, temperature)
    torch.autograd.backward([value, expected])
    assert value.item() == pytest.approx(expected.item(), rel=1e-5)
    assert ours.grad is not None
    assert slow.grad is not None
    torch.testing.assert_close(ours.grad.double(), slow.grad, rtol=1e-4, atol=1e-6)


def test_by_hand_for_two_frames() -> None:
    # Both views alike, the two frames at right angles: e^1 / (e^1 + 2 e^0).
    views = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0], [0.0, 1.0]])
    assert NtXentLoss(1.0)(views).item() == pytest.approx(-math.log(math.e / (math.e + 2)))


def test_what_cannot_be_views_is_refused() -> None:
    with pytest.raises(ValueError, match="two views"):
        NtXentLoss()(torch.randn(5, 2))
    with pytest.raises(ValueError, match="temperature"):
        NtXentLoss(0.0)
