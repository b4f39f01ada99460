"""Run folders: started once, resumed as they were, and half-written ones reported."""

import json
from pathlib import Path

import pytest

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.errors import UserError
from training.finetuning import folder as finetuning_folder
from training.finetuning.config import PRESETS, SINCE_PRESETS, FinetuneConfig, finetune_config
from training.finetuning.folder import RunFolder
from training.runs.folder import CsvLog


@pytest.fixture
def asked(tmp_path: Path) -> FinetuneConfig:
    write_tiny_studies(tmp_path / "s", patients=1, frames=2)
    return finetune_config(studies=tmp_path / "s/manifest.json", labels=tmp_path / "s/labels.csv", out=tmp_path / "run")


def test_inputs_are_copied_and_the_config_points_at_the_copies(asked: FinetuneConfig, tmp_path: Path) -> None:
    folder = RunFolder(asked.out)
    stored = folder.create(asked)
    asked.labels.unlink()
    (tmp_path / "s/manifest.json").unlink()
    assert stored.labels.read_text().startswith("study_id")
    assert stored.studies == folder.manifest.resolve()
    assert json.loads(folder.manifest.read_text())["studies"][0]["study_id"] == "P0-study"
    assert folder.read_config() == stored


def test_a_start_that_was_killed_while_it_copied_is_resumed(
    asked: FinetuneConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder(asked.out)
    with monkeypatch.context() as patch:
        patch.setattr(finetuning_folder, "save_manifest", killed)
        with pytest.raises(KeyboardInterrupt):
            folder.create(asked)
    again = finetune_config(**asked.model_dump(include={"studies", "labels", "out"}), resume=True)
    stored = folder.create(folder.resume(again).model_copy(update={"resume": True}))
    assert stored == folder.read_config()
    assert stored.labels.read_bytes() == asked.labels.read_bytes()


def killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_folder_that_holds_something_is_refused(asked: FinetuneConfig) -> None:
    RunFolder(asked.out).create(asked)
    with pytest.raises(UserError, match="is not empty") as caught:
        RunFolder(asked.out).create(asked)
    assert "--resume" in caught.value.hint


def test_a_read_only_place_is_told(asked: FinetuneConfig, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="cannot be written"):
        RunFolder(tmp_path / "file" / "run").create(asked)


def test_resuming_with_another_setting_is_refused_by_name(asked: FinetuneConfig) -> None:
    folder = RunFolder(asked.out)
    folder.create(asked)
    same = finetune_config(studies=asked.studies, labels=asked.labels, out=asked.out, resume=True, device="cpu")
    assert folder.resume(same).device == "cpu"
    other = finetune_config(studies=asked.studies, labels=asked.labels, out=asked.out, resume=True, margin=0.5)
    assert (
        folder.resume(other).model_dump()["margin"] == 0.5
    )  # nothing was made yet that another margin would belong to
    folder.checkpoints.mkdir()
    (folder.checkpoints / "step-000001.safetensors").touch()
    with pytest.raises(UserError, match=r"started with margin = 0\.2, not 0\.5"):
        folder.resume(other)


def test_a_run_is_resumed_without_naming_its_start_again(asked: FinetuneConfig) -> None:
    """The defaults depend on the start: those of ImageNet weights are not what the run is compared with."""
    started = finetune_config(studies=asked.studies, labels=asked.labels, out=asked.out, init="random")
    folder = RunFolder(asked.out)
    folder.create(started)
    folder.checkpoints.mkdir()
    (folder.checkpoints / "step-000001.safetensors").touch()
    unnamed = finetune_config(studies=asked.studies, labels=asked.labels, out=asked.out, resume=True)
    assert (unnamed.linear_start, started.linear_start) == (True, False)
    resumed = folder.resume(unnamed)
    assert (resumed.init, resumed.linear_start, resumed.batch_size) == ("random", False, started.batch_size)
    preset = finetune_config(studies=asked.studies, labels=asked.labels, out=asked.out, resume=True, preset="laiz")
    with pytest.raises(UserError, match="was started with"):
        folder.resume(preset)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"command": "finetune"}'])
def test_a_half_written_config_is_told(asked: FinetuneConfig, content: str) -> None:
    folder = RunFolder(asked.out)
    folder.create(asked)
    folder.config.write_text(content)
    with pytest.raises(UserError, match=r"incomplete: its config\.json"):
        folder.resume(asked)


def test_a_csv_log_forgets_what_comes_after_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    log = CsvLog(path, ["step", "loss"])
    log.append([(1, 0.5), (2, 0.4), (3, 0.3)])
    log.close()
    log = CsvLog(path, ["step", "loss"], keep_until_step=2)
    log.append([(3, 0.35)])
    log.close()
    assert path.read_text().split() == ["step,loss", "1,0.5", "2,0.4", "3,0.35"]


def test_rows_of_an_older_version_keep_what_their_columns_are_called(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text("step,loss,triplet,norm\n1,0.5,0.5,7\n2,0.4,0.4,8\n", "utf-8")
    log = CsvLog(path, ["step", "loss", "memory_term", "norm"], keep_until_step=1)
    log.append([(2, 0.35, 0.3, 9)])
    log.close()
    assert path.read_text().split() == ["step,loss,memory_term,norm", "1,0.5,,7", "2,0.35,0.3,9"]


def test_presets_fill_in_and_what_is_given_wins() -> None:
    where = {"studies": Path("m"), "labels": Path("l"), "out": Path("o")}
    laiz = finetune_config(**where, preset="laiz", margin=0.4, input_size=None)
    assert (laiz.optimizer, laiz.batch_size, laiz.input_size) == ("sgd", 64, 256)
    assert laiz.model_dump()["margin"] == 0.4
    for name in PRESETS:
        assert finetune_config(**where, preset=name).preset == name
    assert all(field.description for field in FinetuneConfig.every_field().values())


def test_a_setting_out_of_range_is_told_in_a_sentence() -> None:
    where = {"studies": Path("m"), "labels": Path("l"), "out": Path("o")}
    with pytest.raises(UserError, match="setting margin cannot be used"):
        finetune_config(**where, margin=-1)
    with pytest.raises(UserError, match="the preset 'best' is unknown"):
        finetune_config(**where, preset="best")
    with pytest.raises(UserError, match="colour"):
        finetune_config(**where, colour=1)


def test_an_older_run_folder_keeps_the_augmentation_that_it_had(asked: FinetuneConfig) -> None:
    stored = RunFolder(asked.out).create(asked.model_copy(update={"preset": "pascual"}))
    content = json.loads((stored.out / "config.json").read_text())
    for name in SINCE_PRESETS:
        del content["config"][name]
    (stored.out / "config.json").write_text(json.dumps(content))
    read = RunFolder(asked.out).read_config()
    assert {name: getattr(read, name) for name in SINCE_PRESETS} == SINCE_PRESETS
