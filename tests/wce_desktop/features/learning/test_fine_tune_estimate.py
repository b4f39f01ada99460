"""How long a fine-tuning will take, in the Fine-tune window, and what is kept of a run's speed."""

import json
import time
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from training.runs.events import Outcome
from wce_desktop.features.reading.model import annotating
from wce_desktop.jobs.job import Job
from wce_desktop.jobs.spec import JobSpec


def test_the_window_says_how_long_the_preset_takes(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "finetune")
        panel = window.features.learning.finetuning.dialog.panel
        assert panel._estimate.text() == "", "there are no labels"
        for frame, name in enumerate(("normal", "normal", "polyp", "polyp")):
            window.session.show_frame(4 * frame)
            annotating.label_here(window.session, name)
        press(window, "finetune")
        wait(qtbot, lambda: "more exact after the first such run" in panel._estimate.text())


def test_the_speeds_of_a_run_are_kept_by_its_network_and_layers(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        training = window.features.learning.training
        run = window.session.library.add_run("Fine-tuned 1")
        settings = {"device": "cpu", "backbone": "resnet18", "input_size": 128, "trained_layers": 2}
        (run.folder / "config.json").parent.mkdir(parents=True, exist_ok=True)
        (run.folder / "config.json").write_text(json.dumps({"config": settings}), encoding="utf-8")
        job = Job(JobSpec(title="fine-tuning", command="finetune", config={}))
        job.started_seconds = time.monotonic() - 60.0
        speeds = {"reading_per_second": 40.0, "forward_per_second": 200.0, "seconds": 50.0}
        job.outcome, job.state = Outcome("done", result={"speeds": speeds}), "done"
        training._pages.note(run, job)
        for _ in range(6):
            training._pages.add_partial(job, "curve", {"step": 1, "images_per_second": 90.0})
        training._pages.note_speed(training._speeds, run, job)
        book = training._speeds
        assert book.expect("cpu", "resnet18", 128, layers=2).value == 90.0
        assert not book.expect("cpu", "resnet18", 128).is_measured, "all layers take longer"
        assert (book.forward("cpu", "resnet18", 128).value, book.reading.value) == (200.0, 40.0)
        assert 10.0 <= book.start.value < 20.0
