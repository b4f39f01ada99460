"""The classifier of single frames learns a class that frames show, and gives each frame a score."""

import numpy as np
import pytest
import torch

from training.errors import UserError
from training.reidentification.fragmentation import ClassifierTraining
from training.reidentification.frame_classifier import FrameClassifier, frame_scores, train_classifier
from training.reidentification.views import Crops
from training.runs.reporter import Cancelled, SilentReporter

IS_POSITIVE = np.array([True, False] * 4)


def some_crops() -> list[Crops]:
    """Bright tracklets are positive."""
    rng = np.random.default_rng(0)
    return [rng.integers(120 * each, 100 + 120 * each, (5, 16, 16, 3)).astype(np.uint8) for each in IS_POSITIVE]


def test_it_learns_what_the_frames_show() -> None:
    torch.manual_seed(0)
    network = FrameClassifier("tiny", 8)
    train_classifier(
        network, some_crops(), IS_POSITIVE, ClassifierTraining(epochs=6, batch=10, learning_rate=3e-3), SilentReporter()
    )
    assert not network.training
    scores = frame_scores(network, some_crops())
    assert [each.shape for each in scores] == [(5,)] * 8
    means = np.array([each.mean() for each in scores])
    assert 0 <= means.min() < means[IS_POSITIVE].min()
    assert means[~IS_POSITIVE].max() < means[IS_POSITIVE].min() <= 1
    images = torch.from_numpy(some_crops()[0])
    assert torch.sigmoid(network(images)).detach().numpy() == pytest.approx(scores[0], abs=1e-5)


def test_the_defaults_are_the_papers() -> None:
    assert (ClassifierTraining().epochs, ClassifierTraining().learning_rate) == (200, 1e-3)


def test_one_class_is_refused() -> None:
    with pytest.raises(UserError, match="of one class"):
        train_classifier(
            FrameClassifier("tiny", 8), some_crops(), IS_POSITIVE | True, ClassifierTraining(), SilentReporter()
        )


def test_a_stop_ends_the_training() -> None:
    class Stopped(SilentReporter):
        stop_requested = True

    with pytest.raises(Cancelled):
        train_classifier(FrameClassifier("tiny", 8), some_crops(), IS_POSITIVE, ClassifierTraining(), Stopped())
