"""An encrypted library that nobody uses locks itself, and waits for what must not be lost; the clock is the test's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import press, wait
from wce_desktop.library.storage import encrypting, key_file
from wce_desktop.shell import application
from wce_desktop.shell.idle_lock import seconds_since_start
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.dialogs import PassphraseDialog

PASSPHRASE = "four quiet words"


class Clock:
    """Minutes pass when the test says so."""

    def __init__(self) -> None:
        self.seconds = seconds_since_start()

    def __call__(self) -> float:
        return self.seconds

    def pass_minutes(self, minutes: float) -> None:
        self.seconds += 60 * minutes


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """A window on an encrypted library, which locks after five minutes."""
    monkeypatch.setattr(application, "catch_bugs", lambda _: None)
    first = make_session(tmp_path)
    study = add_study(first, tmp_path)
    folder = first.library.folder
    first.library.close()
    encrypting.encrypt_library(folder, PASSPHRASE, lambda *_: None)
    session = application.open_session(folder)
    session.settings.set("lock_minutes", 5)
    made = MainWindow(session)
    made.idle_lock.clock = clock
    made.show()
    made.features.studies.open_study(session.library.studies.get(study.study_id))
    wait(qtbot, lambda: session.reading is not None and made.is_idle)
    QTest.keyClick(made.player, Qt.Key.Key_Escape)  # the clock begins
    yield made
    made.jobs.shut_down()
    made.close()
    made.deleteLater()
    key_file.lock(folder)


def is_locked(window: MainWindow) -> bool:
    window.idle_lock.check()
    return window.reopening is not None


def test_it_locks_after_the_time_and_all_is_there_with_the_passphrase(
    window: MainWindow, clock: Clock, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = window.session.library.folder
    study_id = window.session.library.studies.all()[0].study_id
    QTest.keyClicks(window.player, "4")
    wait(qtbot, lambda: window.is_idle)
    clock.pass_minutes(4.9)
    assert not is_locked(window)
    clock.pass_minutes(0.2)
    assert is_locked(window)
    assert not window.isVisible()
    asked: list[bool] = []

    def execute(dialog: PassphraseDialog) -> int:
        asked.append(key_file.is_locked(folder))
        QTest.keyClicks(dialog.inputs[0], PASSPHRASE)
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(PassphraseDialog, "exec", execute)
    again = application.reopen(window)
    wait(qtbot, lambda: again.is_idle)
    assert asked == [True]
    assert [label.name for label in again.session.library.annotations.labels(study_id)] == ["blood"]
    again.jobs.shut_down()
    again.close()
    again.deleteLater()


def test_keys_and_the_mouse_are_use_and_0_is_never(window: MainWindow, clock: Clock, qtbot: QtBot) -> None:
    for _ in range(3):
        clock.pass_minutes(4)
        QTest.keyClick(window.player, Qt.Key.Key_Right)
        clock.pass_minutes(4)
        QTest.mouseMove(window.player, QPoint(20, 20))
        QTest.mouseClick(window.player, Qt.MouseButton.LeftButton)
        assert not is_locked(window)
    window.session.settings.set("lock_minutes", 0)
    wait(qtbot, lambda: window.is_idle)
    clock.pass_minutes(1000)
    assert not is_locked(window)


def test_the_first_key_after_the_computer_slept_comes_too_late(window: MainWindow, clock: Clock, qtbot: QtBot) -> None:
    clock.pass_minutes(600)
    QTest.keyClick(window.player, Qt.Key.Key_F13)
    wait(qtbot, lambda: window.reopening is not None)
    assert window.reopening is not None


def test_it_waits_for_jobs_playing_questions_and_a_typed_record(
    window: MainWindow, clock: Clock, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.pass_minutes(10)
    with monkeypatch.context() as patch:
        patch.setattr(type(window.jobs), "is_busy", property(lambda _: True))
        assert not is_locked(window)
    with monkeypatch.context() as patch:
        patch.setattr(type(window.player), "is_playing", property(lambda _: True))
        assert not is_locked(window)
    question = QDialog(window, modal=True)
    qtbot.addWidget(question)
    question.show()
    assert not is_locked(window)
    question.close()
    press(window, "edit_record")
    records = window.features.patients.window
    QTest.keyClicks(records.form.fields["pseudonym"], "P7")
    wait(qtbot, lambda: window.is_idle)
    clock.pass_minutes(10)
    assert not is_locked(window)
    QTest.mouseClick(records.save_button, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: window.is_idle)
    clock.pass_minutes(10)
    assert is_locked(window)


def test_a_library_without_a_passphrase_never_locks(qtbot: QtBot, tmp_path: Path, clock: Clock) -> None:
    session = make_session(tmp_path)
    session.settings.set("lock_minutes", 1)
    window = MainWindow(session)
    window.idle_lock.clock = clock
    window.show()
    QTest.keyClick(window.player, Qt.Key.Key_Escape)
    clock.pass_minutes(10)
    assert not window.idle_lock._timer.isActive()
    assert not is_locked(window)
    window.jobs.shut_down()
    window.close()
    window.deleteLater()
