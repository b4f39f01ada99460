"""Pretraining and finetuning from the window, with real children: started, watched, stopped, resumed, after a crash."""

import csv
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.teaching import teaching_session
from wce_desktop.app.session import Session
from wce_desktop.app.settings import Settings
from wce_desktop.library import Library
from wce_desktop.ui.main_window import MainWindow
from wce_desktop.ui.train.live_page import LivePage
from wce_desktop.ui.train.train_window import TrainWindow

JOB_MILLISECONDS = 150_000
STEPS = 20
TINY_PRETRAINING = {
    "preset": "smoke", "input_size": 32, "sequence_length": 8, "projection": "16", "checkpoints_kept": 2,
    "evaluations": 2, "checkpoint_seconds": 0, "threads": 1,
}  # fmt: skip
TINY_PRIOR = {
    "preset": "smoke", "input_size": 32, "frame_size": 48, "prior_size": 32, "tile_size": 32, "sequences": 4,
    "steps": 3, "checkpoints_kept": 2, "evaluations": 0, "threads": 1,
}  # fmt: skip
TINY_FINETUNING = {
    "steps": STEPS, "batch_size": 8, "input_size": 32, "evaluations": 2, "checkpoint_seconds": 0, "threads": 1,
}  # fmt: skip
pytestmark = pytest.mark.timeout(600)


class Trainer:
    """A person at the Train window."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.bot, self.window = qtbot, window

    @property
    def dialog(self) -> TrainWindow:
        """The Train window."""
        return self.window.teaching.dialog

    def sees(self, condition: Callable[[], bool]) -> None:
        """Wait for it."""
        self.bot.waitUntil(condition, timeout=JOB_MILLISECONDS)

    def sets(self, values: Mapping[str, object]) -> None:
        """Choose the preset, then type values into the form."""
        how = self.dialog.setup.how
        if "preset" in values:
            how.choose_preset(str(values["preset"]))
        for name, value in values.items():
            if name != "preset":
                how.form.set_value(name, how.form.parameter(name).parse(str(value)))

    def starts(self, pages: int = 1) -> LivePage:
        """Press the button, and see the run's page."""
        setup = self.dialog.setup
        setup.show_estimate()
        assert setup.start_button.isEnabled(), setup.problem.text()
        setup.start_button.click()
        self.sees(lambda: len(self.dialog.pages) == pages)
        return self.dialog.pages[-1]

    def stops_after_a_step(self, page: LivePage) -> None:
        """Watch until the curve has a point, and press Stop."""
        self.sees(lambda: "loss" in page.plots)
        page.stop.click()
        self.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.job is not None
        assert page.job.state == "done", page.job.outcome
        assert "Stopped after step" in page.state_text

    def goes_on(self, page: LivePage) -> None:
        """Press Go on, and wait for the end."""
        assert page.resume.isVisibleTo(page)
        page.resume.click()
        self.sees(lambda: page.job is not None and page.job.has_ended and not page.resume.isVisibleTo(page))
        assert page.job is not None
        assert page.job.state == "done", page.job.outcome
        assert page.state_text.startswith("Done")


@contextmanager
def window_on(session: Session) -> Iterator[MainWindow]:
    """The main window on a session, shown; closed with its library at the end."""
    window = MainWindow(session)
    window.show()
    try:
        yield window
    finally:
        window.jobs.shut_down()
        window.close()
        window.deleteLater()


def steps_of(run: Path) -> list[int]:
    """The steps that a run's curve holds."""
    with (run / "metrics.csv").open(newline="", encoding="utf-8") as file:
        return [int(row["step"]) for row in csv.DictReader(file)]


