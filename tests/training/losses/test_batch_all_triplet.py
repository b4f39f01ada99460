"""The cheap batch-all triplet loss equals the enumeration of all triplets."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pytorch_metric_learning.distances import LpDistance
from pytorch_metric_learning.losses import TripletMarginLoss
from torch import Tensor

from training.losses import batch_all_triplet
from training.losses.batch_all_triplet import (
    BatchAllTripletLoss,
    BatchHardTripletLoss,
    Reduction,
    batch_all_sums,
    count_triplets,
    time_window,
)


def enumerated(embeddings: Tensor, labels: Tensor, margin: float, reduction: Reduction) -> tuple[Tensor, int]:
    """The loss by three nested loops, and how many triplets violate the margin."""
    terms = []
    for a in range(len(labels)):
        for p in range(len(labels)):
            for n in range(len(labels)):
                if a != p and labels[a] == labels[p] and labels[a] != labels[n]:
                    d_ap = (embeddings[a] - embeddings[p]).square().sum()
                    d_an = (embeddings[a] - embeddings[n]).square().sum()
                    if d_an < d_ap + margin:
                        terms.append(d_ap - d_an + margin)
    if not terms:
        return embeddings.sum() * 0.0, 0
    total = torch.stack(terms).sum()
    return (total / len(terms) if reduction == "mean" else total), len(terms)


def batch(seed: int, size: int, dimensions: int, classes: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    embeddings = torch.randn(size, dimensions, generator=generator, dtype=torch.float64)
    return embeddings, torch.randint(classes, (size,), generator=generator)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("seed", range(4))
def test_value_and_gradient_equal_the_enumeration(seed: int, reduction: Reduction) -> None:
    embeddings, labels = batch(seed, size=14, dimensions=5, classes=3)
    ours, slow = embeddings.clone().requires_grad_(), embeddings.clone().requires_grad_()
    loss = BatchAllTripletLoss(0.7, reduction)(ours, labels)
    expected, _ = enumerated(slow, labels, 0.7, reduction)
    torch.autograd.backward([loss, expected])
    assert loss.item() == pytest.approx(expected.item(), rel=1e-12)
    assert ours.grad is not None
    assert slow.grad is not None
    torch.testing.assert_close(ours.grad, slow.grad, rtol=1e-10, atol=1e-12)


@given(
    points=st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2)), min_size=1, max_size=9),
    offset=st.integers(-1000, 1000),
    margin=st.integers(0, 4),
)
@settings(max_examples=60, deadline=None)
def test_ties_on_integer_distances_are_strict(points: list[tuple[int, int]], offset: int, margin: int) -> None:
    embeddings = torch.tensor([[float(x + offset), 1.0] for x, _ in points])
    labels = torch.tensor([label for _, label in points])
    sums = batch_all_sums(embeddings, time_window(labels, 0), float(margin))
    expected, count = enumerated(embeddings.double(), labels, float(margin), "sum")
    assert int(sums.violating) == count
    assert sums.total.item() == expected.item()


def test_equals_pytorch_metric_learning_by_its_default_reducer() -> None:
    embeddings, labels = batch(5, size=48, dimensions=16, classes=4)
    embeddings = (embeddings * 0.3).float()
    theirs = TripletMarginLoss(margin=0.2, distance=LpDistance(normalize_embeddings=False, power=2))
    ours_in, theirs_in = embeddings.clone().requires_grad_(), embeddings.clone().requires_grad_()
    ours = BatchAllTripletLoss(0.2)(ours_in, labels)
    expected = theirs(theirs_in, labels)
    torch.autograd.backward([ours, expected])
    assert ours.item() == pytest.approx(expected.item(), rel=1e-5)
    torch.testing.assert_close(ours_in.grad, theirs_in.grad, rtol=1e-4, atol=1e-6)


def test_the_order_of_the_batch_does_not_matter() -> None:
    embeddings, labels = batch(6, size=30, dimensions=8, classes=3)
    order = torch.randperm(30, generator=torch.Generator().manual_seed(0))
    loss = BatchAllTripletLoss(0.2)
    assert loss(embeddings, labels).item() == pytest.approx(loss(embeddings[order], labels[order]).item(), rel=1e-12)


def test_a_common_offset_costs_no_digits() -> None:
    embeddings, labels = batch(7, size=24, dimensions=8, classes=3)
    near = (embeddings * 0.1).float()
    loss = BatchAllTripletLoss(0.2)
    moved = near + 64.0  # exact offset; the float32 sum rounds, so the reference is made of what arrived
    expected, _ = enumerated(moved.double(), labels, 0.2, "mean")
    assert loss(moved, labels).item() == pytest.approx(expected.item(), rel=1e-5)


def test_blocks_of_rows_give_what_one_block_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    embeddings, labels = batch(8, size=33, dimensions=4, classes=3)
    whole = batch_all_sums(embeddings, time_window(labels, 0), 0.2)
    monkeypatch.setattr(batch_all_triplet, "BLOCK_ELEMENTS", 33 * 4)
    parts = batch_all_sums(embeddings, time_window(labels, 0), 0.2)
    assert int(parts.violating) == int(whole.violating)
    torch.testing.assert_close(parts.total, whole.total)
    torch.testing.assert_close(parts.gradient, whole.gradient)


@pytest.mark.parametrize(
    "labels", [[0], [0, 0, 0], [0, 1, 2], []], ids=["one frame", "no negatives", "no positives", "empty"]
)
def test_a_batch_without_triplets_gives_zero_with_a_gradient(labels: list[int]) -> None:
    embeddings = torch.ones(len(labels), 3, requires_grad=True)
    loss = BatchAllTripletLoss()(embeddings, torch.tensor(labels, dtype=torch.int64))
    torch.autograd.backward(loss)
    assert loss.item() == 0.0
    assert embeddings.grad is not None
    assert not embeddings.grad.any()


def test_identical_embeddings_give_the_margin() -> None:
    embeddings = torch.zeros(6, 4, requires_grad=True)
    assert BatchAllTripletLoss(0.2)(embeddings, torch.tensor([0, 0, 0, 1, 1, 1])).item() == pytest.approx(0.2)


@pytest.mark.parametrize(("shape", "labels"), [((4,), 4), ((4, 2, 2), 4), ((4, 2), 3)])
def test_wrong_shapes_are_named(shape: tuple[int, ...], labels: int) -> None:
    with pytest.raises(ValueError, match=r"embeddings \(B, D\)"):
        BatchAllTripletLoss()(torch.zeros(shape), torch.zeros(labels, dtype=torch.int64))


def test_integer_embeddings_and_unknown_reductions_are_refused() -> None:
    with pytest.raises(ValueError, match="floating-point"):
        BatchAllTripletLoss()(torch.zeros((2, 2), dtype=torch.int64), torch.zeros(2))
    with pytest.raises(ValueError, match="median"):
        BatchAllTripletLoss(reduction="median")  # type: ignore[arg-type]


def test_triplets_are_counted_and_the_violating_share_told() -> None:
    labels = torch.tensor([0, 0, 1, 1, 1])
    assert count_triplets(labels, 0) == 2 * 1 * 3 + 3 * 2 * 2
    loss = BatchAllTripletLoss(0.2)
    loss(torch.zeros(5, 2), labels)
    assert loss.violating_share == 1.0


def searched(embeddings: Tensor, labels: Tensor, margin: float, reduction: Reduction) -> tuple[Tensor, int, int]:
    """The loss by loops over anchors, how many anchors violate the margin, and how many have a triplet."""
    terms, anchors = [], 0
    for a in range(len(labels)):
        positives = [
            (embeddings[a] - embeddings[p]).square().sum()
            for p in range(len(labels))
            if p != a and labels[p] == labels[a]
        ]
        negatives = [
            (embeddings[a] - embeddings[n]).square().sum() for n in range(len(labels)) if labels[n] != labels[a]
        ]
        if positives and negatives:
            anchors += 1
            hinge = torch.stack(positives).max() - torch.stack(negatives).min() + margin
            if hinge > 0:
                terms.append(hinge)
    if not terms:
        return embeddings.sum() * 0.0, 0, anchors
    total = torch.stack(terms).sum()
    return (total / len(terms) if reduction == "mean" else total), len(terms), anchors


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("seed", range(6))
def test_value_gradient_and_share_equal_the_search(seed: int, reduction: Reduction) -> None:
    generator = torch.Generator().manual_seed(seed)
    embeddings = torch.randn(12, 4, generator=generator, dtype=torch.float64) * (0.2 if seed % 2 else 2.0)
    labels = torch.randint(4, (12,), generator=generator)
    ours, slow = embeddings.clone().requires_grad_(), embeddings.clone().requires_grad_()
    criterion = BatchHardTripletLoss(0.5, reduction)
    loss = criterion(ours, labels)
    expected, violating, anchors = searched(slow, labels, 0.5, reduction)
    torch.autograd.backward([loss, expected])
    assert loss.item() == pytest.approx(expected.item(), rel=1e-12)
    assert ours.grad is not None
    assert slow.grad is not None
    torch.testing.assert_close(ours.grad, slow.grad, rtol=1e-9, atol=1e-12)
    assert criterion.violating_share == pytest.approx(violating / anchors)


def test_one_batch_by_hand() -> None:
    # On a line: 0 and 1 of one class, 3 of another: 1 - 9 + 9 = 1 for the first, 1 - 4 + 9 = 6 for the second.
    points = torch.tensor([[0.0], [1.0], [3.0]])
    labels = torch.tensor([0, 0, 1])
    assert BatchHardTripletLoss(9.0, "sum")(points, labels).item() == pytest.approx(7.0)
    assert BatchHardTripletLoss(9.0)(points, labels).item() == pytest.approx(3.5)


def test_a_tie_at_the_margin_does_not_violate() -> None:
    criterion = BatchHardTripletLoss(3.0, "sum")
    assert criterion(torch.tensor([[0.0], [1.0], [-2.0]]), torch.tensor([0, 0, 1])).item() == 0.0
    assert criterion.violating_share == 0.0


def test_digits_survive_far_from_the_origin() -> None:
    embeddings = torch.randn(20, 8, generator=torch.Generator().manual_seed(1)) + 4096.0
    labels = torch.arange(20) % 3
    expected, _, _ = searched(embeddings.double(), labels, 0.2, "mean")
    assert BatchHardTripletLoss(0.2)(embeddings, labels).item() == pytest.approx(expected.item(), rel=1e-6)


@pytest.mark.parametrize("labels", [[0, 0, 0], [0, 1, 2], []])
def test_without_a_triplet_it_is_zero_with_a_gradient(labels: list[int]) -> None:
    embeddings = torch.randn(len(labels), 3, requires_grad=True)
    loss = BatchHardTripletLoss()(embeddings, torch.tensor(labels, dtype=torch.int64))
    torch.autograd.backward(loss)
    assert loss.item() == 0.0
    assert embeddings.grad is not None
    assert not embeddings.grad.any()


def test_other_shapes_and_reductions_are_refused() -> None:
    with pytest.raises(ValueError, match="embeddings"):
        BatchHardTripletLoss()(torch.zeros(3, 2), torch.zeros(4, dtype=torch.int64))
    with pytest.raises(ValueError, match="'median'"):
        BatchHardTripletLoss(reduction="median")  # type: ignore[arg-type]


@given(seed=st.integers(0, 99), size=st.integers(2, 9))
@settings(max_examples=20, deadline=None)
def test_the_mean_distance_is_that_of_all_pairs(seed: int, size: int) -> None:
    embeddings, labels = batch(seed, size, 5, 2)
    wanted = torch.pdist(embeddings.double()).square().mean().item()
    for loss in (BatchAllTripletLoss(0.5), BatchHardTripletLoss(0.5)):
        loss(embeddings, labels)
        assert loss.scales == pytest.approx((wanted, wanted / 0.5), rel=1e-4)


def test_without_a_pair_or_a_margin_the_scales_are_zero() -> None:
    loss = BatchAllTripletLoss(0.0)
    assert loss.scales == (0.0, 0.0)
    loss(torch.ones(1, 3), torch.zeros(1, dtype=torch.int64))
    assert loss.scales == (0.0, 0.0)
