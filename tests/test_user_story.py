"""The whole user story through the real window: open, score, review, label, finetune, compare, accept, take back.

The children are real ones; the network is untrained and the finetuning a few steps long, so nothing is said here about
how good a model becomes.
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.warm_python import WarmJobs, warm_python
from tests.wce_desktop.sessions import make_session
from training.datasets.labels import LabelRow, read_labels
from training.phantom.dataset import write_studies
from training.runs.reporter import SilentReporter
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow

JOB_MILLISECONDS = 150_000
TINY = {"threads": 1, "steps": 8, "batch_size": 8, "input_size": 64, "evaluations": 1}
pytestmark = [pytest.mark.timeout(600), pytest.mark.usefixtures("cold_jobs")]


def untrained_model(folder: Path) -> Path:
    """Made in a process of its own: the window's never imports torch."""
    code = (
        "import sys; from pathlib import Path; from tests.models import write_untrained_model;"
        "write_untrained_model(Path(sys.argv[1]), 'start', ('normal', 'polyp', 'blood'))"
    )
    subprocess.run([*warm_python(), "-c", code, str(folder)], check=True, cwd=Path(__file__).parents[1])
    return folder / "start"


class Story:
    """A person at the window; each step waits for what it wants to see."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.bot = qtbot
        self.window = window
        self.session: Session = window.session

    def sees(self, condition: Callable[[], bool], milliseconds: int = JOB_MILLISECONDS) -> None:
        """Wait for it."""
        self.bot.waitUntil(condition, timeout=milliseconds)

    def presses(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the window."""
        self.bot.keyClick(self.window, key, modifier)

    def opens(self, path: Path) -> None:
        """Open a study and wait until it is scored by the model in use."""
        self.window.features.studies.open_path(path)
        self.sees(lambda: self.session.reading is not None and self.session.reading.study.path == path.resolve())
        self.sees(lambda: self.session.reading is not None and self.session.reading.flags.scores is not None)
        self.sees(lambda: self.window.is_idle)

    def labels(self, frame_index: int, key: Qt.Key) -> None:
        """Go to a frame and label it."""
        self.window.features.reading.go_to_frame(frame_index)
        self.sees(lambda: self.session.reading is not None and self.session.reading.place.frame_index == frame_index)
        self.presses(key)


def test_from_a_video_to_a_better_model_and_back(
    qtbot: QtBot, tmp_path: Path, warm_jobs: WarmJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Yes)  # also if it is worse
    had_torch = "torch" in sys.modules  # other tests of the same process may have brought it
    manifest = write_studies(
        tmp_path / "phantom", studies=2, frames=90, size_px=64, positive_share=0.3, reporter=SilentReporter()
    )
    truth = read_labels(manifest.with_name("labels.csv"))
    videos = sorted((tmp_path / "phantom" / "videos").glob("*.mp4"))
    session = make_session(tmp_path, has_model=False)
    session.settings.set("score_when_opened", True)
    session.library.models.register(untrained_model(tmp_path), title="Start")
    session.scores.use_model("start")
    window = MainWindow(session)
    qtbot.addWidget(window)
    window.show()
    story = Story(qtbot, window)
    try:
        labelled = _label_study(story, videos[0], truth)
        warm_jobs.is_used = True  # one job that starts as in the program is enough
        labelled += _label_study(story, videos[1], truth)
        _finetune(story, labelled)
        _choose(story)
    finally:
        window.jobs.shut_down()
        window.close()
    assert ("torch" in sys.modules) == had_torch


def _label_study(story: Story, video: Path, truth: Sequence[LabelRow]) -> int:
    """Label some frames by what the phantom knows: anything found as class 1, normal as normal; returns how many."""
    story.opens(video)
    rows = [row for row in truth if row.study_id == video.stem]
    normal = [row.start for row in rows if row.label == "normal"]
    others = [frame for row in rows if row.label != "normal" for frame in range(row.start, row.stop)]
    assert normal
    assert others
    for frame in others[:6]:
        story.labels(frame, Qt.Key.Key_1)
    for frame in range(normal[0], normal[0] + 3):
        story.labels(frame, Qt.Key.Key_0)
    return len(others[:6]) + 3


def _finetune(story: Story, labelled: int) -> None:
    """Finetune on exactly these labels, and wait for old and new side by side."""
    window = story.window
    window.features.learning.finetuning.finetune()
    assert f"{labelled} new labels in 2 studies" in window.features.learning.finetuning.dialog.panel._what.text()
    window.features.learning.finetuning.start_finetuning("default", **TINY)
    story.sees(lambda: window.features.learning.finetuning.dialog.is_comparing)
    story.sees(lambda: not window.jobs.is_busy)
    candidate = window.features.learning.finetuning.candidate
    assert candidate is not None
    assert candidate.model.parent_id == "start"
    assert set(candidate.comparison) >= {"old", "new", "split"}
    assert story.session.model_id == "start"


def _choose(story: Story) -> None:
    """Use the new model, see its scores, take the old one back, and lose nothing."""
    window, session = story.window, story.session
    assert session.reading is not None
    old = session.reading.flags.track("polyp").copy()
    window.features.learning.finetuning.use_new()
    story.sees(lambda: session.reading is not None and session.reading.flags.scores is not None)
    assert session.model_id != "start"
    new = session.reading.flags.track("polyp").copy()
    assert (old != new).any()
    window.features.learning.finetuning.use_model("start")
    assert (session.reading.flags.track("polyp") == old).all()
    assert len(session.library.models.all()) == 2
