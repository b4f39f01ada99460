"""`sweep`: every combination is a run; the table, the picture, what is kept, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands import sweep
from training.commands.shell import main
from training.errors import UserError
from training.models.folder import ModelFolder
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")


def arguments(folder: Path, *more: str) -> list[str]:
    quick = [f"--set={pair}" for pair in ("backbone=tiny", "steps=2", "input_size=32", "batch_size=8")]
    given = ["--studies", str(folder / "manifest.json"), "--labels", str(folder / "labels.csv")]
    return ["sweep", *given, "--out", str(folder / "sweep"), "--init", "random", "--device", "cpu", *quick, *more]


def test_every_combination_is_a_run_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tiny_studies(tmp_path)
    varied = ("--set", "learning_rate=1e-3,1e-2", "--set", "seed=0,1")
    assert main(arguments(tmp_path, *varied)) == 0
    shown = capsys.readouterr().out
    assert "learning_rate" in shown
    content: dict[str, Any] = json.loads((tmp_path / "sweep" / "sweep.json").read_text())
    assert content["varied"] == ["learning_rate", "seed"]
    figures = [row["figure"] for row in content["runs"]]
    assert len(figures) == 4
    assert figures == sorted(figures, reverse=True)
    assert ModelFolder.open(Path(content["runs"][0]["run"])).config.backbone == "tiny"
    assert (tmp_path / "sweep" / "sweep.svg").read_text().startswith("<svg")

    assert main(arguments(tmp_path, *varied)) == 1  # not over what is there
    monkeypatch.setattr(sweep, "job_outcome", None)  # a second call trains nothing
    assert main(arguments(tmp_path, *varied, "--resume")) == 0


def test_a_setting_that_there_is_none_of_is_named_before_any_run(tmp_path: Path) -> None:
    write_tiny_studies(tmp_path)
    assert main(arguments(tmp_path, "--set", "learning_rat=1,2")) == 1
    assert not (tmp_path / "sweep").exists()


def test_too_many_runs_are_refused() -> None:
    many = ",".join(map(str, range(30)))
    config = sweep.SweepCommand.checked(out=Path("sweep"), vary=(f"seed={many}", f"steps={many}"))
    with pytest.raises(UserError, match="900 runs are too many"):
        sweep.run_sweep(config, SilentReporter())
