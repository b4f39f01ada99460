"""The batch-hard triplet loss equals the search written out."""

import pytest
import torch
from torch import Tensor

from training.losses.batch_all_triplet import Reduction
from training.losses.batch_hard_triplet import BatchHardTripletLoss


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
