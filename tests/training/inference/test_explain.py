"""Explanations: which class, which target, what they say of themselves, and what cannot be explained."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.training.inference.test_score_cam import Asking
from tests.training.pretraining.kept_run import write_kept_run
from tests.videos import write_video
from training.commands.score import ExplainCommand, run_explain
from training.errors import UserError
from training.inference.engine import ModelOutput
from training.inference.explain import explain, explain_refining
from training.inference.explain_picture import draw_explanation, method_line
from training.inference.explained_model import TEMPERATURE, ExplainedModel, class_evidence, similarity_to, target_of
from training.inference.explanation import LAYERS, SIMILARITY, Explanation, normalise_cam
from training.models.folder import ModelFolder
from training.models.network import load_network
from training.runs.reporter import Cancelled, SilentReporter
from training.video import FieldOfView, prepare_frame

VIEW = FieldOfView("circle", 96, 96, (48, 48), 40)


@pytest.fixture(scope="module")
def model(resnet: ModelFolder) -> ModelFolder:
    """One with so many channels that a quick explanation leaves some out."""
    return resnet


@pytest.fixture(scope="module")
def opened(model: ModelFolder) -> ExplainedModel:
    """The session's model in float32."""
    return ExplainedModel.open(model.path, device="cpu", precision="float32")


@pytest.fixture(scope="module")
def pretraining(tmp_path_factory: pytest.TempPathFactory) -> ExplainedModel:
    """A pretraining, which knows no classes."""
    run = write_kept_run(tmp_path_factory.mktemp("run") / "first")
    return ExplainedModel.open(run, device="cpu", precision="float32")


@pytest.fixture(scope="module")
def frame() -> NDArray[np.uint8]:
    """(96, 96, 3) with some structure."""
    coarse = np.random.default_rng(2).integers(0, 256, (12, 12, 3), np.uint8)
    return np.kron(coarse, np.ones((8, 8, 1), np.uint8)).astype(np.uint8)


def test_cams_of_all_classes_are_the_networks_own(
    model: ModelFolder, opened: ExplainedModel, frame: NDArray[np.uint8]
) -> None:
    network = load_network(model).requires_grad_(False)
    with torch.inference_mode():
        output = network(torch.from_numpy(prepare_frame(frame, VIEW, 64)[None]))
    for column, name in enumerate(model.config.classes):
        explanation = explain(opened, frame, VIEW, "cam", class_name=name)
        weight = network.classifier.weight[column].numpy()
        raw = np.einsum("k,khw->hw", weight, output.features[0].numpy())
        assert raw.mean() == pytest.approx(float(output.logits[0, column] - network.classifier.bias[column]), abs=1e-3)
        np.testing.assert_allclose(explanation.map, normalise_cam(raw), atol=1e-3)
        assert explanation.scores[name] == pytest.approx(float(output.logits.softmax(1)[0, column]), abs=1e-4)


@pytest.mark.parametrize("method", ["cam", "score-cam", "quick"])
def test_it_says_method_model_and_scores(opened: ExplainedModel, frame: NDArray[np.uint8], method: Any) -> None:
    layer = "layer4" if method == "cam" else "layer2"
    found = explain(opened, frame, VIEW, method, layer=layer)
    assert found.method == method
    assert found.class_name == max(list(found.scores)[1:], key=lambda name: found.scores[name])
    assert sum(found.scores.values()) == pytest.approx(1, abs=1e-5)
    assert "model m1" in found.title
    assert found.map.dtype == np.float32
    assert found.map.max() == 1
    assert (found.agreement is None) == (method != "quick") == found.is_exact
    assert ("an estimate of the exact one" in method_line(found)) == (method == "quick")
    assert ("was not measured" in found.note) == (method == "quick"), "it was measured at layer4"
    overlay = found.overlay(96, 96)
    assert not overlay[~VIEW.mask(96, 96)].any()
    back = Explanation.from_json(json.loads(json.dumps(found.to_json())), found.map)
    assert back.to_json() == found.to_json()
    picture = draw_explanation(frame, found, "Frame 3")
    assert picture.shape[1] > 2 * 448


def test_quick_over_every_channel_says_that_it_is_exact(opened: ExplainedModel, frame: NDArray[np.uint8]) -> None:
    assert explain(opened, frame, VIEW, "quick", layer="layer1").agreement == 1


def test_refining_gives_the_quick_one_and_then_the_exact_one(opened: ExplainedModel, frame: NDArray[np.uint8]) -> None:
    reporter = Asking()
    quick, exact = explain_refining(opened, frame, VIEW, class_name="blood", layer="layer2", reporter=reporter)
    alone = explain(opened, frame, VIEW, "score-cam", class_name="blood", layer="layer2")
    assert (quick.method, exact.method) == ("quick", "score-cam")
    np.testing.assert_allclose(exact.map, alone.map, atol=2e-3)
    assert reporter.told[-1][0] == reporter.told[-1][1] >= 120
    assert sum(done == 96 for done, _ in reporter.told) <= 3, "no channel is asked twice"


