"""A model folder opens only when all of it is there and fits together."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from training.errors import UserError
from training.models.config import ModelConfig
from training.models.folder import CARD, CONFIG, SUMS, WEIGHTS, ModelFolder, file_sha256, write_model_folder


def sums_again(path: Path) -> None:
    """Make the checksums fit what lies there, so that the next check is reached."""
    names = (WEIGHTS, CONFIG, CARD)
    (path / SUMS).write_text("".join(f"{file_sha256(path / name)}  {name}\n" for name in names))


def test_it_opens_as_it_was_written(folder: ModelFolder, config: ModelConfig) -> None:
    again = ModelFolder.open(folder.path)
    assert again == folder
    assert again.config == config
    assert again.card == {"method": "none"}
    assert again.sha256 == hashlib.sha256(again.weights_path.read_bytes()).hexdigest()


def test_a_run_folder_stands_for_the_model_in_it(folder: ModelFolder, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / CONFIG).write_text("{}")
    folder.path.rename(run / "model")
    assert ModelFolder.open(run).path == run / "model"


@pytest.mark.parametrize("name", [WEIGHTS, CONFIG, CARD, SUMS])
def test_a_missing_file_is_named(folder: ModelFolder, name: str) -> None:
    (folder.path / name).unlink()
    with pytest.raises(UserError, match=f"has no {name}"):
        ModelFolder.open(folder.path)


@pytest.mark.parametrize("name", [WEIGHTS, CONFIG, CARD])
def test_one_changed_byte_is_found(folder: ModelFolder, name: str) -> None:
    content = bytearray((folder.path / name).read_bytes())
    content[-2] ^= 1
    (folder.path / name).write_bytes(content)
    with pytest.raises(UserError, match=f"{name}.*wrong hash"):
        ModelFolder.open(folder.path)


def test_weights_of_another_shape_are_named_with_both_shapes(folder: ModelFolder, config: ModelConfig) -> None:
    other = config.model_copy(update={"classes": ("normal", "polyp")})
    (folder.path / CONFIG).write_text(other.model_dump_json())
    sums_again(folder.path)
    with pytest.raises(UserError, match=r"\(3, 32\).*\(2, 32\)"):
        ModelFolder.open(folder.path)


def test_a_cut_file_is_no_safetensors_file(folder: ModelFolder) -> None:
    content = folder.weights_path.read_bytes()
    folder.weights_path.write_bytes(content[:-100])
    sums_again(folder.path)
    with pytest.raises(UserError, match="not a readable safetensors"):
        ModelFolder.open(folder.path)


def test_a_config_that_does_not_validate_names_the_field(folder: ModelFolder) -> None:
    content = json.loads((folder.path / CONFIG).read_text())
    (folder.path / CONFIG).write_text(json.dumps(content | {"backbone": "vgg"}))
    sums_again(folder.path)
    with pytest.raises(UserError, match="backbone"):
        ModelFolder.open(folder.path)


def test_pickles_are_refused_as_file_and_as_weights(folder: ModelFolder, tmp_path: Path) -> None:
    pickled = tmp_path / "weights.pth"
    pickled.write_bytes(b"\x80\x04N.")
    with pytest.raises(UserError, match="pickle, which can run code"):
        ModelFolder.open(pickled)
    folder.weights_path.write_bytes(b"PK\x03\x04" + bytes(100))
    sums_again(folder.path)
    with pytest.raises(UserError, match="pickle, which can run code"):
        ModelFolder.open(folder.path)


def test_no_folder_and_a_plain_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no model folder"):
        ModelFolder.open(tmp_path / "nowhere")
    (tmp_path / "note.txt").write_text("hello")
    with pytest.raises(UserError, match="a model is a folder"):
        ModelFolder.open(tmp_path / "note.txt")


def test_writing_replaces_the_whole_folder_and_leaves_nothing_beside(folder: ModelFolder, config: ModelConfig) -> None:
    (folder.path / "stray.txt").write_text("old")
    tensors = {"classifier.weight": np.zeros((3, 32), np.float16)}
    write_model_folder(folder.path, config, tensors, {"method": "second"})
    assert sorted(path.name for path in folder.path.iterdir()) == sorted((WEIGHTS, CONFIG, CARD, SUMS))
    assert [path.name for path in folder.path.parent.iterdir()] == [folder.path.name]


def test_a_place_that_cannot_be_written_gets_a_sentence(config: ModelConfig, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    tensors = {"classifier.weight": np.zeros((3, 32), np.float32)}
    with pytest.raises(UserError, match="cannot be written"):
        write_model_folder(tmp_path / "file" / "model", config, tensors, {})


def test_config_and_folder_need_no_torch() -> None:
    code = "import sys, training.models.folder; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
