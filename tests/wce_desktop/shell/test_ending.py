"""The system ends the program, as at a log-out: everything is saved, nothing is asked, and the end is no crash."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.wce_desktop.jobs.children import children_command
from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import press, wait
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Library
from wce_desktop.shell.ending import SIGNALS, OrderlyEnd
from wce_desktop.shell.main_window import MainWindow

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows sends no signals")


@pytest.fixture
def end(qapp: QApplication) -> Iterator[OrderlyEnd]:
    """Follows the signals until the test is over."""
    ending = OrderlyEnd(qapp)
    yield ending
    ending.close()


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, end: OrderlyEnd) -> Iterator[MainWindow]:
    """The main window with a study open; the test closes it by a signal."""
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    window = MainWindow(session)
    window.show()
    qtbot.waitExposed(window)
    window.features.studies.open_study(study)
    wait(qtbot, lambda: session.reading is not None and window.is_idle)
    yield window
    window.jobs.shut_down()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_closes_the_window_and_saves_the_comment_being_typed(
    qtbot: QtBot, window: MainWindow, number: int
) -> None:
    reading = window.session.reading
    assert reading is not None
    press(window, "new_finding")
    comment = window.features.reading.describing.card.form.comment
    comment.setFocus()
    wait(qtbot, comment.hasFocus)
    qtbot.keyClicks(comment, "pale")
    os.kill(os.getpid(), number)
    wait(qtbot, lambda: not window.isVisible())
    with Library.open(window.session.library.folder, "reader") as library:
        (finding,) = library.annotations.findings(reading.study.study_id)
    assert finding.comment == "pale"


def test_a_dialog_that_is_open_is_closed_first(qtbot: QtBot, window: MainWindow) -> None:
    answers: list[bool] = []

    def ask_to_end() -> None:
        answers.append(QApplication.activeModalWidget() is not None)
        os.kill(os.getpid(), signal.SIGTERM)

    QTimer.singleShot(100, window, ask_to_end)
    press(window, "show_keys")  # returns when the dialog is closed
    assert answers == [True]
    wait(qtbot, lambda: not window.isVisible())


def test_a_running_job_saves_its_progress_first(qtbot: QtBot, window: MainWindow) -> None:
    window.jobs._command = children_command
    job = window.jobs.submit(JobSpec("working", "work", {}))
    with qtbot.waitSignal(job.partial_arrived, timeout=20_000):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    wait(qtbot, lambda: not window.isVisible())
    assert job.outcome is not None
    assert job.outcome.kind == "done", "stopped, not cancelled"
