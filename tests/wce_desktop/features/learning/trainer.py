"""A person who trains from the Train window, and the smallest trainings there are."""

import csv
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from wce_desktop.features.learning.view.live_page import LivePage
from wce_desktop.features.learning.view.train_window import TrainWindow
from wce_desktop.shell.main_window import MainWindow

JOB_MILLISECONDS = 150_000
STEPS = 240  # of some 10 ms each: enough to be stopped in time
TINY_PRETRAINING = {
    "backbone": "tiny",
    "preset": "smoke", "steps": STEPS, "input_size": 32, "sequence_length": 8, "projection": "16",
    "checkpoints_kept": 2, "evaluations": 2, "threads": 1,
}  # fmt: skip
TINY_PRIOR = {
    "backbone": "tiny",
    "preset": "smoke", "input_size": 32, "frame_size": 48, "prior_size": 32, "tile_size": 32, "sequences": 4,
    "steps": 3, "checkpoints_kept": 2, "evaluations": 0, "threads": 1,
}  # fmt: skip
TINY_FINETUNING = {
    "backbone": "tiny",
    "steps": STEPS, "batch_size": 8, "input_size": 32, "evaluations": 2, "threads": 1,
}  # fmt: skip
pytestmark = pytest.mark.timeout(600)


class Trainer:
    """A person at the Train window."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.bot, self.window = qtbot, window

    @property
    def dialog(self) -> TrainWindow:
        """The Train window."""
        return self.window.features.learning.training.dialog

    def sees(self, condition: Callable[[], bool]) -> None:
        """Wait for it."""
        self.bot.waitUntil(condition, timeout=JOB_MILLISECONDS)

    def sets(self, values: Mapping[str, object]) -> None:
        """Choose the preset, then type values into the form."""
        how = self.dialog.setup.how
        if "preset" in values:
            how.choose_preset(str(values["preset"]))
        if values.get("backbone") == "tiny" and how.start is not None and how.start.init == "imagenet":
            how.start_from.setCurrentIndex(how.start_from.findText("Random weights"))
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
        self.sees(lambda: "loss" in page.curves.plots)
        page.stop.click()
        self.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.job is not None
        assert page.job.state == "done", page.job.outcome
        assert "Stopped after step" in page.state.text()

    def resumes(self, page: LivePage) -> None:
        """Press Resume, and wait for the end."""
        assert page.resume.isVisibleTo(page)
        page.resume.click()
        self.sees(lambda: page.job is not None and page.job.has_ended and not page.resume.isVisibleTo(page))
        assert page.job is not None
        assert page.job.state == "done", page.job.outcome
        assert page.state.text().startswith("Done")


def steps_of(run: Path) -> list[int]:
    """The steps that a run's curve holds."""
    with (run / "metrics.csv").open(newline="", encoding="utf-8") as file:
        return [int(row["step"]) for row in csv.DictReader(file)]
