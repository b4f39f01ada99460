"""A start that is refused takes away what it wrote; a folder that holds something else is never taken."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from training.errors import UserError
from training.runs.reporter import Cancelled
from training.runs.resume import removed_if_refused, run_folder_check, stored_command


def begin(folder: Path, command: str = "finetune") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"command": command, "config": {}}), encoding="utf-8")
    (folder / "inputs").mkdir()
    (folder / "inputs" / "labels.csv").write_text("x", encoding="utf-8")


def fail(folder: Path, error: Exception) -> None:
    begin(folder)
    raise error


def refuse(folder: Path, error: Exception, *, has_results: bool = False) -> None:
    with pytest.raises(type(error)), removed_if_refused(folder, lambda: has_results):
        fail(folder, error)


@pytest.mark.parametrize("error", [UserError("no"), RuntimeError("out of memory"), OSError("disk full")])
def test_a_refused_start_leaves_nothing(error: Exception, tmp_path: Path) -> None:
    refuse(tmp_path / "new" / "run", error)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_was_there_stays_with_what_was_in_it(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    refuse(tmp_path, UserError("no"))
    assert [path.name for path in tmp_path.iterdir()] == ["models"]


def test_what_was_made_is_kept_and_so_is_a_cancelled_start(tmp_path: Path) -> None:
    refuse(tmp_path / "a", UserError("diverged"), has_results=True)
    assert stored_command(tmp_path / "a") == "finetune"
    refuse(tmp_path / "b", Cancelled())
    assert stored_command(tmp_path / "b") == "finetune"


def test_a_folder_takes_one_run(tmp_path: Path) -> None:
    check = run_folder_check("finetune", "finetuning", parts={"models"})
    fresh, resumed = SimpleNamespace(resume=False), SimpleNamespace(resume=True)
    for config in (fresh, resumed):
        check(tmp_path / "missing", config)
        check(tmp_path, config)
    begin(tmp_path / "run")
    check(tmp_path / "run", resumed)
    with pytest.raises(UserError, match="is not empty"):
        check(tmp_path / "run", fresh)
    begin(tmp_path / "other", "pretrain")
    with pytest.raises(UserError, match="is not a finetuning but a pretrain"):
        check(tmp_path / "other", resumed)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text('{"backbone": "resnet18"}', encoding="utf-8")  # a model's
    with pytest.raises(UserError, match="incomplete"):
        check(tmp_path / "mine", resumed)
    (tmp_path / "parts" / "models").mkdir(parents=True)
    check(tmp_path / "parts", resumed)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"command": "finetune"}', '{"config": {}}', "[" * 100_000])
def test_a_config_that_says_nothing_is_nobody_s(content: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(content, encoding="utf-8")
    assert stored_command(tmp_path) == ""
