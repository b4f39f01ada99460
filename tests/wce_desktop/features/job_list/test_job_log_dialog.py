"""The list of jobs and their logs."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListWidget, QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from tests.wce_desktop.job_samples import failed_job, make_job, running_job
from wce_desktop.features.job_list.job_views import JobLogDialog


@pytest.fixture
def dialog(qtbot: QtBot) -> JobLogDialog:
    """A dialog on screen."""
    dialog = JobLogDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def rows(dialog: JobLogDialog) -> list[str]:
    """The first line of each row."""
    widget = dialog.findChildren(QListWidget)[0]
    return [widget.item(row).text().splitlines()[0] for row in range(widget.count())]


def log(dialog: JobLogDialog) -> QPlainTextEdit:
    """The log's text field."""
    return dialog.findChildren(QPlainTextEdit)[0]


def press(qtbot: QtBot, dialog: JobLogDialog, text: str) -> None:
    """Press the visible button with this text."""
    (found,) = [one for one in dialog.findChildren(QPushButton) if one.text() == text and one.isVisible()]
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


def test_without_jobs_it_says_so(dialog: JobLogDialog) -> None:
    dialog.set_jobs([])
    assert "No job has been started yet." in [label.text() for label in dialog.findChildren(QLabel)]


def test_what_runs_comes_first_then_what_waits_then_what_ended(dialog: JobLogDialog) -> None:
    jobs = [make_job("a", "done"), failed_job("b"), running_job("c"), make_job("d", "queued"), make_job("e", "queued")]
    dialog.set_jobs(jobs)
    assert rows(dialog) == ["C", "D", "E", "B", "A"]


def test_a_failure_shows_sentence_hint_and_log(dialog: JobLogDialog) -> None:
    job = failed_job()
    dialog.set_jobs([running_job(), job])
    assert not log(dialog).isVisible()
    dialog.choose(job.job_id)
    texts = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert texts == ["Scoring P03: failed: P03.mp4 holds <no> video.", "Choose another file."]
    assert log(dialog).isVisible()
    assert log(dialog).toPlainText() == "line 1\nline 2"


def test_the_log_grows_by_what_is_new_and_stays_bounded(dialog: JobLogDialog) -> None:
    job = running_job()
    dialog.set_jobs([job])
    for start in range(0, 6000, 1500):
        job.log.extend(str(number) for number in range(start, start + 1500))
        job.line_count += 1500
        dialog.set_jobs([job])
    lines = log(dialog).toPlainText().splitlines()
    assert lines == [str(number) for number in range(4000, 6000)]
    assert dialog.findChildren(QToolButton)[0].text() == "Log (6,000 lines)"


def test_choosing_another_job_shows_its_own_log(dialog: JobLogDialog) -> None:
    first, second = failed_job("a"), failed_job("b")
    second.log.append("only b")
    second.line_count = 3
    dialog.set_jobs([first, second])
    dialog.choose(first.job_id)
    assert "only b" not in log(dialog).toPlainText()
    dialog.choose(second.job_id)
    assert log(dialog).toPlainText() == "line 1\nline 2\nonly b"


def test_stop_and_discard_name_the_job(qtbot: QtBot, dialog: JobLogDialog) -> None:
    job = running_job()
    dialog.set_jobs([job])
    press(qtbot, dialog, "Stop")
    assert job.state == "stopping"
    with qtbot.waitSignal(dialog.discard_requested) as discarded:
        press(qtbot, dialog, "Discard…")
    assert discarded.args == [job]


def test_a_waiting_job_can_be_moved_within_the_queue(qtbot: QtBot, dialog: JobLogDialog) -> None:
    first, second = make_job("a", "queued"), make_job("b", "queued")
    dialog.set_jobs([running_job(), first, second])
    dialog.choose(second.job_id)
    with qtbot.waitSignal(dialog.move_requested) as moved:
        press(qtbot, dialog, "Move up")
    assert moved.args == [second.job_id, 0]
    with qtbot.assertNotEmitted(dialog.move_requested):
        press(qtbot, dialog, "Move down")  # it is the last already


def test_a_job_that_is_being_cancelled_can_be_ended(qtbot: QtBot, dialog: JobLogDialog) -> None:
    job = make_job("a", "cancelling")
    dialog.set_jobs([job])
    dialog.choose(job.job_id)
    with qtbot.waitSignal(dialog.discard_requested) as asked:
        press(qtbot, dialog, "End now")
    assert asked.args == [job]
