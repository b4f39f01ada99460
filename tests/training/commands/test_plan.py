"""`plan`: a forecast from some seconds of each job."""

import json
import time
from pathlib import Path

import pytest

from tests.models import write_untrained_model
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands.plan import Forecast, Meter, PlanCommand, run_plan
from training.errors import UserError
from training.runs.reporter import SilentReporter


def test_jobs_are_measured_and_leave_nothing(tmp_path: Path) -> None:
    write_tiny_studies(tmp_path, frames=60)
    model = write_untrained_model(tmp_path, "model", ("normal", "polyp"), input_size=32)
    settings = {
        "backbone": "tiny", "steps": 4, "input_size": 32, "sequence_length": 8, "workers": 0, "init": "random",
    }  # fmt: skip
    before = sorted(tmp_path.rglob("*"))
    config = PlanCommand.checked(
        studies=tmp_path / "manifest.json", model=model, do=("score", "pretrain:time-triplet"), settings=settings,
        price=("0.5",), seconds=1, device="cpu",
    )  # fmt: skip
    result = run_plan(config, SilentReporter())
    assert sorted(tmp_path.rglob("*")) == before
    assert [row["job"] for row in result["jobs"]] == ["score", "pretrain:time-triplet"]
    assert all(row["hours"]["1"] > 0 and row["disk_gb"] >= 0 for row in result["jobs"])
    assert "pretrain:time-triplet" in result["text"]
    json.dumps(result)


def test_scoring_is_shared_by_workers_and_one_training_is_not() -> None:
    config = PlanCommand.checked(studies="-", price=("cpu=0.5", "gpu=3"), device="cpu")
    rows = [Forecast("score", 7200, 0, can_share).row(config) for can_share in (True, False)]
    assert [row["hours"] for row in rows] == [{"1": 2.0, "4": 0.5, "16": 0.125, "64": 0.0312}, {"1": 2.0}]
    assert [row["cost"] for row in rows] == [1.0, 1.0]
    assert config.price_of("gpu") == 3
    assert PlanCommand.checked(studies="-", price=("0.4",)).price_of("gpu") == 0.4
    with pytest.raises(UserError, match="a price is a number"):
        PlanCommand.checked(studies="-", price=("cpu=dear",))


def test_a_job_that_there_is_none_of_and_a_lacking_model_are_named(tmp_path: Path) -> None:
    write_tiny_studies(tmp_path)
    with pytest.raises(UserError, match="a job is score, finetune, pretrain"):
        PlanCommand.checked(studies=tmp_path / "manifest.json", do=("dream",))
    with pytest.raises(UserError, match="No model is named"):
        run_plan(PlanCommand.checked(studies=tmp_path / "manifest.json"), SilentReporter())
    with pytest.raises(UserError, match="too little to do"):
        Meter(SilentReporter(), "frames", 1).end()


def test_what_comes_once_is_told_from_what_each_step_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    meter = Meter(SilentReporter(), "steps", 6.0)
    for step in range(1, 5):  # nine seconds of reading
        now[0] = 9.0 + 2.0 * step
        meter.progress(step, 100, "steps", "training")
    assert meter.stop_requested
    now[0] = 20.0
    meter.end()
    assert (meter.total, meter.unit_seconds, meter.start_seconds, meter.fixed_seconds) == (100, 2.0, 9.0, 12.0)
