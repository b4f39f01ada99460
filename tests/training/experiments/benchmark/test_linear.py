"""Linear evaluation: it learns, depends on its seed alone, and says which figures are optimistic."""

import numpy as np
import pytest

from training.experiments.benchmark.comparison import EPOCHS, epochs_of
from training.experiments.benchmark.full_finetuning import LabelledEmbeddings, linear_evaluation
from training.runs.reporter import Cancelled, SilentReporter

QUICK = 0.1


def clouds(frames: int, seed: int, apart: float = 3.0, scale: float = 1.0) -> LabelledEmbeddings:
    """Two clouds of points in eight dimensions."""
    rng = np.random.default_rng(seed)
    labels = np.arange(frames) % 2
    points = rng.normal(size=(frames, 8)) + apart * labels[:, None]
    return LabelledEmbeddings((scale * points).astype(np.float32), labels)


def test_clouds_that_lie_apart_are_learned_whatever_their_scale() -> None:
    for scale in (1e-3, 1.0, 1e4):
        found = linear_evaluation(
            clouds(80, 0, scale=scale), clouds(60, 1, scale=scale), 2, 1.0, 0, SilentReporter(), epochs_factor=QUICK
        )
        assert found["last"]["accuracy"] >= 0.95
        assert found["frames"] == 80


def test_tiny_embeddings_are_standardised_too() -> None:
    """Those of an untrained EfficientNet-Lite0 are about 1e-9, and they were once taken for constant."""
    training, test = clouds(80, 0, scale=1e-9), clouds(60, 1, scale=1e-9)
    found = linear_evaluation(training, test, 2, 1.0, 0, SilentReporter(), epochs_factor=QUICK)
    assert found["last"]["accuracy"] >= 0.95


def test_a_column_that_never_changes_is_left_as_it_is() -> None:
    training, test = clouds(80, 0), clouds(60, 1)
    training.embeddings[:, 0] = test.embeddings[:, 0] = 0.1  # its deviation is not exactly 0 in floating point
    found = linear_evaluation(training, test, 2, 1.0, 0, SilentReporter(), epochs_factor=QUICK)
    assert found["last"]["accuracy"] >= 0.9


def test_the_best_epoch_is_chosen_on_the_judged_frames_and_said_to_be_optimistic() -> None:
    training, test = clouds(40, 0, apart=0.3), clouds(40, 1, apart=0.3)
    found = linear_evaluation(training, test, 2, 1.0, 0, SilentReporter(), epochs_factor=QUICK)
    assert found["best"]["accuracy"] >= found["last"]["accuracy"]
    assert found["is_optimistic"]
    assert 1 <= found["best_epoch"] <= found["epochs"] == 30


def test_other_frames_may_choose_the_epoch() -> None:
    training, test, others = clouds(40, 0, 0.3), clouds(40, 1, 0.3), clouds(40, 2, 0.3)
    found = linear_evaluation(training, test, 2, 1.0, 0, SilentReporter(), chosen_on=others, epochs_factor=QUICK)
    alone = linear_evaluation(training, test, 2, 1.0, 0, SilentReporter(), epochs_factor=QUICK)
    assert not found["is_optimistic"]
    assert found["last"] == alone["last"], "who chooses changes nothing of what is learned"
    assert found["best"]["accuracy"] <= alone["best"]["accuracy"]


def test_the_same_seed_gives_the_same_figures() -> None:
    training, test = clouds(30, 0, 0.4), clouds(30, 1, 0.4)
    first, again, other = (
        linear_evaluation(training, test, 2, 0.1, seed, SilentReporter(), epochs_factor=QUICK) for seed in (5, 5, 6)
    )
    assert first == again
    assert first != other


def test_epochs_are_those_of_the_paper() -> None:
    assert [epochs_of(share) for share in EPOCHS] == [100, 200, 300]
    assert epochs_of(0.005) == 100
    assert epochs_of(0.5) == 200
    assert epochs_of(1.0, 0.001) == 1


def test_a_cancel_is_heard_between_epochs() -> None:
    class Impatient(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        linear_evaluation(clouds(10, 0), clouds(10, 1), 2, 1.0, 0, Impatient())


def test_features_that_never_change_do_no_harm() -> None:
    training, test = (with_constants(clouds(40, seed)) for seed in (0, 1))
    found = linear_evaluation(training, test, 2, 1.0, 0, SilentReporter(), epochs_factor=QUICK)
    assert found["last"]["accuracy"] >= 0.95


def with_constants(part: LabelledEmbeddings) -> LabelledEmbeddings:
    """Two more columns that say nothing."""
    return LabelledEmbeddings(np.hstack([part.embeddings, np.ones((len(part.labels), 2), np.float32)]), part.labels)
