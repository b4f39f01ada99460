"""Classifiers of other programs: what they score, and what is said of a file that cannot be used."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import training
from tests.onnx_files import WIDTH, Network, write_onnx
from tests.training.models.test_folder import sums_again
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands.shell import main
from training.compute.plan import ComputePlan
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.inference.engine import EngineOutput, open_engine
from training.models.config import NORMAL
from training.models.folder import ModelFolder
from training.models.imported import Description, import_classifier
from training.models.inference_network import network_of_model
from training.runs.reporter import SilentReporter

NAMES = ["polyp", "clean", "blood"]
DESCRIBED: dict[str, Any] = {"classes": NAMES, "normal": "clean", "activation": "softmax"}
SIDE = 64


def imported(file: Path, folder: Path, runs_code: bool = False, **described: Any) -> ModelFolder:
    description = Description.model_validate({**DESCRIBED, **described})
    return import_classifier(file, description, folder / "model", "theirs", SilentReporter(), runs_code=runs_code)


def computed(folder: ModelFolder, pictures: NDArray[np.uint8]) -> EngineOutput:
    return open_engine(network_of_model(folder), ComputePlan("cpu", "float32", 4, 1, 1)).run(pictures)


@pytest.fixture
def pictures() -> NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 256, (4, SIDE, SIDE, 3), dtype=np.uint8)


def normalised(pictures: NDArray[np.uint8], mean: Any = (0.485, 0.456, 0.406), std: Any = (0.229, 0.224, 0.225)) -> Any:
    images = torch.from_numpy(pictures).permute(0, 3, 1, 2) / 255
    return (images - torch.tensor(mean).view(1, 3, 1, 1)) / torch.tensor(std).view(1, 3, 1, 1)


def close(ours: NDArray[np.float32], theirs: Any) -> bool:
    return bool(np.abs(ours - theirs.numpy()).max() < 1e-4)


@pytest.mark.parametrize("last", ["", "Softmax"])
def test_exclusive_classes_score_as_their_softmax(tmp_path: Path, pictures: NDArray[np.uint8], last: str) -> None:
    file = write_onnx(tmp_path / "theirs.onnx", last=last)
    folder = imported(file, tmp_path, activation="none" if last else "softmax")
    expected = Network()(normalised(pictures)).softmax(1)[:, [1, 0, 2]]
    assert folder.config.classes == (NORMAL, "polyp", "blood")
    assert close(computed(folder, pictures).scores, expected)


@pytest.mark.parametrize("last", ["", "Sigmoid"])
@pytest.mark.parametrize("names", [NAMES, ["polyp", "ulcer", "blood"]])
def test_classes_with_scores_of_their_own(
    tmp_path: Path, pictures: NDArray[np.uint8], last: str, names: list[str]
) -> None:
    file = write_onnx(tmp_path / "theirs.onnx", last=last)
    folder = imported(file, tmp_path, activation="none" if last else "sigmoid", classes=names)
    columns = [place for place, name in enumerate(names) if name != "clean"]
    expected = Network()(normalised(pictures)).sigmoid()[:, columns]
    scores = computed(folder, pictures).scores
    assert folder.config.classes == (NORMAL, *(names[place] for place in columns))
    assert close(scores[:, 1:], expected)
    assert close(scores[:, 0], 1 - expected.max(1).values)


def test_one_output_is_one_finding(tmp_path: Path, pictures: NDArray[np.uint8]) -> None:
    folder = imported(write_onnx(tmp_path / "theirs.onnx", 1), tmp_path, classes=["polyp"], activation="sigmoid")
    assert close(computed(folder, pictures).scores[:, 1:], Network(1)(normalised(pictures)).sigmoid())


def test_pixels_go_in_as_described(tmp_path: Path, pictures: NDArray[np.uint8]) -> None:
    file = write_onnx(tmp_path / "theirs.onnx", is_last=True, side="side")
    folder = imported(file, tmp_path, input_size=SIDE, channels="BGR", mean=[0.5] * 3, std=[0.25] * 3)
    images = normalised(pictures, (0.5,) * 3, (0.25,) * 3)[:, [2, 1, 0]]
    assert close(computed(folder, pictures).scores, Network()(images).softmax(1)[:, [1, 0, 2]])


def test_an_embedding_is_the_output_that_is_named(tmp_path: Path, pictures: NDArray[np.uint8]) -> None:
    file = write_onnx(tmp_path / "theirs.onnx", with_embedding=True)
    folder = imported(file, tmp_path, output="scores", embedding="embedding")
    result, network = computed(folder, pictures), Network()
    assert result.embeddings.shape == (4, WIDTH + 3)
    assert close(result.embeddings[:, :WIDTH], network.embed(normalised(pictures)))
    assert close(result.logits, network(normalised(pictures))[:, [1, 0, 2]])


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_torchscript_is_loaded_only_when_asked(tmp_path: Path, pictures: NDArray[np.uint8]) -> None:
    file, network = tmp_path / "theirs.pt", Network()
    script: Any = torch.jit.trace(network, torch.zeros(1, 3, SIDE, SIDE))  # type: ignore[no-untyped-call]
    script.save(file)
    with pytest.raises(UserError, match="is a program, and loading it runs it"):
        imported(file, tmp_path, input_size=SIDE)
    with pytest.raises(UserError, match="does not say its input size"):
        imported(file, tmp_path, runs_code=True)
    folder = imported(file, tmp_path, runs_code=True, input_size=SIDE)
    assert close(computed(folder, pictures).scores, network(normalised(pictures)).softmax(1)[:, [1, 0, 2]])


@pytest.mark.parametrize(
    ("made", "described", "message"),
    [
        ({"count": 4}, {}, "has 4 outputs, but 3 classes are described"),
        ({}, {"normal": "normal"}, "Of the classes polyp, clean, blood none is normal"),
        ({"count": 1}, {"classes": ["clean"]}, "All classes are clean"),
        ({"last": "Softmax"}, {}, "add up to 1 already"),
        ({}, {"activation": "none"}, "no scores: they reach from"),
        ({"side": "side"}, {}, "does not say its input size"),
        ({}, {"input_size": 96}, "takes pictures of "),
        ({"last": "Softmax", "over": 0}, {"activation": "none"}, "does not take several pictures at once"),
        ({}, {"output": "logits"}, "has no output logits"),
        ({}, {"classes": ["polyp", "clean", "polyp"]}, "are not unique"),
    ],
)
def test_what_does_not_fit_is_a_sentence(
    tmp_path: Path, made: dict[str, Any], described: dict[str, Any], message: str
) -> None:
    file = write_onnx(tmp_path / "theirs.onnx", **made)
    with pytest.raises(UserError, match=message) as raised:
        imported(file, tmp_path, **described)
    assert raised.value.hint
    assert not (tmp_path / "model").exists()


def test_a_fixed_batch_is_made_free_where_the_graph_allows(tmp_path: Path, pictures: NDArray[np.uint8]) -> None:
    folder = imported(write_onnx(tmp_path / "theirs.onnx", batch=1), tmp_path)
    assert computed(folder, pictures).scores.shape == (4, 3)


@pytest.mark.parametrize("name", ["theirs.onnx", "theirs.pt"])
def test_a_damaged_file_is_a_sentence(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(b"nothing" * 40)
    with pytest.raises(UserError, match=f"{name} cannot be read"):
        imported(file, tmp_path, runs_code=True, input_size=SIDE)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"classes": NAMES}, "activation"),
        ({**DESCRIBED, "activation": "relu"}, "activation"),
        ({**DESCRIBED, "scale": 255}, "scale"),
        ({**DESCRIBED, "std": [0, 1, 1]}, "std"),
        ({"activation": "softmax"}, "classes"),
    ],
)
def test_a_description_that_is_wrong_is_a_sentence(tmp_path: Path, content: dict[str, Any], message: str) -> None:
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UserError, match=message) as raised:
        Description.read(path)
    assert "activation" in raised.value.hint


@pytest.mark.parametrize("damage", ["graph", "no graph", "constants"])
def test_a_damaged_graph_in_a_model_folder_is_a_sentence(
    tmp_path: Path, pictures: NDArray[np.uint8], damage: str
) -> None:
    from safetensors.numpy import load_file, save_file

    folder = imported(write_onnx(tmp_path / "theirs.onnx"), tmp_path)
    tensors = load_file(folder.weights_path)
    if damage == "graph":
        tensors["trunk.graph"][200:240] = 60
    elif damage == "no graph":
        del tensors["trunk.graph"]
    else:
        tensors["trunk.constants"] = tensors["trunk.constants"][:40]
    save_file(tensors, folder.weights_path)
    sums_again(folder.path)
    with pytest.raises(UserError, match="do not fit the network"):
        computed(ModelFolder.open(folder.path), pictures)


def test_a_stranger_scores_a_study_in_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    studies = write_tiny_studies(tmp_path)
    file, out, scored = write_onnx(tmp_path / "Their model.onnx"), tmp_path / "model", tmp_path / "scores.h5"
    (tmp_path / "Their model.json").write_text(json.dumps(DESCRIBED), encoding="utf-8")
    assert main(["import-classifier", str(file), "--out", str(out)]) == 0
    video = load_manifest(studies / "manifest.json").studies[0].path
    assert main(["score", str(video), "--model", str(out), "--out", str(scored), "--device", "cpu"]) == 0
    with training.open_embeddings(scored) as table:
        assert (table.model_id, table.classes) == ("Their-model", (NORMAL, "polyp", "blood"))
        assert table.scores is not None
        assert np.isfinite(table.scores).all()
    explain = ["explain", str(video), "--frame", "3", "--model", str(out), "--out", str(tmp_path / "cam.png")]
    finetune = ["finetune", "--studies", str(studies / "manifest.json"), "--labels", str(studies / "labels.csv")]
    finetune += ["--init", str(out), "--out", str(tmp_path / "run"), "--device", "cpu"]
    assert main(["import-classifier", str(file), "--out", str(studies)]) == 1
    for command, message in ((explain, "makes no map of a frame"), (finetune, "It cannot be trained further")):
        capsys.readouterr()
        assert main(command) == 1
        assert message in " ".join(capsys.readouterr().err.split())
