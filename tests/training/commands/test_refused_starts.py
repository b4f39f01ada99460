"""A start that is refused leaves no run folder that would stop the corrected command, with --resume or without."""

import json
from pathlib import Path

import pytest

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands.shell import main

pytestmark = pytest.mark.usefixtures("unrendered_plots")

FINETUNE = ["--set", "input_size=32", "--set", "steps=1", "--set", "batch_size=8", "--set", "evaluations=0"]
PRETRAIN = ["--set", "input_size=32", "--set", "steps=2", "--set", "sequences=2", "--set", "sequence_length=8"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_tiny_studies(tmp_path / "s")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(command: str, *more: str, out: str = "run") -> int:
    given = ["--studies", "s/manifest.json", "--out", out, "--device", "cpu", "--set", "threads=1"]
    labels = [] if command == "pretrain" else ["--labels", "s/labels.csv"]
    sized = {"finetune": FINETUNE, "pretrain": PRETRAIN, "evaluate": []}[command]
    return main([command, *given, *labels, *sized, *more])


REFUSED = {
    "finetune": ["--init", "nowhere.safetensors"],
    "pretrain": ["--init", "nowhere.safetensors"],
    "evaluate": ["--init", "nowhere.safetensors", "--folds", "2"],
}


@pytest.mark.parametrize("command", REFUSED)
def test_a_refused_start_leaves_no_folder(command: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(command, *REFUSED[command]) == 1
    assert "nowhere" in capsys.readouterr().err
    assert not (place / "run").exists()


def test_a_study_that_cannot_be_read_leaves_no_folder(place: Path) -> None:
    for path in (place / "s" / "P2").iterdir():
        path.write_bytes(b"no picture")
    assert call("finetune") == 1
    assert not (place / "run").exists()


@pytest.mark.parametrize(
    ("command", "resume"),
    [("finetune", []), ("finetune", ["--resume"]), ("pretrain", ["--resume"]), ("evaluate", ["--resume"])],
)
def test_the_corrected_command_runs(command: str, resume: list[str], place: Path) -> None:
    assert call(command, *REFUSED[command]) == 1
    small = ["--set", "backbone=tiny", *(["--folds", "2", *FINETUNE[:6]] if command == "evaluate" else [])]
    assert call(command, "--init", "random", *small, *resume) == 0
    made = {"finetune": "model", "pretrain": "card.json", "evaluate": "report.html"}[command]
    assert (place / "run" / made).exists()


def test_a_run_that_died_before_its_first_checkpoint_takes_corrected_settings(place: Path) -> None:
    from training.finetuning.config import finetune_config
    from training.finetuning.folder import RunFolder

    asked = finetune_config(studies="s/manifest.json", labels="s/labels.csv", out="run", learning_rate=9.0)
    RunFolder(Path("run")).create(asked)
    assert call("finetune", "--init", "random") == 1  # it may be running: only --resume takes its folder
    assert call("finetune", "--init", "random", "--set", "learning_rate=0.001", "--resume") == 0
    begun = json.loads((place / "run" / "config.json").read_text(encoding="utf-8"))["config"]
    assert (begun["learning_rate"], begun["steps"]) == (0.001, 1)


@pytest.mark.parametrize("command", REFUSED)
def test_a_folder_of_something_else_is_refused_before_torch(
    command: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "mine").mkdir()
    (place / "mine" / "thesis.txt").write_text("mine", encoding="utf-8")
    for resume in ([], ["--resume"]):
        assert call(command, *resume, out="mine") == 1
        said = capsys.readouterr().err
        assert "is not empty" in said or "is incomplete" in said
    assert [path.name for path in (place / "mine").iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("command", REFUSED)
def test_an_input_is_no_run_folder(command: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(command, out="s/P0") == 1
    assert "is an input" in capsys.readouterr().err
    assert call(command, out="s/labels.csv") == 1
    assert "is a file" in capsys.readouterr().err
