"""What closing the window asks while a job runs."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.job_samples import make_job, running_job
from wce_desktop.features.job_list.feature import ClosingQuestion, ask_before_closing
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.threads.job import Job


@pytest.mark.parametrize(
    ("button", "choice"), [("Stop and close", "stop"), ("Close at once", "close"), ("Keep working", "stay")]
)
def test_each_button_is_a_choice(qtbot: QtBot, button: str, choice: str) -> None:
    question = ClosingQuestion([running_job()])
    qtbot.addWidget(question)
    question.show()
    next(one for one in question.buttons() if one.text() == button).click()
    assert question.choice == choice


def test_escape_stays(qtbot: QtBot) -> None:
    question = ClosingQuestion([running_job()])
    qtbot.addWidget(question)
    question.show()
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert question.choice == "stay"


def test_it_says_what_runs_and_what_waits(qtbot: QtBot) -> None:
    question = ClosingQuestion([running_job(), make_job("finetuning", "queued"), make_job("old", "done")])
    qtbot.addWidget(question)
    assert question.text().splitlines() == [
        "Scoring P11 is still running (64 %   412 frames/s   1:20 left).",
        "1 more is waiting and will not start.",
    ]


def test_it_says_what_is_kept_of_each_job(qtbot: QtBot) -> None:
    update = Job(JobSpec("fine-tuning", "finetune", {"preset": "linear"}, "light"))
    update.state = "running"
    question = ClosingQuestion([running_job(), update])
    qtbot.addWidget(question)
    _, scoring, classifier, _ = question.informativeText().splitlines()
    assert "the job can be resumed" in scoring
    assert "nothing is kept" in classifier


def test_without_a_running_job_nothing_is_asked() -> None:
    assert ask_before_closing([make_job("old", "done")]) == "close"
