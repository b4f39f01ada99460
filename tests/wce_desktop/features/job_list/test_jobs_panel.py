"""The strip at the window's bottom."""

import re
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.wce_desktop.job_samples import failed_job, make_job, running_job
from training.runs.events import Outcome
from wce_desktop.features.job_list.job_views import JobsPanel


def text_of(panel: JobsPanel) -> str:
    """The text of the strip."""
    return f"{panel._title.text()}  {panel._state.text()}".strip()


@pytest.fixture
def panel(qtbot: QtBot) -> JobsPanel:
    """A strip on screen."""
    panel = JobsPanel()
    qtbot.addWidget(panel)
    panel.resize(900, panel.height())
    panel.show()
    return panel


def button(panel: JobsPanel, text: str) -> QPushButton:
    """The visible button with this text."""
    (found,) = [one for one in panel.findChildren(QPushButton) if one.text() == text and one.isVisible()]
    return found


def buttons(panel: JobsPanel) -> list[str]:
    """What the visible buttons say."""
    return [one.text() for one in panel.findChildren(QPushButton) if one.isVisible()]


def test_it_is_empty_while_nothing_runs(panel: JobsPanel) -> None:
    assert text_of(panel) == ""
    assert buttons(panel) == []


def test_it_says_what_runs_and_how_many_wait(panel: JobsPanel) -> None:
    height = panel.height()
    panel.set_jobs([make_job("scoring P01", "done"), running_job(), make_job("finetuning", "queued")])
    assert text_of(panel) == "Scoring P11  64 %   412 frames/s   1:20 left"
    assert buttons(panel) == ["Stop", "1 waiting"]
    assert panel.height() == height  # nothing jumps


def test_stop_stops_the_shown_job(panel: JobsPanel) -> None:
    job = running_job()
    panel.set_jobs([job])
    QTest.mouseClick(button(panel, "Stop"), Qt.MouseButton.LeftButton)
    assert job.state == "stopping"


def test_a_stop_is_acknowledged(panel: JobsPanel) -> None:
    job = running_job()
    job.state = "stopping"
    panel.set_jobs([job])
    assert "stopping after this step" in text_of(panel)
    assert not button(panel, "Stop").isEnabled()
    job.state = "cancelling"
    panel.set_jobs([job])
    assert "cancelling" in text_of(panel)
    assert not button(panel, "Stop").isEnabled()


def test_a_wait_without_news_shows_its_seconds(qtbot: QtBot, panel: JobsPanel) -> None:
    job = make_job("finetuning", "running")
    job.started_seconds = time.monotonic()
    panel.set_jobs([job])
    assert text_of(panel) == "Finetuning  starting"
    job.started_seconds -= 5
    qtbot.waitUntil(lambda: re.fullmatch(r"Finetuning  starting   \d+ s", text_of(panel)) is not None, timeout=5000)


def test_a_failure_stays_until_it_was_looked_at(qtbot: QtBot, panel: JobsPanel) -> None:
    failed, done = failed_job(), make_job("scoring P01", "done", outcome=Outcome("done"))
    panel.set_jobs([failed, done])
    assert text_of(panel) == "Scoring P03  failed", "why it failed stands in the message and is not said twice"
    assert "P03.mp4 holds" in panel._state.toolTip()
    with qtbot.waitSignal(panel.list_requested) as opened:
        QTest.mouseClick(button(panel, "Details"), Qt.MouseButton.LeftButton)
    assert opened.args == [failed.job_id]
    assert text_of(panel) == "Scoring P01  done"


def test_a_failure_is_over_once_a_later_try_succeeded(panel: JobsPanel) -> None:
    failed, other = failed_job(), make_job("scoring P01", "done", outcome=Outcome("done"))
    again = make_job("scoring P03", "done", outcome=Outcome("done"))
    panel.set_jobs([failed, other])
    assert text_of(panel) == "Scoring P03  failed"
    panel.set_jobs([failed, other, again])
    assert text_of(panel) == "Scoring P03  done"
    assert buttons(panel) == ["Jobs"]
    panel.set_jobs([failed, again, failed_job()])
    assert text_of(panel) == "Scoring P03  failed"


def test_a_failure_beside_a_running_job_is_counted(panel: JobsPanel) -> None:
    panel.set_jobs([failed_job(), running_job(), make_job("finetuning", "queued")])
    assert text_of(panel).startswith("Scoring P11")
    assert buttons(panel)[-1] == "1 waiting, 1 failed"


def test_a_click_on_the_strip_opens_the_list(qtbot: QtBot, panel: JobsPanel) -> None:
    QTest.mouseClick(panel, Qt.MouseButton.LeftButton)  # nothing to list
    job = running_job()
    panel.set_jobs([job])
    with qtbot.waitSignal(panel.list_requested) as opened:
        QTest.mouseClick(panel, Qt.MouseButton.LeftButton)
    assert opened.args == [job.job_id]


def test_a_job_that_has_ended_leaves_the_strip_after_a_while_and_a_failure_stays(panel: JobsPanel) -> None:
    done = make_job("scoring P01", "done")
    panel.set_jobs([done])
    assert text_of(panel).startswith("Scoring P01")
    assert panel._ended.isActive()
    panel._ended.timeout.emit()
    assert text_of(panel) == ""
    panel.set_jobs([done, failed_job("scoring P02")])
    panel._ended.timeout.emit()
    assert text_of(panel) == "Scoring P02  failed"


def test_what_has_no_room_in_the_strip_ends_with_dots(panel: JobsPanel) -> None:
    job = make_job("scoring P11", "done")
    job.outcome = Outcome("done", "A model was made of the labels of this library and compared with the one in use.")
    panel.set_jobs([job])
    panel.resize(320, panel.height())
    assert panel._state.shown.endswith("…")
    assert "compared with" in panel._state.toolTip()
    panel.resize(1200, panel.height())
    assert panel._state.shown == panel._state.text()
