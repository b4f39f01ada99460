"""NT-Xent and prior guided contrast equal their definitions, written out."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.training.losses.vectors import info_nce
from training.losses.info_nce import NTXentLoss, nce_of_similarities, prior_contrast


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
    value, expected = NTXentLoss(temperature)(ours), written_out(slow, temperature)
    torch.autograd.backward([value, expected])
    assert value.item() == pytest.approx(expected.item(), rel=1e-5)
    assert ours.grad is not None
    assert slow.grad is not None
    torch.testing.assert_close(ours.grad.double(), slow.grad, rtol=1e-4, atol=1e-6)


def test_by_hand_for_two_frames() -> None:
    # Both views alike, the two frames at right angles: e^1 / (e^1 + 2 e^0).
    views = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0], [0.0, 1.0]])
    assert NTXentLoss(1.0)(views).item() == pytest.approx(-math.log(math.e / (math.e + 2)))


def test_what_cannot_be_views_is_refused() -> None:
    with pytest.raises(ValueError, match="two views"):
        NTXentLoss()(torch.randn(5, 2))
    with pytest.raises(ValueError, match="temperature"):
        NTXentLoss(0.0)


def cosine(a: Tensor, b: Tensor) -> Tensor:
    similarity: Tensor = (a * b).sum() / (a.norm() * b.norm())
    return similarity


def slow_nce(anchor: Tensor, positive: Tensor, negatives: list[Tensor], tau: float) -> Tensor:
    """-log(exp(s(a, p) / tau) / (exp(s(a, p) / tau) + sum exp(s(a, n) / tau)))"""
    own = torch.exp(cosine(anchor, positive) / tau)
    others = [torch.exp(cosine(anchor, negative) / tau) for negative in negatives]
    return -torch.log(own / (own + sum(others, torch.zeros_like(own))))


def slow_contrast(
    z_p: Tensor, z_d: Tensor, memory: Tensor, negatives: tuple[Tensor, Tensor], z_win: Tensor | None, tau: float
) -> Tensor:
    """Eq. 1 to 4; with z_win eq. 5 to 7."""
    total = z_p.new_zeros(())
    for i in range(len(z_p)):
        within = [] if z_win is None else [z_win[j] for j in range(len(z_win))]
        first = slow_nce(z_p[i], memory[i], [*negatives[0][i], *within], tau)
        second = slow_nce(z_p[i], z_d[i], [*negatives[1][i], *within], tau)
        total = total + 0.5 * first + 0.5 * second
    return total / len(z_p)


def drawn(seed: int, frames: int = 5, width: int = 8, count: int = 6) -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    shapes = dict.fromkeys(("z_p", "z_d", "z_win", "memory"), (frames, width))
    shapes_of_negatives = dict.fromkeys(("first", "second"), (frames, count, width))
    made = {name: torch.randn(shape, generator=generator) for name, shape in {**shapes, **shapes_of_negatives}.items()}
    for name in ("z_p", "z_d", "z_win"):
        made[name].requires_grad_()
    return made


@pytest.mark.parametrize("within", [False, True])
@given(seed=st.integers(0, 2**20), tau=st.sampled_from([0.07, 0.5]))
@settings(max_examples=12, deadline=None)
def test_loss_and_gradients_are_those_of_the_equations(within: bool, seed: int, tau: float) -> None:
    ours, theirs = drawn(seed), drawn(seed)

    def arguments(of: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor, tuple[Tensor, Tensor]]:
        return of["z_p"], of["z_d"], of["memory"], (of["first"], of["second"])

    fast = prior_contrast(*arguments(ours), z_win=ours["z_win"] if within else None, temperature=tau).total
    slow = slow_contrast(*arguments(theirs), theirs["z_win"] if within else None, tau)
    torch.testing.assert_close(fast, slow, rtol=1e-4, atol=1e-5)
    fast.backward()  # type: ignore[no-untyped-call]
    slow.backward()  # type: ignore[no-untyped-call]
    for name in ("z_p", "z_d", *(["z_win"] if within else [])):
        torch.testing.assert_close(ours[name].grad, theirs[name].grad, rtol=1e-3, atol=1e-5)
    assert within or ours["z_win"].grad is None


def test_the_weights_are_those_of_the_terms() -> None:
    made = drawn(3)
    found = prior_contrast(
        made["z_p"], made["z_d"], made["memory"], (made["first"], made["second"]), alpha=0.2, beta=0.9
    )
    torch.testing.assert_close(found.total.detach(), 0.2 * found.memory + 0.9 * found.view)
    first = info_nce(made["z_p"], made["memory"], made["first"], 0.07).mean()
    torch.testing.assert_close(found.memory, first.detach())


def test_all_alike_is_the_logarithm_of_the_candidates() -> None:
    same = torch.ones(4, 8)
    found = prior_contrast(same, same, same, (same.expand(4, 4, 8), same.expand(4, 4, 8)), z_win=same)
    assert found.total.item() == pytest.approx(math.log(1 + 4 + 4))
    assert found.ahead.tolist() == [0.5] * 4  # a tie is a half


def test_a_negative_is_ahead_when_it_is_nearer_than_the_frames_other_view() -> None:
    z_p = torch.eye(2)
    z_d = torch.tensor([[1.0, 0.1], [1.0, 0.1]])  # the second frame's other view lies at the first frame
    away = torch.tensor([[-1.0, -1.0], [0.5, 0.5]]).repeat(2, 1, 1)
    assert prior_contrast(z_p, z_d, z_p, (away, away)).ahead.tolist() == [0.0, 0.5]


def test_vectors_without_length_are_alike_to_nothing() -> None:
    found = info_nce(torch.eye(2), torch.zeros(2, 2), torch.zeros(2, 3, 2), 0.07)
    assert found.tolist() == pytest.approx([math.log(4)] * 2)


def test_negatives_may_be_the_same_for_all() -> None:
    made = drawn(5)
    shared = made["first"][0]
    torch.testing.assert_close(
        info_nce(made["z_p"], made["z_d"], shared, 0.1),
        info_nce(made["z_p"], made["z_d"], shared.expand(5, -1, -1), 0.1),
    )


def test_a_temperature_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="temperature of InfoNCE must be positive, not 0"):
        nce_of_similarities(torch.zeros(1), torch.zeros(1, 1), 0.0)
