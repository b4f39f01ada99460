"""`fit`: what all trainings share. Each method overfits 32 phantom frames; presets do what the papers say."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.training.datasets.frames import labelled
from tests.training.finetuning.phantom_frames import phantom_frames
from tests.training.stopping import StopsAfter
from training.errors import UserError
from training.finetuning.batches import make_sampler
from training.finetuning.config import FinetuneConfig, finetune_config
from training.finetuning.fitting import Fitted, augmentation, fit, make_optimizer
from training.inference.torch_engine import score_frames
from training.losses.terms import Losses
from training.methods.pretrain_method import FrameSettings
from training.methods.tl_ba import TripletBatchAll
from training.metrics.detector import auc
from training.models.config import ModelConfig
from training.models.network import FrameClassifier
from training.optimisation.schedule import rate_factor
from training.pretraining.config import stored_config as stored_pretraining
from training.runs.checkpoint import list_checkpoints
from training.runs.folder import Point
from training.runs.reporter import SilentReporter


class Listener(SilentReporter):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


def asked(**fields: Any) -> FinetuneConfig:
    plain = {"studies": "m", "labels": "l", "out": "o", "device": "cpu", "precision": "float32", "threads": 1}
    return finetune_config(**{**plain, **fields})


def network(layer: int | None = None) -> FrameClassifier:
    torch.manual_seed(0)
    return FrameClassifier(
        ModelConfig(backbone="tiny", classes=("normal", "lesion"), input_size=32, embedding_layer=layer)
    )


PLAIN = {"refit": False, "rotations": "none", "flips": False, "zoom": 0.0, "brightness": 0.0, "saturation": 0.0}


# Adam's first steps through the whole network move it faster than running statistics follow; SGD's do not.
@pytest.mark.parametrize(
    ("method", "optimizer", "rate"),
    [("tl-ba", "adamw", 5e-4), ("tl-bh", "adamw", 5e-4), ("cross-entropy", "sgd", 1e-2)],
)
def test_each_method_overfits_32_phantom_frames_to_an_auc_of_one(method: str, optimizer: str, rate: float) -> None:
    store, steps = phantom_frames(), 60
    config = asked(
        init="random",
        method=method,
        optimizer=optimizer,
        learning_rate=rate,
        steps=steps,
        batch_size=32,
        white_balance=0.0,
        **PLAIN,
    )
    fitted = fit(config, network(), store, SilentReporter())
    scores = score_frames(fitted.network, store.pixels, SilentReporter()).scores
    assert auc(store.labelled.label == 1, scores[:, 1]) == 1.0
    assert (fitted.steps_done, fitted.is_finished, len(fitted.points)) == (steps, True, steps)


def short(steps: int = 4, **fields: Any) -> FinetuneConfig:
    return asked(**{"steps": steps, "batch_size": 8, "refit": False, **fields})


def curve(fitted: Fitted) -> list[tuple[float, ...]]:
    """The points without the speed, which no two trainings share."""
    return [(p.step, p.loss, *p.terms.values(), p.learning_rate) for p in fitted.points]


def test_steps_given_win_points_are_told_and_nothing_is_written(tmp_path: Path) -> None:
    told: list[Point] = []
    start = network()
    fitted = fit(short(9), start, phantom_frames(), SilentReporter(), steps=2, on_point=told.append)
    assert fitted.network is start
    assert told == fitted.points
    assert [point.step for point in told] == [1, 2]
    assert not list(tmp_path.iterdir())


def test_it_goes_on_from_its_checkpoints_as_if_nothing_had_happened(tmp_path: Path) -> None:
    config = short(method="tl-bh", embedding_layer=128)
    whole = fit(config, network(128), phantom_frames(), SilentReporter())

    stopped = fit(config, network(128), phantom_frames(), StopsAfter(2), checkpoints=tmp_path)
    assert (stopped.steps_done, stopped.is_finished) == (2, False)
    assert list_checkpoints(tmp_path)[0].step == 2
    rest = fit(config, network(128), phantom_frames(), SilentReporter(), checkpoints=tmp_path)
    assert curve(stopped) + curve(rest) == curve(whole)


def test_gradient_caching_stands_in_for_memory_that_ran_out(monkeypatch: pytest.MonkeyPatch) -> None:
    real = TripletBatchAll.embed

    def cramped(self: TripletBatchAll, images: Tensor) -> Tensor:
        if len(images) > 4:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return real(self, images)

    monkeypatch.setattr(TripletBatchAll, "embed", cramped)
    listener = Listener()
    fitted = fit(short(2), network(), phantom_frames(), listener)
    assert fitted.is_finished
    assert "4 frames at a time" in fitted.memory
    assert any("ran out of memory" in line for line in listener.lines)


def test_memory_for_nothing_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: TripletBatchAll, images: Tensor) -> Tensor:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(TripletBatchAll, "embed", full)
    with pytest.raises(UserError, match="ran out of memory even with the smallest"):
        fit(short(2), network(), phantom_frames(), SilentReporter())


def test_a_loss_that_is_not_a_number_never_reaches_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = TripletBatchAll.losses_of, [0]

    def failing(self: TripletBatchAll, embedding: Tensor, labels: Tensor) -> Losses:
        calls[0] += 1
        losses = real(self, embedding, labels)
        return losses if calls[0] == 1 else losses._replace(total=losses.total * float("nan"))

    monkeypatch.setattr(TripletBatchAll, "losses_of", failing)
    start = network()
    with pytest.raises(UserError, match=r"not a finite number at step 2 \(learning rate"):
        fit(short(), start, phantom_frames(), SilentReporter())
    assert all(bool(parameter.isfinite().all()) for parameter in start.parameters())


def test_preset_laiz_is_the_papers() -> None:
    config = asked(preset="laiz")
    frames = labelled([("A", 0, 300, 0), ("B", 0, 30, 0), ("C", 0, 90, 0), ("A", 400, 426, 1), ("C", 400, 426, 1)])
    sampler = make_sampler(config, frames)
    batches = [sampler.batch(step) for step in range(sampler.epoch_steps(1))]
    assert len(batches) == 4  # 52 positives, 13 a batch
    for batch in batches:
        assert np.bincount(frames.label[batch]).tolist() == [51, 13]
        negatives = batch[frames.label[batch] == 0]
        assert np.bincount(frames.study[negatives]).tolist() == [17, 17, 17]  # however long the procedure
    positives = np.concatenate([batch[frames.label[batch] == 1] for batch in batches])
    assert sorted(positives) == np.flatnonzero(frames.label == 1).tolist()  # an epoch: all positives once
    assert sampler.epoch_steps(config.epochs) == 200
    assert (config.epochs, config.most_steps, config.steps, config.refit) == (50.0, 0, None, False)
    optimizer = make_optimizer(network(), config)
    assert isinstance(optimizer, torch.optim.SGD)
    assert [(g["lr"], g["momentum"], g["weight_decay"]) for g in optimizer.param_groups] == [(1e-3, 0.0, 0.0)] * 2
    assert {rate_factor(config, step, 200) for step in range(200)} == {1.0}
    changes = augmentation(config)
    assert (changes.rotations, changes.flips, changes.close_up_share) == ("quarter", True, 0.0)
    assert changes.brightness > 0
    assert (changes.zoom, changes.saturation, changes.white_balance) == (0.0, 0.0, 0.0)
    assert asked(preset="laiz", reduction="sum").model_dump()["reduction"] == "sum"


def test_preset_pascual_is_the_papers() -> None:
    config = asked(preset="pascual")
    assert (config.steps, config.sampling, config.optimizer, config.refit) == (4500, "proportional", "sgd", False)
    rates = [0.01 * rate_factor(config, step, 4500) for step in (0, 1499, 1500, 2999, 3000, 4499)]
    assert rates == pytest.approx([1e-2, 1e-2, 1e-3, 1e-3, 1e-4, 1e-4])
    assert [group["lr"] for group in make_optimizer(network(), config).param_groups] == [0.01, 0.01]
    frames = labelled([("A", 0, 96, 0), ("A", 100, 124, 1), ("A", 200, 208, 2)])
    batch = make_sampler(config, frames).batch(0)
    assert np.abs(np.bincount(frames.label[batch]) - [48, 12, 4]).max() <= 1


def test_the_layer_learns_with_the_backbone_and_apart_from_the_classifier() -> None:
    start = network(128)
    assert start.embedding_layer is not None
    shaping, classifier = make_optimizer(start, asked()).param_groups
    assert any(parameter is start.embedding_layer.weight for parameter in shaping["params"])
    assert len(classifier["params"]) == 2
    assert len(shaping["params"]) + 2 == len(list(start.parameters()))


def test_the_augmentation_is_that_of_the_settings() -> None:
    made = augmentation(asked(preset="pascual"))
    assert (made.grey, made.contrast, made.hue, made.round_mask) == (0.2, 0.2, 0.05, True)
    pretraining = stored_pretraining({"method": "time-triplet", "studies": "-", "out": "-"})
    assert isinstance(pretraining, FrameSettings)
    assert pretraining.augmentation() == made, "the same in pretraining and finetuning (Pascual et al., section 4.2)"
    plain = augmentation(asked())
    assert (plain.grey, plain.contrast, plain.hue, plain.round_mask) == (0.0, 0.0, 0.0, False)


def test_without_trained_layers_only_the_classifier_changes() -> None:
    made, frames = network(), phantom_frames()
    before = {name: tensor.clone() for name, tensor in made.state_dict().items()}
    fitted = fit(asked(preset="linear", threads=1, precision="float32", device="cpu"), made, frames, SilentReporter())
    assert (fitted.steps_done, fitted.is_finished) == (0, True)
    changed = {name for name, tensor in made.state_dict().items() if not torch.equal(tensor, before[name])}
    assert changed == {"classifier.weight", "classifier.bias"}
