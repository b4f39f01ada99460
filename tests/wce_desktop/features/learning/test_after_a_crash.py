"""A training that a crash cut off is offered again after a restart, and goes on."""

import os
import signal
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.learning.trainer import STEPS, TINY_PRETRAINING, Trainer, steps_of
from tests.wce_desktop.phantom_sessions import phantom_session
from tests.wce_desktop.windows import window_on
from wce_desktop.library import Library
from wce_desktop.session.session import Session
from wce_desktop.session.settings import Settings
from wce_desktop.shell.main_window import MainWindow


def child_of(window: MainWindow) -> int:
    """The process id of the job that runs."""
    (thread,) = window.jobs._threads.values()
    process = thread._child._process
    assert process is not None
    return int(process.pid)


def test_a_training_that_a_crash_cut_off_resumes_after_a_restart(qtbot: QtBot, tmp_path: Path, phantom: Path) -> None:
    session = phantom_session(tmp_path, phantom)
    with window_on(qtbot, session, None) as window:
        trainer = Trainer(qtbot, window)
        window.features.learning.training.train()
        trainer.sets({**TINY_PRETRAINING, "checkpoint_seconds": 0.1})
        page = trainer.starts()
        run = session.library.runs.all()[0]
        trainer.sees(lambda: any((run.folder / "checkpoints").glob("step-*[0-9].safetensors")))
        os.kill(child_of(window), signal.SIGKILL)
        trainer.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.resume.isVisibleTo(page)
        session.library.runs.finish(run.run_id, "running", {})  # as the library stands when the power goes

    library = Library.open(tmp_path / "library", "reader")
    reopened = Session(library, Settings(tmp_path / "settings.json"), session.vocabulary)
    with window_on(qtbot, reopened, None) as window:
        trainer = Trainer(qtbot, window)
        trainer.sees(lambda: "Pretrained 1 was interrupted at step" in window.banner.text)
        window.features.learning.training.train()
        assert [item.run.run_id for item in trainer.dialog.unfinished.items] == [run.run_id]
        trainer.dialog.unfinished.resume_buttons[0].click()
        (page,) = trainer.dialog.pages
        trainer.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.state.text().startswith(f"Done, {STEPS} steps.")
        assert steps_of(run.folder) == list(range(1, STEPS + 1))
        assert trainer.dialog.unfinished.items == ()
