"""Model folders that were changed by hand, checksums included: a sentence."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from tests.training.models.test_folder import sums_again
from training.errors import UserError
from training.models.folder import CARD, CONFIG, SUMS, ModelFolder
from training.models.imagenet import trunk_of_file
from training.models.network import load_network
from training.runs.provenance import patients_of_card, patients_of_file, patients_of_run
from training.runs.reporter import SilentReporter

DEEP = '{"a":' + "[" * 100_000 + "]" * 100_000 + "}"


@pytest.mark.parametrize("name", [CONFIG, CARD])
@pytest.mark.parametrize("text", [DEEP, "[" * 5_000, "[1]", "", "{", '{"a": NaN}', "3"])
def test_json_that_is_none(folder: ModelFolder, name: str, text: str) -> None:
    (folder.path / name).write_text(text)
    sums_again(folder.path)
    with pytest.raises(UserError, match=f"{name} is not a valid model"):
        ModelFolder.open(folder.path)


CHANGES: list[dict[str, Any]] = [
    {"backbone": "vgg"}, {"backbone": ["resnet18"]}, {"classes": "normal"}, {"classes": [1, 2, 3]},
    {"classes": ["normal", "a\nb", "c"]}, {"classes": ["normal", *map(str, range(5000))]}, {"classes": []},
    {"input_size": -1}, {"input_size": 10**9}, {"input_size": "large"}, {"input_size": [64]}, {"input_size": 1e400},
    {"std": [0, 1, 1]}, {"std": [1, 1]}, {"mean": [1e999, 0, 0]}, {"mean": "0"}, {"model_id": "../../x"},
    {"model_id": 3}, {"schema_version": 2}, {"embedding_layer": 10**9}, {"more": 1},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_values_that_cannot_be(folder: ModelFolder, change: dict[str, Any]) -> None:
    content = json.loads((folder.path / CONFIG).read_text()) | change
    (folder.path / CONFIG).write_text(json.dumps(content).replace("Infinity", "1e999"))
    sums_again(folder.path)
    with pytest.raises(UserError, match=r"config\.json"):
        ModelFolder.open(folder.path)


def test_checksums_that_are_none(folder: ModelFolder) -> None:
    for content in (b"\xff\xfe" * 100, b"", b"x" * 3_000_000):
        (folder.path / SUMS).write_bytes(content)
        with pytest.raises(UserError, match=SUMS):
            ModelFolder.open(folder.path)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_weights_that_are_not_finite_are_refused(folder: ModelFolder, wrong: float) -> None:
    tensors = {name: np.array(tensor) for name, tensor in load_file(folder.weights_path).items()}
    tensors["trunk.layer1.0.bn1.weight"][3] = wrong
    save_file(tensors, folder.weights_path)
    sums_again(folder.path)
    with pytest.raises(UserError, match=r"layer1\.0\.bn1\.weight hold numbers that are not finite"):
        load_network(ModelFolder.open(folder.path))
    with pytest.raises(UserError, match="not finite"):
        trunk_of_file(folder.weights_path, folder.config.backbone, SilentReporter())


CARDS: list[dict[str, Any]] = [
    {"split": []}, {"split": {"training_patients": "P1"}}, {"split": {"training_patients": [["P1"]]}},
    {"lineage": 3}, {"lineage": {"taught_patients": {"a": 1}}}, {"split": {"training_patients": [1]}},
]  # fmt: skip


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_cards_that_do_not_name_patients(tmp_path: Path, card: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=r"card\.json is damaged"):
        patients_of_card(card)
    (tmp_path / "card.json").write_text(json.dumps(card))
    assert patients_of_file(tmp_path / "model.safetensors") is None


@pytest.mark.parametrize("text", [DEEP, "[]", "{}", '{"training_patients": 3}', '{"training_patients": [3]}'])
def test_a_split_that_does_not_name_patients(tmp_path: Path, text: str) -> None:
    (tmp_path / "split.json").write_text(text)
    assert patients_of_run(tmp_path) is None
