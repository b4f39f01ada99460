"""Intervals of the difference of two models."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.metrics.test_comparison import frames_of, model
from training.metrics.comparison import paired_intervals
from training.metrics.detector import auc
from training.metrics.patient_bootstrap import RankedScores
from training.metrics.protocol import fold_figures


@pytest.mark.parametrize("seed", range(5))
def test_a_draw_has_the_figures_of_its_frames(seed: int) -> None:
    """The weighted figures equal the plain ones on the frames drawn, ties included."""
    generator = np.random.default_rng(seed)
    positive = generator.random(60) < 0.4
    scores = np.round(generator.random(60), 1)
    weights = generator.integers(0, 3, 60)
    drawn: NDArray[Any] = np.repeat(np.arange(60), weights)
    figures = RankedScores(positive, scores).figures(weights)
    assert figures is not None
    plain = fold_figures(positive[drawn].astype(np.int64), np.stack([1 - scores, scores], axis=1)[drawn])
    assert figures == pytest.approx({name: plain[name] for name in figures})


def test_the_interval_covers_the_difference_and_one_patient_alone_gives_none() -> None:
    frames = frames_of(6)
    positive = frames.labels == 1
    old, new = (model(frames, strength).scores[:, 1] for strength in (0.2, 0.6))
    told = paired_intervals(positive, frames.patients, old, new)
    assert told is not None
    values = [auc(positive, track) for track in (old, new)]
    assert values[0] is not None
    assert values[1] is not None
    low, high = told["auc"]
    assert low < values[1] - values[0] < high
    assert paired_intervals(np.ones(60, bool), frames.patients, old, new) is None
