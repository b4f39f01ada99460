"""Prior views in the place of whole frames: the square around the reddest pixel, as a pretraining saw it."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.experiments.benchmark.small_sets import Listener, asked, make_smoke_tiny, write_images
from training.datasets.frame_store import FrameStore
from training.datasets.labelled_frames import LabelledFrames
from training.errors import UserError
from training.experiments.benchmark.comparison import SMALL
from training.experiments.benchmark.config import BenchmarkConfig
from training.experiments.benchmark.encoder import prior_frames, prior_settings
from training.experiments.benchmark.page import text_table
from training.experiments.benchmark.run import benchmark
from training.transforms.prior_view import prior_squares

SETTINGS = prior_settings(SMALL)


def store_of(pixels: np.ndarray) -> FrameStore:
    """Frames of one study whose field of view is no circle."""
    count = len(pixels)
    nothing = np.zeros(count, np.int64)
    labelled = LabelledFrames((), ("normal",), nothing, nothing, nothing)
    return FrameStore(labelled, pixels, np.zeros(count, bool), np.zeros((count, 3), np.float32))


def test_the_reddest_square_is_what_is_left() -> None:
    side = SETTINGS.read_size
    pixels = np.full((3, side, side, 3), 120, np.uint8)
    places = [(40, 90), (110, 60), (150, 160)]
    for frame, (x, y) in zip(pixels, places, strict=True):
        frame[y - 20 : y + 20, x - 20 : x + 20] = (150, 110, 110)
        frame[y, x] = (200, 20, 20)
    found = prior_frames(store_of(pixels), SETTINGS)
    assert found.pixels.shape == (3, SETTINGS.prior_size, SETTINGS.prior_size, 3)
    middle = SETTINGS.prior_size // 2
    assert (found.pixels[:, middle - 8 : middle - 4, middle - 8 : middle - 4] == (150, 110, 110)).all()
    assert (found.pixels[:, :4, :4] == 120).all()
    assert np.isnan(found.boxes).all()


def test_it_is_the_square_that_a_pretraining_cuts() -> None:
    side, shown = SETTINGS.read_size, SETTINGS.prior_size
    pixels = np.random.default_rng(0).integers(30, 220, (5, side, side, 3)).astype(np.uint8)
    share = SETTINGS.prior_share
    assert share is not None
    sides = torch.full((5,), round(share * side))
    rim = round(SETTINGS.rim_share * side)
    boxes = prior_squares(
        torch.from_numpy(pixels), torch.zeros(5, dtype=torch.bool), sides, rim_px=rim, least_redness=1.0
    )
    found = prior_frames(store_of(pixels), SETTINGS)
    for frame, view, (x_min, y_min, x_max, y_max) in zip(pixels, found.pixels, boxes.boxes.tolist(), strict=True):
        part = frame[y_min:y_max, x_min:x_max].astype(np.float64)
        assert x_max - x_min == round(share * side)
        assert view.mean() == pytest.approx(part.mean(), abs=4)
        assert abs(len(part) - shown) <= 1


def test_a_benchmark_of_prior_views_says_so_and_keeps_its_own_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_smoke_tiny(monkeypatch)
    folder = write_images(tmp_path / "set")
    whole = asked(folder, methods=("random",), seeds=1, shares=(1.0,), shots=(1,))
    prior = whole.model_copy(update={"sees": "prior views", "out": tmp_path / "prior", "cells": whole.cells_folder})
    found = [benchmark(config, Listener()) for config in (whole, prior)]
    said = [text_table(report) for report in found]
    assert "projection of whole frames" in said[0]
    assert "projection of prior views (the square around the reddest pixel" in said[1]
    assert len(list(whole.cells_folder.glob("judged-random-*"))) == 2


def test_a_full_finetuning_sees_whole_frames(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="full fine-tuning needs whole frames"):
        BenchmarkConfig.checked(images=tmp_path, labels=tmp_path, out=tmp_path, finetune=True, sees="prior views")
