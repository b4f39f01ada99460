"""Frames of the same scene share a forward pass: which ones, what is written down, and what is never shared."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.inference.test_score import Watcher
from tests.videos import numbered_frame
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.inference import pipeline
from training.inference import pipeline as scenes
from training.inference.pipeline import (
    BOUND,
    CELLS,
    LOW_SCORE,
    MOST_FRAMES,
    is_good_for_all,
    is_same_scene,
    small_picture,
)
from training.inference.score import open_reusable, rescore, score_study
from training.models.folder import ModelFolder
from training.runs.reporter import SilentReporter
from training.video import FieldOfView

HELD = (1, 30, 1, 1, 9, 3)
"""How long each picture of the resting study is held."""


@pytest.fixture(scope="module")
def resting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of 45 images, of which many show the same picture."""
    import cv2

    folder = tmp_path_factory.mktemp("resting")
    pictures = [number for number, count in enumerate(HELD) for _ in range(count)]
    for at, number in enumerate(pictures):
        cv2.imwrite(str(folder / f"{at:03}.png"), numbered_frame(7 * number + 3, 64, 64)[..., ::-1])
    return folder


@pytest.fixture
def everything_is_low(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the test's model says, rows may be shared."""
    monkeypatch.setattr(scenes, "LOW_SCORE", 2.0)


def scores_of(file: EmbeddingFile) -> NDArray[np.float32]:
    assert file.scores is not None
    return file.scores


def view() -> FieldOfView:
    return FieldOfView("full", 64, 64)


@pytest.mark.usefixtures("everything_is_low")
def test_a_scene_of_at_most_eight_frames_takes_the_row_of_its_first(
    resting: Path, model: ModelFolder, tmp_path: Path
) -> None:
    shared = score_study(resting, model, tmp_path / "shared.h5", device="cpu")
    every = score_study(resting, model, tmp_path / "every.h5", device="cpu", scenes=False)
    with EmbeddingFile.open(tmp_path / "shared.h5") as found, EmbeddingFile.open(tmp_path / "every.h5") as plain:
        assert plain.same_as is None
        assert found.same_as is not None
        starts, at = [], 0
        for count in HELD:
            starts += [at + place - place % MOST_FRAMES for place in range(count)]
            at += count
        assert found.same_as.tolist() == starts
        np.testing.assert_allclose(scores_of(found), scores_of(plain), atol=1e-5)
        np.testing.assert_array_equal(found.embeddings, np.asarray(found.embeddings)[found.same_as])
        np.testing.assert_array_equal(found.mean_color, plain.mean_color)
        assert found.cams is not None
        np.testing.assert_allclose(np.asarray(found.cams), np.asarray(plain.cams), atol=2e-2)
    assert shared.shared == len(starts) - len(set(starts))
    assert every.shared == 0


def test_what_might_be_flagged_is_looked_at_frame_by_frame(resting: Path, model: ModelFolder, tmp_path: Path) -> None:
    score_study(resting, model, tmp_path / "shared.h5", device="cpu")
    score_study(resting, model, tmp_path / "every.h5", device="cpu", scenes=False)
    with EmbeddingFile.open(tmp_path / "shared.h5") as found, EmbeddingFile.open(tmp_path / "every.h5") as plain:
        assert found.same_as is not None
        assert found.scores is not None
        shares = found.same_as != found.frame_index
        assert found.scores[found.same_as[shares]][:, 1:].max(initial=0) < LOW_SCORE
        np.testing.assert_allclose(scores_of(found), scores_of(plain), atol=1e-5)


@pytest.mark.usefixtures("everything_is_low")
@pytest.mark.parametrize("until", [1, 9, 20])
def test_a_scoring_that_was_stopped_goes_on_to_the_same_file(
    resting: Path, model: ModelFolder, tmp_path: Path, until: int
) -> None:
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    score_study(resting, model, whole, device="cpu", batch=2)
    first = score_study(resting, model, parts, device="cpu", batch=2, reporter=Watcher(until))
    assert 0 < first.frames_done < first.frames
    score_study(resting, model, parts, device="cpu", batch=2, resume=True, scenes=False)  # as it was started
    with EmbeddingFile.open(whole) as one, EmbeddingFile.open(parts) as other:
        np.testing.assert_array_equal(one.same_as, other.same_as)
        np.testing.assert_allclose(scores_of(one), scores_of(other), atol=1e-6)


def test_an_unfinished_file_of_an_older_version_goes_on_without_scenes(
    resting: Path, model: ModelFolder, tmp_path: Path
) -> None:
    out = tmp_path / "older.h5"
    score_study(resting, model, out, device="cpu", batch=2, scenes=False, reporter=Watcher(8))
    score_study(resting, model, out, device="cpu", batch=2, resume=True)
    with EmbeddingFile.open(out) as found:
        assert found.same_as is None


@pytest.mark.usefixtures("everything_is_low")
def test_huge_frames_share_too(
    resting: Path, model: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "LARGE_BATCH_BYTES", 16)
    summary = score_study(resting, model, tmp_path / "shared.h5", device="cpu")
    assert summary.shared == 45 - 10  # 30 held frames are four scenes, nine are two, the others one each


@pytest.mark.usefixtures("everything_is_low")
def test_new_scores_of_stored_embeddings_keep_the_scenes(resting: Path, model: ModelFolder, tmp_path: Path) -> None:
    score_study(resting, model, tmp_path / "shared.h5", device="cpu")
    with open_reusable(tmp_path / "shared.h5", model, resting) as file:
        rescore(file, model, tmp_path / "again.h5", SilentReporter())
        with EmbeddingFile.open(tmp_path / "again.h5") as again:
            np.testing.assert_array_equal(again.same_as, file.same_as)


@pytest.mark.usefixtures("everything_is_low")
def test_a_file_whose_scenes_point_forward_is_damaged(resting: Path, model: ModelFolder, tmp_path: Path) -> None:
    out = tmp_path / "shared.h5"
    score_study(resting, model, out, device="cpu")
    with h5py.File(out, "r+") as file:
        file["same_as"][3] = 40
    with EmbeddingFile.open(out) as found, pytest.raises(UserError, match="same_as"):
        _ = found.same_as


def test_slow_changes_end_a_scene() -> None:
    first = np.full((CELLS, CELLS, 3), 100, np.int16)
    assert is_same_scene(first, first + BOUND)
    one_cell = first.copy()
    one_cell[3, 4, 1] += BOUND + 1
    assert not is_same_scene(first, one_cell)


def test_what_lies_outside_the_field_of_view_does_not_count() -> None:
    circle = FieldOfView("circle", 64, 64, (31.5, 31.5), 28.0)
    frame = np.full((64, 64, 3), 90, np.uint8)
    with_clock = frame.copy()
    with_clock[:6, :6] = 255
    assert is_same_scene(small_picture(frame, circle), small_picture(with_clock, circle))
    assert not is_same_scene(small_picture(frame, view()), small_picture(with_clock, view()))
    with_spot = frame.copy()
    with_spot[30:34, 30:34] = (255, 0, 0)
    assert not is_same_scene(small_picture(frame, circle), small_picture(with_spot, circle))


def test_a_row_is_good_for_all_only_where_every_class_scores_low() -> None:
    scores: NDArray[np.float32] = np.array([[0.99, 0.005, 0.005], [0.97, 0.03, 0.0], [np.nan] * 3], np.float32)
    assert is_good_for_all(scores, ("normal", "polyp", "blood")).tolist() == [True, False, False]
    assert is_good_for_all(np.zeros((2, 0), np.float32), ()).tolist() == [True, True]
    assert not is_good_for_all(scores[:1], ("a", "polyp", "blood")).any(), "without normal, nothing is low everywhere"
