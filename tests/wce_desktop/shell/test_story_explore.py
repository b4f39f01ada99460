"""The user story of exploring, in the real window: flag, why, alike in other patients, label all, finetune.

The children are real ones; the network is untrained and learns for a few steps, so nothing is said here about how well
frames are explained or found.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.warm_python import warm_python
from tests.wce_desktop.phantom_sessions import phantom_session, write_phantom
from training.video import build_index
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours.frame_grid import GridWindow
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow

PATIENCE_MILLISECONDS = 150_000
TINY = {"steps": 6, "batch_size": 8, "input_size": 64, "evaluations": 1, "threads": 1}
LIKE_IT = 6
pytestmark = pytest.mark.timeout(600)

_MODEL_AND_SCORES = """
import sys
from pathlib import Path
from tests.models import write_untrained_model
from training.commands.score import ScoreCommand, run_score
from training.runs.reporter import SilentReporter
folder = Path(sys.argv[1])
model = write_untrained_model(folder, "start", ("normal", "polyp", "blood"))
for video in sys.argv[2:]:
    out = folder / (Path(video).stem + ".h5")
    run_score(ScoreCommand(path=video, model=model, out=out, device="cpu"), SilentReporter())
"""


class Explorer:
    """A person at the window."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.bot, self.window, self.session = qtbot, window, window.session

    def sees(self, condition: Callable[[], bool]) -> None:
        """Wait for it."""
        self.bot.waitUntil(condition, timeout=PATIENCE_MILLISECONDS)

    def presses(self, action_id: str) -> None:
        """Press an action's key; then wait until the window has answered."""
        action = self.window.menus.actions[action_id]
        assert action.isEnabled(), action_id
        action.trigger()
        self.sees(lambda: self.window.is_idle)

    @property
    def frame(self) -> int:
        """The frame on screen."""
        assert self.session.reading is not None
        return self.session.reading.place.frame_index

    def count(self, name: str) -> dict[str, int]:
        """How many frames of each study carry a label."""
        library = self.session.library
        counts = {
            study.study_id: sum(len(one.span) for one in library.annotations.labels(study.study_id) if one.name == name)
            for study in library.studies.all()
        }
        return {study_id: count for study_id, count in counts.items() if count}


def scored_session(folder: Path) -> Session:
    """Three little studies of three patients without a label, scored by an untrained model; no window knows torch."""
    session = phantom_session(folder, write_phantom(folder / "phantom", studies=3), labelled=())
    studies = session.library.studies.all()
    videos = [str(study.path) for study in studies]
    code = [*warm_python(), "-c", _MODEL_AND_SCORES, str(folder), *videos]
    subprocess.run(code, check=True, cwd=Path(__file__).parents[3])
    session.library.models.register(folder / "start", title="Start")
    session.scores.use_model("start")
    for study in studies:
        index = build_index(study.path)
        session.files(study).save_index(index, is_checked=True)
        session.library.studies.update(study.study_id, frame_count=len(index))
        (folder / f"{study.path.stem}.h5").replace(session.files(study).scores_path("start"))
        session.scores.scored(study.study_id, "start")
    return session


@contextmanager
def explorer_at(qtbot: QtBot, session: Session) -> Iterator[Explorer]:
    """The window with the first study open."""
    window = MainWindow(session)
    window.show()
    explorer = Explorer(qtbot, window)
    try:
        window.features.studies.open_study(session.library.studies.all()[0])
        explorer.sees(
            lambda: session.reading is not None and session.reading.flags.scores is not None and window.is_idle
        )
        yield explorer
    finally:
        window.jobs.shut_down()
        window.close()
        window.deleteLater()


def test_flag_why_alike_label_all_finetune(qtbot: QtBot, tmp_path: Path) -> None:
    had_torch = "torch" in sys.modules
    with explorer_at(qtbot, scored_session(tmp_path)) as explorer:
        _go_to_the_flag(explorer)
        _ask_why(explorer)
        _find_alike_in_other_patients(explorer)
        _label_all(explorer)
        _finetune(explorer)
    assert ("torch" in sys.modules) == had_torch


