"""Cross-validation from the window, and the review budget beside the threshold."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.learning.test_cross_validation import label
from tests.wce_desktop.features.models.library_of_runs import REPORT
from tests.wce_desktop.windows import main_window, press, wait
from training.runs.events import Outcome
from wce_desktop.features.learning.feature import CrossValidationDialog
from wce_desktop.features.learning.model.cross_validation import CrossValidation, fold_seconds, plan_cross_validation
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.run_files import inputs_folder
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
    monkeypatch.setattr(CrossValidationDialog, "exec", lambda dialog: int(dialog.start.isEnabled()))
    return jobs


def end(window: MainWindow, job: Job, kind: Any, message: str = "") -> None:
    """Let a job end."""
    job.report_outcome(Outcome(kind, message))


def run_of(window: MainWindow) -> Run:
    return next(run for run in window.session.library.runs.all() if run.kind == "evaluate")


def test_the_top_frames_are_shown_by_key_and_by_typing(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        bar, reading = window.features.reading.flags.budget, window.session.reading
        assert reading is not None
        assert "Sensitivity unknown" in bar.note.text()
        bar.box.setValue(5.0)
        press(window, "show_top_frames")
        assert reading.flags.flagged().sum() == 3  # of 59 readable frames
        assert reading.flags.threshold == pytest.approx(0.85)
        press(window, "choose_review_budget")
        bar.box.setFocus()
        QTest.keyClicks(bar.box, "10")
        QTest.keyClick(bar.box, Qt.Key.Key_Return)
        assert reading.flags.flagged().sum() == 6
        assert window.session.library.annotations.labels(reading.study.study_id) == ()
        assert window.session.settings["review_percent"] == 10.0


def test_a_cross_validation_fills_the_review_budget(qtbot: QtBot, tmp_path: Path, submitted: list[Job]) -> None:
    with main_window(qtbot, tmp_path) as window:
        bar = window.features.reading.flags.budget
        assert bar.measure.isVisible()
        for patient in ("P1", "P2", "P3"):
            label(window.session, tmp_path, patient, "polyp", "normal")
        bar.measure.click()
        wait(qtbot, lambda: bool(submitted))
        (job,), run = submitted, run_of(window)
        assert (job.spec.command, job.spec.config["folds"], job.spec.config["out"]) == ("evaluate", 3, str(run.folder))
        assert (run.state, run.base_model_id) == ("running", "m1")
        (run.folder / "report.json").write_text(json.dumps(REPORT), "utf-8")
        end(window, job, "done")
        assert run_of(window).state == "done"
        assert not inputs_folder(run.folder).exists()
        assert bar.note.text() == (
            "The top 1 % held 84 % of the findings and 61 % of the frames with a finding "
            "(cross-validation, 12 patients)."
        )
        assert not bar.measure.isVisible()
        assert bar.note.toolTip() == "From 12 patients, each held out once."
        bar.box.setValue(0.5)
        assert bar.note.text() == "Cross-validation did not measure shares below 1 %."


def test_one_that_was_stopped_can_be_resumed_and_one_that_failed_says_why(
    qtbot: QtBot, tmp_path: Path, submitted: list[Job]
) -> None:
    with main_window(qtbot, tmp_path) as window:
        for patient in ("P1", "P2"):
            label(window.session, tmp_path, patient, "polyp", "normal")
        press(window, "cross_validate")
        wait(qtbot, lambda: bool(submitted))
        end(window, submitted[0], "cancelled")
        assert run_of(window).state == "cancelled"
        press(window, "choose_model")
        dialog = window.features.models.dialog
        dialog.tree.choose([run_of(window).run_id])
        dialog.resume.click()
        assert submitted[1].spec.config == {**submitted[0].spec.config, "resume": True}
        assert run_of(window).state == "running"
        end(window, submitted[1], "failed", "The disk is full.")
        assert (run_of(window).state, run_of(window).message) == ("failed", "The disk is full.")


def test_too_few_patients_are_said_before_anything_starts(qtbot: QtBot, tmp_path: Path, submitted: list[Job]) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "cross_validate")
        wait(qtbot, lambda: window.is_idle)
        assert submitted == []
        assert window.session.library.runs.all() == ()
        model = window.session.current_model
        assert model is not None
        dialog = CrossValidationDialog(plan_cross_validation(window.session, model), parent=window)
        assert "at least two patients" in dialog.text.text()
        assert not dialog.start.isEnabled()


def test_the_dialog_says_what_will_be_done(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        model = window.session.current_model
        assert model is not None
        plan = CrossValidation(
            model, 4, ("polyp",), ("blood",), 7, None, (model,), "tl-bh", "laiz", 250, named_start="random"
        )
        dialog = CrossValidationDialog(plan, 90.0, window)
        for part in (
            "by Triplets, hardest of a batch (TL_BH, Laiz et al.) (preset “As published (Laiz 2020)”, 250 steps each)",
            "7 labelled patients",
            "random weights",
            "blood",
        ):
            assert part in dialog.text.text()
        assert dialog.folds.value() == 4
        assert dialog.time.text().startswith("4 trainings in the background, one after the other, about 6:00 in all")
        window.session.speeds.note("cpu", "resnet18", 224, [160.0] * 9)
        window.session.settings.set("device", "cpu")
        assert fold_seconds(window.session, plan) == pytest.approx(250 * 64 / 160)
