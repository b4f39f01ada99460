"""The distillation loss against a slow reference, and what it leaves free."""

import math

import pytest
import torch

from training.losses.terms import kept_loss

KEPT = torch.tensor([2, 3])
TARGETS = torch.tensor([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0]])


def test_it_is_the_divergence_of_the_grouped_scores() -> None:
    torch.manual_seed(0)
    logits = torch.randn(2, 5)  # one class more than the old model has
    targets = TARGETS.tolist()
    expected = 0.0
    for row, scores in zip(targets, logits.softmax(1).tolist(), strict=True):
        grouped = [scores[0] + scores[1] + scores[4], scores[2], scores[3]]
        expected += sum(wanted * math.log(wanted / got) for wanted, got in zip(row, grouped, strict=True) if wanted) / 2
    assert kept_loss(logits, torch.tensor(targets), KEPT).item() == pytest.approx(expected, rel=1e-5)


def test_the_labels_alone_decide_what_the_rest_is() -> None:
    targets = TARGETS[:1]
    for rest in ([0.5, 0.2], [0.2, 0.5], [0.7, 0.0]):
        logits = torch.tensor([[*rest, 0.2, 0.1]]).clamp_min(1e-30).log()
        assert kept_loss(logits, targets, KEPT).item() == pytest.approx(0.0, abs=1e-6)
    forgotten = torch.tensor([[0.9, 0.1, 1e-6, 1e-6]]).log()
    assert kept_loss(forgotten, targets, KEPT).item() > 1
