"""The states of a fine-tuning, from the click to the choice, with a job that the test ends by hand."""

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.learning.test_comparing import await_choice
from tests.wce_desktop.features.learning.test_fine_tune_estimate import label_some
from tests.wce_desktop.windows import main_window, wait
from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.features.learning.finetuning import Finetuning
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.runs import Run
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.threads.job import Job


@pytest.fixture
def submitted(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The jobs that the window asks for; none is run."""
    jobs: list[Job] = []

    def submit(_: object, spec: JobSpec) -> Job:
        jobs.append(Job(spec))
        return jobs[-1]

    monkeypatch.setattr("wce_desktop.threads.job_queue.JobQueue.submit", submit)
    return jobs


def begin(qtbot: QtBot, window: MainWindow, submitted: list[Job]) -> tuple[Finetuning, Job]:
    """Click Fine-tune, and wait until the training data is written."""
    finetuning, count = window.features.learning.finetuning, len(submitted)
    finetuning.finetune()
    finetuning.dialog.panel._start.click()
    assert finetuning.preparing.run is not None
    assert finetuning.is_finetuning
    wait(qtbot, lambda: len(submitted) > count)
    assert finetuning.preparing.run is None
    return finetuning, submitted[-1]


def last_run(window: MainWindow) -> Run:
    return window.session.library.runs.all()[-1]


@pytest.mark.parametrize(("kind", "word"), [("failed", "The disk is full."), ("cancelled", "Stopped before")])
def test_after_a_run_without_a_model_another_can_start(
    qtbot: QtBot, tmp_path: Path, submitted: list[Job], kind: Any, word: str
) -> None:
    with main_window(qtbot, tmp_path) as window:
        label_some(window)
        finetuning, job = begin(qtbot, window, submitted)
        with pytest.raises(UserError, match="already running"):
            finetuning.start_finetuning("default")
        job.report_outcome(Outcome(kind, "The disk is full." if kind == "failed" else "Cancelled."))
        assert (last_run(window).state, finetuning.is_finetuning) == (kind, False)
        assert word in finetuning.dialog.panel._state.text()
        begin(qtbot, window, submitted)
        assert len(submitted) == 2


def test_only_its_own_job_ends_a_fine_tuning(qtbot: QtBot, tmp_path: Path, submitted: list[Job]) -> None:
    with main_window(qtbot, tmp_path) as window:
        label_some(window)
        finetuning, job = begin(qtbot, window, submitted)
        other = Job(JobSpec("another", "finetune", dict(job.spec.config)))
        other.partial_arrived.emit("curve", {"step": 1, "loss": 1.0})
        other.report_outcome(Outcome("done"))
        assert finetuning.is_finetuning
        assert finetuning.dialog.panel.curves.is_empty
        job.partial_arrived.emit("curve", {"step": 1, "loss": 1.0})
        assert not finetuning.dialog.panel.curves.is_empty


def test_a_run_whose_model_is_damaged_says_so_and_blocks_nothing(
    qtbot: QtBot, tmp_path: Path, submitted: list[Job]
) -> None:
    with main_window(qtbot, tmp_path) as window:
        label_some(window)
        finetuning, job = begin(qtbot, window, submitted)
        job.report_outcome(Outcome("done"))  # without the folder of a model
        assert window.banner.error
        assert finetuning.candidate is None
        begin(qtbot, window, submitted)


def test_a_new_run_withdraws_the_choice(qtbot: QtBot, tmp_path: Path, submitted: list[Job]) -> None:
    with main_window(qtbot, tmp_path) as window:
        label_some(window)
        await_choice(window, tmp_path)
        finetuning = window.features.learning.finetuning
        assert finetuning.candidate is not None
        begin(qtbot, window, submitted)
        assert finetuning.candidate is None
        finetuning.use_new()
        assert window.session.model_id == "m1"