def test_a_pretraining_is_explained_by_its_own_embedding(pretraining: ExplainedModel, frame: NDArray[np.uint8]) -> None:
    found = explain(pretraining, frame, VIEW, "score-cam", layer="layer2")
    assert (found.class_name, found.scores) == (SIMILARITY, {})
    assert found.has_evidence
    assert "No class" in found.note
    assert "step 20" in found.model_id
    assert draw_explanation(frame, found, "Frame 3").ndim == 3


def test_a_score_against_normal_is_explained_by_the_difference_from_normal() -> None:
    output = ModelOutput(np.zeros((1, 2), np.float32), np.array([[1, 5, -2]], np.float32))
    assert [float(class_evidence(column, "against_normal")(output)[0]) for column in range(3)] == [1, 4, -3]
    assert [float(class_evidence(column, "softmax")(output)[0]) for column in range(3)] == [1, 5, -2]


def test_similarity_written_out() -> None:
    own, baseline = np.array([3, 1], np.float32), np.array([1, 1], np.float32)
    ask = similarity_to(own, baseline)
    others = np.array([[3, 1], [1, 5], [-1, 1], [2, 2], [1, 1], [1.05, 1]], np.float32)
    found = ask(ModelOutput(others, np.zeros((6, 0), np.float32))) * TEMPERATURE
    # Seen from the baseline: along the frame's own, across, against it, between; then no change, and hardly any.
    np.testing.assert_allclose(found, [1, 0, -1, np.sqrt(0.5), 0, 0.5], atol=1e-5)


def test_a_classifier_can_be_asked_for_similarity_too(opened: ExplainedModel, frame: NDArray[np.uint8]) -> None:
    found = explain(opened, frame, VIEW, "quick", class_name=SIMILARITY, layer="layer1")
    assert found.class_name == SIMILARITY
    prepared = prepare_frame(frame, VIEW, 64)
    output = opened.look(prepared).output
    assert float(target_of(opened, prepared, output, SIMILARITY)(output)[0]) == pytest.approx(1 / TEMPERATURE, rel=1e-3)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"method": "grad-cam"}, "no explanation 'grad-cam'"),
        ({"method": "score-cam", "layer": "layer9"}, "no layer 'layer9'"),
        ({"method": "cam", "layer": "layer3"}, "explains layer4, not layer3"),
        ({"method": "quick", "class_name": "worm"}, "no class 'worm'"),
        ({"method": "cam", "class_name": SIMILARITY}, "needs a class"),
    ],
)
def test_what_cannot_be_explained(
    opened: ExplainedModel, frame: NDArray[np.uint8], wish: dict[str, Any], words: str
) -> None:
    with pytest.raises(UserError, match=words) as raised:
        explain(opened, frame, VIEW, **wish)
    assert raised.value.hint


def test_without_a_linear_classifier_there_is_no_cam(pretraining: ExplainedModel, frame: NDArray[np.uint8]) -> None:
    with pytest.raises(UserError, match="no linear classifier") as raised:
        explain(pretraining, frame, VIEW, "cam")
    assert "Score-CAM" in raised.value.hint
    with pytest.raises(UserError, match="no class 'blood'"):
        explain(pretraining, frame, VIEW, "quick", class_name="blood")


def test_a_cancel_ends_it(opened: ExplainedModel, frame: NDArray[np.uint8]) -> None:
    for method in ("score-cam", "quick"):
        with pytest.raises(Cancelled):
            explain(opened, frame, VIEW, method, layer="layer2", reporter=Asking(cancel_at=8))


def test_a_map_without_evidence_is_black_and_says_so() -> None:
    silent = Explanation("cam", "polyp", "m1", "layer4", np.zeros((2, 2), np.float32), VIEW, {"polyp": 0.1}, None, "x")
    assert not silent.has_evidence
    assert not silent.overlay(96, 96).any()


@pytest.mark.parametrize("frames", [1, 3])
@pytest.mark.parametrize("method", ["cam", "quick"])
def test_the_command_on_the_shortest_studies(model: ModelFolder, tmp_path: Path, frames: int, method: Any) -> None:
    study, out = write_video(tmp_path / "short.mp4", frames), tmp_path / "a.png"
    layer = "layer1" if method == "quick" else LAYERS[-1]
    wish: dict[str, Any] = {
        "path": study,
        "frame": frames - 1,
        "model": model.path,
        "out": out,
        "device": "cpu",
        "layer": layer,
    }
    found = run_explain(ExplainCommand(**wish, method=method), SilentReporter())
    assert (found["method"], found["model"]) == (method, "m1")
    assert found.get("layer") == ("layer1" if method == "quick" else None), "the last one goes without saying"
    assert cv2.imread(str(out)) is not None
