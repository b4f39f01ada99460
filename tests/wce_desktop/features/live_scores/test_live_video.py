"""Thirty labels on a real capsule video, given with keys: the live track on screen changes after each of them."""

import csv
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import make_session
from tests.wce_desktop.windows import wait, window_on
from training.inference.score import score_study
from training.metrics.detector import auc
from training.models.folder import ModelFolder
from training.video import build_index
from wce_desktop.core.study import Study
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow

STARTER = Path("resources/models/starter")
NAMES = {"bleeding": "blood", "non-bleeding": "normal"}
"""The video's labels, and the classes that a reader labels."""


def scored_session(folder: Path, video: Path) -> tuple[Session, Study]:
    """A session with the starter model in use, which has scored the video."""
    session = make_session(folder, has_model=False)
    session.library.models.register(STARTER.resolve(), title="Starter")
    session.scores.use_model("starter")
    study = session.add_study(video, build_index(video))
    score_study(video, ModelFolder.open(STARTER), session.files(study).scores_path(session.model_id))
    session.scores.scored(study.study_id, session.model_id)
    return session, study


def label_by_key(window: MainWindow, qtbot: QtBot, frame_index: int, key: Qt.Key) -> None:
    """Go to a frame, press the key of a class, and wait for the live scores."""
    reading = window.session.reading
    assert reading is not None
    window.features.reading.go_to_frame(frame_index)
    wait(qtbot, lambda: reading.place.frame_index == frame_index and window.is_idle)
    QTest.keyClick(window, key)
    wait(qtbot, lambda: not window.features.live_scores.is_busy and window.is_idle)


def test_the_live_track_changes_after_each_of_thirty_labels(qtbot: QtBot, tmp_path: Path, shared_data: Path) -> None:
    folder = shared_data / "capsule_bleeding"
    with (folder / "video_frames.csv").open(newline="", encoding="utf-8") as file:
        truth = [row["label"] for row in csv.DictReader(file)]
    random = np.random.default_rng(0)
    chosen = {name: random.permutation([n for n, label in enumerate(truth) if label == name])[:15] for name in NAMES}
    session, study = scored_session(tmp_path, folder / "video.mp4")
    with window_on(qtbot, session, study) as window:
        reading, timeline = session.reading, window.workspace.timeline
        assert reading is not None
        keys = {known.name: Qt.Key(ord(known.key)) for known in session.vocabulary if known.key}
        QTest.keyClick(window, Qt.Key.Key_K)
        wait(qtbot, lambda: window.features.live_scores.bar.isVisible())
        frames = np.stack([chosen["non-bleeding"], chosen["bleeding"]], axis=1).ravel().tolist()
        label_by_key(window, qtbot, frames[0], keys["normal"])
        assert not any(track.is_dashed for track in timeline.content.tracks), "one class only"
        picture, track = None, np.zeros(len(truth), np.float32)
        for frame in frames[1:]:
            label_by_key(window, qtbot, frame, keys[NAMES[truth[frame]]])
            lane = timeline.detail.grab(timeline.detail.score_area()).toImage()
            now = reading.flags.live_track("blood").copy()
            assert not np.array_equal(now, track)
            assert lane != picture
            picture, track = lane, now
        assert [entry.title for entry in timeline.content.tracks if entry.is_dashed] == ["Blood live"]
        assert len(list(reading.entries.labels)) == 30
        is_other = ~np.isin(np.arange(len(truth)), frames)
        found = auc(np.array(truth)[is_other] == "bleeding", track[is_other])
        assert found is not None
        assert found > 0.9, "0.95 when this was written"