def test_prior_guided_contrast_starts_from_the_window_and_its_views_can_be_followed(
    qtbot: QtBot, session: Session
) -> None:
    with window_on(session) as window:
        trainer = Trainer(qtbot, window)
        window.teaching.train()
        how = trainer.dialog.setup.how
        how.method.setCurrentIndex(how.method.findData("pgcon"))
        how._method_chosen()
        names = {"negatives", "memory_weight", "view_weight", "bank_momentum", "prior_share", "tile_size", "epochs"}
        assert names <= set(how.form.editors)
        trainer.sets(TINY_PRIOR)
        page = trainer.starts()
        trainer.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.job is not None
        assert page.job.state == "done", page.job.outcome
        run = session.library.runs()[0]
        assert steps_of(run.folder) == [1, 2, 3]

        window.mapping.show_evolution()
        evolution = window.mapping.evolving
        evolution.dialog.space.setCurrentIndex(evolution.dialog.space.findData("views"))
        evolution.make()
        trainer.sees(lambda: evolution._file is not None and evolution._file.space == "views")
        assert evolution._file is not None
        assert len(evolution._file.steps) == 3
        assert "prior view" in evolution._file.labels


def test_pretrain_then_finetune_stopped_and_resumed_then_score(qtbot: QtBot, session: Session) -> None:
    with window_on(session) as window:
        trainer = Trainer(qtbot, window)
        window.teaching.train()
        trainer.sets(TINY_PRETRAINING)
        page = trainer.starts()
        trainer.stops_after_a_step(page)
        run = session.library.runs()[0]
        assert len(steps_of(run.folder)) < STEPS
        assert run.summary["finished"] is False
        trainer.goes_on(page)
        assert steps_of(run.folder) == list(range(1, STEPS + 1))
        assert page.plots["loss"].points["loss"][0] == list(range(1, STEPS + 1))
        assert page.plots["judged"].points["accuracy"][0] == [0, 10, 20]
        assert session.library.runs()[0].state == "done"

        page.use.click()
        assert trainer.dialog.setup.task == "finetune"
        assert trainer.dialog.setup.how.start is not None
        assert trainer.dialog.setup.how.start.run_id == run.run_id
        trainer.sets(TINY_FINETUNING)
        taught = trainer.starts(2)
        trainer.stops_after_a_step(taught)
        trainer.goes_on(taught)
        assert taught.plots["loss"].points["loss"][0] == list(range(1, STEPS + 1))
        made = [model for model in session.library.models() if model.run_id == taught.run_id]
        assert len(made) == 2  # as it was stopped, and as it ended
        assert session.library.runs()[1].base_run_id == run.run_id
        window.training.comparing.use_new()
        assert session.model_id == made[-1].model_id
        study = session.library.studies()[3]
        window.scoring.score(study)
        trainer.sees(lambda: session.is_scored(study))


def child_of(window: MainWindow) -> int:
    """The process id of the job that runs."""
    (thread,) = window.jobs._threads.values()
    process = thread._child._process
    assert process is not None
    return int(process.pid)


def test_a_training_that_a_crash_cut_off_goes_on_after_a_restart(qtbot: QtBot, tmp_path: Path, phantom: Path) -> None:
    session = teaching_session(tmp_path, phantom)
    with window_on(session) as window:
        trainer = Trainer(qtbot, window)
        window.teaching.train()
        trainer.sets(TINY_PRETRAINING)
        page = trainer.starts()
        run = session.library.runs()[0]
        trainer.sees(lambda: any((run.folder / "checkpoints").glob("step-*[0-9].safetensors")))
        os.kill(child_of(window), signal.SIGKILL)
        trainer.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.resume.isVisibleTo(page)
        session.library.finish_run(run.run_id, "running", {})  # as the library stands when the power goes

    library = Library.open(tmp_path / "library", "reader")
    reopened = Session(library, Settings(tmp_path / "settings.json"), session.vocabulary)
    with window_on(reopened) as window:
        trainer = Trainer(qtbot, window)
        trainer.sees(lambda: "Pretrained 1 was interrupted at step" in window.banner.text)
        window.teaching.train()
        assert [item.run.run_id for item in trainer.dialog.unfinished.items] == [run.run_id]
        trainer.dialog.unfinished.go_on[0].click()
        (page,) = trainer.dialog.pages
        trainer.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.state_text.startswith("Done, 20 steps.")
        assert steps_of(run.folder) == list(range(1, STEPS + 1))
        assert trainer.dialog.unfinished.items == ()


def test_the_train_window_knows_no_torch() -> None:
    code = (
        "import sys; import wce_desktop.ui.train.train_window, wce_desktop.ui.controllers.teaching_controller;"
        "print([name for name in ('torch', 'av', 'pyqtgraph', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
