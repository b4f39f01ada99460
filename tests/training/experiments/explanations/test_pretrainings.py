"""A pretraining, which knows no classes, judged by boxes: likeness to itself, unseen groups, redness alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.experiments.explanations.images import GROUPS, SIDE, write_boxed_images
from tests.training.experiments.explanations.test_evaluation import config_of, rows_of
from tests.training.pretraining.kept_run import write_kept_run
from training.errors import UserError
from training.experiments.explanations.evaluation import evaluate_explanations
from training.experiments.explanations.explainers import Questioner
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import SIMILARITY
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")

ASKED: dict[str, Any] = {"folds": None, "explain": ("quick", "redness", "center"), "sample": 3, "input_size": None}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four groups of four images."""
    return write_boxed_images(tmp_path_factory.mktemp("boxed") / "set")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pretraining that learned from the first two groups."""
    path = write_kept_run(tmp_path_factory.mktemp("run") / "first")
    split = json.loads((path / "split.json").read_text(encoding="utf-8"))
    (path / "split.json").write_text(json.dumps(split | {"training_patients": GROUPS[:2]}), encoding="utf-8")
    return path


def test_it_is_asked_for_its_likeness_and_what_it_saw_is_said(data: Path, run: Path, tmp_path: Path) -> None:
    report = evaluate_explanations(config_of(data, tmp_path / "out", model=run, **ASKED), SilentReporter())
    rows = rows_of(tmp_path / "out")
    assert {row["class"] for row in rows} == {SIMILARITY}
    assert {row["filename"] for row in rows if row["deletion"]} == {
        row["filename"] for row in rows if row["sampled"] == "1"
    }
    assert report["models"][0]["model_id"] == "first step 20"
    assert report["data"]["recognised"] == 0
    assert "trained on 2 of the 4 groups" in report["warnings"][-1]
    assert (tmp_path / "out" / "report.html").is_file()


def test_unseen_leaves_out_what_it_learned_from_and_draws_the_sample_from_the_rest(
    data: Path, run: Path, tmp_path: Path
) -> None:
    asked = config_of(data, tmp_path / "out", model=run, unseen=True, **ASKED)
    report = evaluate_explanations(asked, SilentReporter())
    rows = rows_of(tmp_path / "out")
    assert {row["group"] for row in rows} == set(GROUPS[2:])
    assert report["data"]["frames"] == 4
    assert report["data"]["sampled"] == 3
    assert not report["warnings"] or "learned from" not in report["warnings"][-1]


def test_redness_points_at_the_red_squares(data: Path, run: Path, tmp_path: Path) -> None:
    asked = config_of(data, tmp_path / "out", model=run, **(ASKED | {"explain": ("redness",), "curve_steps": 0}))
    table = evaluate_explanations(asked, SilentReporter())["table"]["all"]
    assert table["redness"]["pointing"]["value"] == 1
    assert table["redness"]["chance"]["value"] == pytest.approx((16 / SIDE) ** 2)


def test_it_is_explained_at_the_size_and_step_asked_for(data: Path, run: Path, tmp_path: Path) -> None:
    asked = config_of(data, tmp_path / "out", model=run, at_step=0, **(ASKED | {"input_size": 96, "shown": 0}))
    told = evaluate_explanations(asked, SilentReporter())["models"][0]
    assert told["model_id"].endswith("step 0")
    assert told["input_size"] == 96


def test_a_frame_is_as_like_itself_as_can_be_and_black_not_at_all(run: Path) -> None:
    model = ExplainedModel.open(run, device="cpu", precision="float32")
    frame = np.random.default_rng(0).integers(0, 256, (model.input_size, model.input_size, 3)).astype(np.uint8)
    asked = Questioner(model)
    question = asked.question(frame, "blood")
    mean = np.broadcast_to(np.round(255 * np.array((0.485, 0.456, 0.406))), frame.shape).astype(np.uint8)
    same, nothing = asked.scores(question, np.stack([frame, mean]))
    assert question.score == pytest.approx(same, abs=1e-4)
    assert abs(nothing) < 0.5


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"explain": ("cam",)}, "has no linear classifier, so there is no CAM"),
        ({"class_name": "blood"}, "has no class blood"),
        ({"at_step": 7}, "has no weights of step 7"),
    ],
)
def test_what_a_pretraining_cannot_be_asked_is_a_sentence(
    data: Path, run: Path, tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(UserError, match=said):
        evaluate_explanations(config_of(data, tmp_path / "out", model=run, **(ASKED | changes)), SilentReporter())


def test_a_pretraining_that_saw_every_group_has_nothing_unseen(data: Path, tmp_path: Path) -> None:
    path = write_kept_run(tmp_path / "all")
    split = json.loads((path / "split.json").read_text(encoding="utf-8"))
    (path / "split.json").write_text(json.dumps(split | {"training_patients": GROUPS}), encoding="utf-8")
    with pytest.raises(UserError, match="trained on every group"):
        evaluate_explanations(config_of(data, tmp_path / "out", model=path, unseen=True, **ASKED), SilentReporter())


def test_unseen_belongs_to_a_model_that_is_given(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="need a given model"):
        config_of(data, tmp_path / "out", unseen=True)


def test_a_prior_guided_pretraining_is_asked_as_it_was_trained(data: Path, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"method": "pgcon", "projection": (16,), "prior_size": 32}
    run = write_kept_run(tmp_path / "run", **settings)
    asked = ASKED | {"explain": ("prior-grid", "redness"), "sample": 1, "input_size": 224, "curve_steps": 0}
    report = evaluate_explanations(config_of(data, tmp_path / "out", model=run, **asked), SilentReporter())
    assert report["table"]["sample"]["prior-grid"]["frames"] == 1
    with pytest.raises(UserError, match="at least 224 px"):
        evaluate_explanations(
            config_of(data, tmp_path / "small", model=run, **asked | {"input_size": 64}), SilentReporter()
        )


def test_a_pretraining_without_prior_views_has_no_prior_grid(data: Path, run: Path, tmp_path: Path) -> None:
    asked = config_of(data, tmp_path / "out", model=run, **ASKED | {"explain": ("prior-grid",)})
    with pytest.raises(UserError, match="time-triplet, which has no prior view"):
        evaluate_explanations(asked, SilentReporter())
