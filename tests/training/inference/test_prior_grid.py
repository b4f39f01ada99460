"""The likeness of windows to the prior view: where they lie, what they are compared with, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.pretraining.kept_run import write_kept_run
from training.compute.plan import choose_plan
from training.errors import UserError
from training.inference.explain import explain
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import SIMILARITY
from training.inference.prior_grid import PriorGrid, window_corners
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, inference_network
from training.pretraining.pretrained import Pretrained
from training.video import FieldOfView

SIZE = 224
VIEW = FieldOfView("full", SIZE, SIZE)
PLAN = choose_plan("cpu", precision="float32")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Pretrained:
    """A pretraining with pgcon whose prior view is an eighth of the frame wide."""
    settings: dict[str, Any] = {"method": "pgcon", "projection": (16,), "prior_size": 32, "prior_share": 1 / 8}
    return Pretrained.open(write_kept_run(tmp_path_factory.mktemp("run") / "r", **settings))


def frame(*red: tuple[int, int]) -> NDArray[np.uint8]:
    """Grey noise with equal red squares of 28 px around some places (x, y), the first one reddest."""
    rng = np.random.default_rng(0)
    pixels = rng.integers(120, 136, (SIZE, SIZE, 3)).astype(np.uint8)
    for number, (x, y) in enumerate(red):
        pixels[y - 14 : y + 14, x - 14 : x + 14] = (220 - number, 20, 20)
    return pixels


def test_windows_are_centred_on_cells_and_stay_inside() -> None:
    assert window_corners(224, 28, 8) == [0, 28, 56, 84, 112, 140, 168, 196]
    assert window_corners(224, 60, 14)[0] == 0
    assert window_corners(224, 60, 14)[-1] == 164


def test_the_prior_view_and_what_looks_like_it_are_found(run: Pretrained) -> None:
    grid = PriorGrid(run, PLAN, grid=8)
    found = grid(frame((42, 70), (154, 182)), VIEW)
    assert found.shape == (8, 8)
    assert found.mean() == pytest.approx(0, abs=1e-6)
    strongest = {tuple(np.unravel_index(place, found.shape)) for place in np.argsort(found.ravel())[-2:]}
    assert strongest == {(2, 1), (6, 5)}, "rows and columns of the two red squares"


def test_a_frame_without_red_is_compared_with_its_middle(run: Pretrained) -> None:
    found = PriorGrid(run, PLAN, grid=7)(np.full((SIZE, SIZE, 3), 128, np.uint8), VIEW)
    assert np.abs(found).max() == pytest.approx(0, abs=1e-5), "all windows are alike"


def test_small_frames_and_other_methods_are_refused(run: Pretrained, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="at least 224 px, not 96"):
        PriorGrid(run, PLAN)(np.zeros((96, 96, 3), np.uint8), VIEW)
    with pytest.raises(UserError, match="time-triplet, which has no prior view"):
        PriorGrid(Pretrained.open(write_kept_run(tmp_path / "r")), PLAN)


def test_one_frame_is_explained_at_a_size_that_is_large_enough(run: Pretrained) -> None:
    model = ExplainedModel.open(run.run, device="cpu")
    assert model.input_size < 224
    explained = explain(model, frame((42, 70), (154, 182)), VIEW, "prior-grid")
    assert (explained.method, explained.class_name, explained.map.max()) == ("prior-grid", SIMILARITY, 1.0)
    overlay = explained.overlay(SIZE, SIZE)
    assert overlay[70, 42] > overlay[200, 30]
    assert "light parts look like the reddest part" in explained.note


def test_a_model_has_no_prior_view() -> None:
    model = ExplainedModel(
        inference_network(FrameClassifier(ModelConfig(classes=("normal", "polyp"), input_size=64))), PLAN
    )
    with pytest.raises(UserError, match="is no pretraining"):
        explain(model, frame(), VIEW, "prior-grid")
