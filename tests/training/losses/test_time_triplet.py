"""The time-window triplet loss equals the enumeration of all triplets, and knows which frames are near in time."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from training.datasets.sequences import STUDY_STRIDE
from training.losses.batch_all_triplet import Reduction, batch_all_sums, count_triplets, time_window
from training.losses.time_triplet import TimeTripletLoss


def enumerated(
    embeddings: Tensor, labels: Tensor, window: int, margin: float, reduction: Reduction
) -> tuple[Tensor, int, int]:
    """The loss by three nested loops, how many triplets violate the margin, and how many there are."""
    terms, triplets = [], 0
    for a in range(len(labels)):
        for p in range(len(labels)):
            for n in range(len(labels)):
                near = abs(int(labels[a]) - int(labels[p])) <= window
                far = abs(int(labels[a]) - int(labels[n])) > window
                if a != p and near and far:
                    triplets += 1
                    d_ap = (embeddings[a] - embeddings[p]).square().sum()
                    d_an = (embeddings[a] - embeddings[n]).square().sum()
                    if d_an < d_ap + margin:
                        terms.append(d_ap - d_an + margin)
    if not terms:
        return embeddings.sum() * 0.0, 0, triplets
    total = torch.stack(terms).sum()
    return (total / len(terms) if reduction == "mean" else total), len(terms), triplets


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("window", [1, 3, 20])
def test_value_and_gradient_equal_the_enumeration(window: int, reduction: Reduction) -> None:
    generator = torch.Generator().manual_seed(window)
    embeddings = torch.randn(14, 5, generator=generator, dtype=torch.float64)
    # Two stretches of one study and one of another, in no order.
    labels = torch.tensor([0, 1, 2, 3, 4, 30, 31, 32, 33, *(STUDY_STRIDE + k for k in range(5))])
    labels = labels[torch.randperm(14, generator=generator)]
    ours, slow = embeddings.clone().requires_grad_(), embeddings.clone().requires_grad_()
    loss = TimeTripletLoss(0.7, window, reduction)
    value = loss(ours, labels)
    expected, violating, triplets = enumerated(slow, labels, window, 0.7, reduction)
    torch.autograd.backward([value, expected])
    assert value.item() == pytest.approx(expected.item(), rel=1e-12)
    assert ours.grad is not None
    assert slow.grad is not None
    torch.testing.assert_close(ours.grad, slow.grad, rtol=1e-10, atol=1e-12)
    assert loss.violating_share == violating / triplets
    assert count_triplets(labels, window) == triplets


@given(
    points=st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 12)), min_size=1, max_size=9),
    window=st.integers(1, 4),
    margin=st.integers(0, 4),
)
@settings(max_examples=60, deadline=None)
def test_ties_on_integer_distances_are_strict(points: list[tuple[int, int]], window: int, margin: int) -> None:
    embeddings = torch.tensor([[float(x), 1.0] for x, _ in points])
    labels = torch.tensor([position for _, position in points])
    sums = batch_all_sums(embeddings, time_window(labels, window), float(margin))
    expected, count, triplets = enumerated(embeddings.double(), labels, window, float(margin), "sum")
    assert int(sums.violating) == count
    assert sums.total.item() == expected.item()
    assert count_triplets(labels, window) == triplets


@given(length=st.integers(1, 90), window=st.integers(1, 100), gamma=st.integers(0, 5000), start=st.integers(0, 900_000))
@settings(max_examples=80, deadline=None)
def test_frame_i_of_a_sequence_has_so_many_positives(length: int, window: int, gamma: int, start: int) -> None:
    labels = gamma * STUDY_STRIDE + start + torch.arange(length)
    positives, negatives = time_window(labels, window)(0, length)
    expected = [min(i, window) + min(length - 1 - i, window) for i in range(length)]
    assert positives.sum(1).tolist() == expected
    assert negatives.sum(1).tolist() == [length - 1 - count for count in expected]


def test_blocks_of_anchors_and_the_whole_batch_agree() -> None:
    labels = torch.arange(20)
    positives, negatives = time_window(labels, 4)(0, 20)
    for start, stop in ((0, 7), (7, 20)):
        part, rest = time_window(labels, 4)(start, stop)
        assert torch.equal(part, positives[start:stop])
        assert torch.equal(rest, negatives[start:stop])


@pytest.mark.parametrize("labels", [torch.arange(6), torch.arange(6) * 100])
def test_without_negatives_or_positives_the_loss_is_a_zero_with_gradient(labels: Tensor) -> None:
    embeddings = torch.randn(6, 3, requires_grad=True)
    loss = TimeTripletLoss(0.2, 9)
    value = loss(embeddings, labels)
    value.backward()
    assert value.item() == 0.0
    assert embeddings.grad is not None
    assert not embeddings.grad.any()
    assert loss.violating_share == 0.0


def test_labels_in_float_are_refused_because_they_lose_neighbours() -> None:
    frames = 17 * STUDY_STRIDE + torch.arange(4)
    assert len(set(frames.float().tolist())) < 4  # what the check guards against
    with pytest.raises(ValueError, match="int64"):
        TimeTripletLoss()(torch.randn(4, 2), frames.float())


def test_shapes_and_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="expected floating-point embeddings"):
        TimeTripletLoss()(torch.randn(4, 2), torch.arange(5))
    with pytest.raises(ValueError, match="reduction"):
        TimeTripletLoss(reduction="max")  # type: ignore[arg-type]
