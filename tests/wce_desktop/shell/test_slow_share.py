"""Studies, embeddings and models on a share that answers late: the window never waits for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.slow_share import Share
from tests.videos import write_video
from tests.wce_desktop.features.explain.answers import FakeAsker
from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import press, wait, window_on
from wce_desktop import workspace
from wce_desktop.core.study import Study
from wce_desktop.features.studies import feature
from wce_desktop.session.settings import Settings
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.threads import share_watch


@dataclass
class Desk:
    """A window with a study open, and another study on the share."""

    window: MainWindow
    share: Share
    first: Study
    second: Study
    qtbot: QtBot

    @property
    def open_id(self) -> str:
        return self.window.session.open_id

    def key(self, key: Qt.Key) -> None:
        self.window.player.setFocus()
        QTest.keyClick(self.window.player, key)

    def labels(self) -> list[str]:
        return [label.name for label in self.window.session.library.annotations.labels(self.first.study_id)]


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """The share holds videos and the library's files; the settings are this computer's."""
    monkeypatch.setattr(feature, "SLOW_MILLISECONDS", 0)
    monkeypatch.setattr(workspace, "InferenceClient", lambda *_, **__: FakeAsker())
    shared = tmp_path / "shared"
    shared.mkdir()
    session = make_session(shared)
    session.settings = Settings(tmp_path / "settings.json")
    for name in ("score_when_opened", "keep_model_ready"):
        session.settings.set(name, False)
    first = add_study(session, shared)
    (shared / "other").mkdir()
    second = add_study(session, shared / "other", gop=6)
    share = Share(shared)
    with window_on(qtbot, session, first) as window, share.mounted():
        yield Desk(window, share, first, second, qtbot)


def test_a_study_opens_without_a_wait_of_the_window(desk: Desk) -> None:
    desk.share.answers.clear()
    desk.window.features.studies.open_study(desk.second)
    wait(desk.qtbot, lambda: "Waiting for the folder of “study.mp4”." in desk.window.banner.text)
    desk.key(Qt.Key.Key_1)  # the reader goes on
    assert desk.labels() == ["polyp"]
    assert desk.open_id == desk.first.study_id
    desk.share.answers.set()
    wait(desk.qtbot, lambda: desk.open_id == desk.second.study_id and desk.window.is_idle)
    assert desk.window.session.opened().flags.scores is not None
    assert desk.share.asked_by_window == []


def test_waiting_for_a_share_can_be_stopped(desk: Desk) -> None:
    desk.share.answers.clear()
    desk.window.features.studies.open_study(desk.second)
    assert desk.window.features.studies.is_opening
    press(desk.window, "clear_span")
    assert "Stopped opening." in desk.window.banner.text
    assert not desk.window.features.studies.is_opening
    desk.share.answers.set()
    wait(desk.qtbot, lambda: desk.window.is_idle)
    assert desk.open_id == desk.first.study_id
    assert desk.share.asked_by_window == []


def test_reading_asks_no_share(desk: Desk) -> None:
    desk.share.answers.clear()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_1, Qt.Key.Key_End, Qt.Key.Key_N, Qt.Key.Key_C):
        desk.key(key)
    press(desk.window, "next_method")
    press(desk.window, "clear_span")
    press(desk.window, "undo")
    desk.window.session.save_place()
    press(desk.window, "show_worklist")
    desk.window.features.studies.panel.refresh()
    assert desk.share.asked_by_window == []


def test_what_asks_the_share_itself_waits_until_it_answers(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    window, taken = desk.window, list[str]()
    monkeypatch.setattr(share_watch, "PATIENCE_SECONDS", 0.0)
    desk.share.answers.clear()
    window.share.watch(window.session.library.folder / "studies")
    press(window, "show_backups")
    assert "Waiting for the folder of the library." in window.banner.text
    assert desk.share.asked_by_window == []
    press(window, "clear_span")
    window.share.take(lambda: taken.append("a later step"))
    assert taken == []
    monkeypatch.setattr(share_watch, "PATIENCE_SECONDS", 60.0)
    desk.share.answers.set()
    wait(desk.qtbot, lambda: taken == ["a later step"])
    assert not window.features.safekeeping.is_busy


def test_a_window_closes_once_the_share_answers(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    window = desk.window
    monkeypatch.setattr(share_watch, "PATIENCE_SECONDS", 0.0)
    desk.share.answers.clear()
    window.share.watch(window.session.library.folder / "studies")
    window.close()
    assert window.isVisible()
    assert "Waiting for the folder of the library." in window.banner.text
    desk.key(Qt.Key.Key_1)
    assert desk.labels() == ["polyp"]
    monkeypatch.setattr(share_watch, "PATIENCE_SECONDS", 60.0)
    desk.share.answers.set()
    wait(desk.qtbot, lambda: not window.isVisible())
    assert desk.share.asked_by_window == []


def test_a_moved_video_and_a_new_one_are_looked_at_aside(desk: Desk) -> None:
    moved = desk.second.path.rename(desk.second.path.with_name("moved.mp4"))
    new = write_video(moved.with_name("new.mp4"), 12)
    desk.share.asked_by_window.clear()
    studies = desk.window.features.studies
    studies.locate(moved)
    wait(desk.qtbot, lambda: desk.open_id == desk.second.study_id and desk.window.is_idle)
    assert desk.window.session.opened().study.path == moved
    studies.open_path(new)
    wait(desk.qtbot, lambda: desk.window.session.opened().study.path == new and desk.window.is_idle)
    studies.scoring._so_far.show()
    wait(desk.qtbot, lambda: not studies.scoring._so_far.is_busy)
    assert desk.share.asked_by_window == []
    studies.leave()
    studies.open_study(desk.first)
    wait(desk.qtbot, lambda: desk.open_id == desk.first.study_id and desk.window.is_idle)
    desk.window.session.close_study()
    assert desk.share.asked_by_window == []