def _go_to_the_flag(explorer: Explorer) -> None:
    """An untrained model flags what it scores highest once the threshold is there."""
    reading = explorer.session.reading
    assert reading is not None
    explorer.session.scores.set_threshold(float(np.nanmax(reading.flags.track("blood"))))
    explorer.presses("next_event")
    explorer.sees(lambda: reading.event_here() is not None)


def _ask_why(explorer: Explorer) -> None:
    """By CAM, which is there since scoring; then by Score-CAM, which the inference child computes."""
    explaining = explorer.window.features.explain.explaining
    explorer.presses("explain_frame")
    cam = explaining.cams.of(explorer.frame)
    assert cam is not None
    assert "CAM" in cam.method
    explaining.choose_method("quick")
    explorer.presses("explain_frame")
    explorer.sees(lambda: explaining.cams.of(explorer.frame) is not None)
    quick = explaining.cams.of(explorer.frame)
    assert quick is not None
    assert "Score-CAM" in quick.method
    assert quick.model == "Start"


def _find_alike_in_other_patients(explorer: Explorer) -> None:
    window, here = explorer.window, explorer.session.reading
    assert here is not None
    neighbours = window.features.neighbours.neighbours
    settings = replace(neighbours.settings, scope="other patients", count=LIKE_IT, min_seconds_among=0)
    neighbours.strip.filters.change(settings)
    explorer.presses("find_like_frame")
    assert neighbours.tiles.found is not None
    assert len(neighbours.tiles.found.frames) == LIKE_IT
    assert {one.relation for one in neighbours.tiles.found.frames} == {"other"}
    assert here.study.patient_id not in {one.neighbour.patient_id for one in neighbours.tiles.found.frames}


def _label_all(explorer: Explorer) -> None:
    """One key labels all of them in their studies; one undo takes it back, one redo gives it again."""
    explorer.window.features.neighbours.neighbours.strip.grid.click()
    grid = explorer.window.features.neighbours.grid.window
    assert grid is not None
    _press_in_grid(explorer, grid, Qt.Key.Key_4)
    labelled = explorer.count("blood")
    assert sum(labelled.values()) == LIKE_IT
    explorer.presses("undo")
    assert explorer.count("blood") == {}
    explorer.presses("redo")
    assert explorer.count("blood") == labelled
    others = {
        study.study_id: [frame for frame in range(0, 60, 6) if not _is_selected(explorer, study.study_id, frame)]
        for study in explorer.session.library.studies.all()
    }
    explorer.session.select_frames(FrameSelection(others))
    _press_in_grid(explorer, grid, Qt.Key.Key_0)
    assert len(explorer.count("normal")) == 3


def _is_selected(explorer: Explorer, study_id: str, frame_index: int) -> bool:
    return frame_index in explorer.session.selection.of(study_id)


def _press_in_grid(explorer: Explorer, grid: GridWindow, key: Qt.Key) -> None:
    explorer.sees(grid.isActiveWindow)
    QTest.keyClick(grid, key)


def _finetune(explorer: Explorer) -> None:
    """What was labelled at once teaches the next model; the old one stays in use until the reader chooses."""
    window = explorer.window
    window.features.learning.finetuning.finetune()
    assert "new labels in 3 studies" in window.features.learning.finetuning.dialog.panel._what.text()
    window.features.learning.finetuning.start_finetuning("default", **TINY)
    explorer.sees(lambda: window.features.learning.finetuning.dialog.is_comparing and not window.jobs.is_busy)
    candidate = window.features.learning.finetuning.candidate
    assert candidate is not None
    assert candidate.model.parent_id == "start"
    assert explorer.session.model_id == "start"
