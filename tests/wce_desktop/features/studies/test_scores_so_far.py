"""Flags while scoring runs: the first ones appear as they are found, and the list keeps its place."""

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from tests.videos import write_video
from tests.wce_desktop.sessions import CLASSES, FRAMES, add_study, known_scores, make_session, write_scores
from tests.wce_desktop.windows import press, wait, window_on
from training.embeddings.writer import partial_path
from training.inference.scores_so_far import NAME, payloads
from training.runs.events import STOPPED_EARLY, Outcome
from training.video import build_index
from wce_desktop.features.reading.event_painting import answer_buttons
from wce_desktop.features.studies import scoring
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.threads.job import Job
from wce_desktop.widgets import dialogs


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """On a study that was not scored yet; scoring jobs do nothing by themselves."""
    monkeypatch.setattr(scoring, "SHOWN_EVERY_MILLISECONDS", 0)
    session = make_session(tmp_path)
    study = add_study(session, tmp_path, is_scored=False)
    with window_on(qtbot, session, study) as made:
        monkeypatch.setattr(made.jobs, "submit", _submit)
        yield made


def _submit(spec: JobSpec) -> Job:
    return Job(spec)


def begin(window: MainWindow) -> Job:
    """Score the open study, with a job that the test lets speak."""
    submitted: list[Job] = []
    submit = window.jobs.submit
    window.jobs.submit = lambda spec: submitted.append(submit(spec)) or submitted[-1]  # type: ignore[method-assign, func-returns-value]
    press(window, "score_study")
    return submitted[0]


def say(window: MainWindow, job: Job, scores: NDArray[np.float32], start: int, stop: int) -> None:
    for payload in payloads(start, CLASSES, scores[start:stop]):
        job.partial_arrived.emit(NAME, payload)


def finish(window: MainWindow, job: Job, scores: NDArray[np.float32]) -> None:
    study = window.session.library.studies.get(str(job.spec.study_id))
    write_scores(window.session.files(study).scores_path("m1"), "m1", scores)
    job.report_outcome(Outcome("done"))


def flags(window: MainWindow) -> list[tuple[str, int]]:
    model = window.features.reading.flags.model
    return [(event.name, event.span.start) for event in (model._events[row] for row in range(model.rowCount()))]


def test_flags_appear_as_they_are_found_and_scores_replace_them(qtbot: QtBot, window: MainWindow) -> None:
    scores, panel = known_scores(), window.features.reading.flags
    job = begin(window)
    assert panel._empty.text() == "Scoring of this study runs or waits (see Jobs). Flags appear as they are found."
    say(window, job, scores, 0, 8)
    assert panel._empty.text() == "No flags yet; this study is still being scored."
    say(window, job, scores, 8, 20)
    wait(qtbot, lambda: flags(window) == [("polyp", 10)])
    assert panel._total.text() == "1 flag so far, 1 not seen, 1 unanswered"
    reading = window.session.reading
    assert reading is not None
    assert reading.flags.scores is None, "nothing that needs all scores takes these for them"
    assert [track.name for track in window.workspace.timeline.content.tracks] == ["polyp", "blood"]
    press(window, "next_unseen_event")
    wait(qtbot, lambda: window.player.frame_index == 12)
    say(window, job, scores, 20, FRAMES)
    wait(qtbot, lambda: flags(window) == [("polyp", 10), ("blood", 40)])
    assert panel.highlighted is not None
    assert panel.highlighted.name == "polyp"
    finish(window, job, scores)
    assert reading.flags.scores is not None
    assert not reading.flags.is_partial
    assert flags(window) == [("polyp", 10), ("blood", 40)]
    assert "so far" not in panel._total.text()


def stop(window: MainWindow, job: Job, scores: NDArray[np.float32], count: int) -> Path:
    """End a job by *Stop* after `count` frames, as the child leaves it; returns the unfinished file."""
    study = window.session.library.studies.get(str(job.spec.study_id))
    path = window.session.files(study).scores_path("m1")
    write_scores(path, "m1", scores)
    with h5py.File(path, "r+") as file:
        file.attrs["frames_done"], file.attrs["complete"] = np.int64(count), np.bool_(False)
    path.rename(partial_path(path))
    job.report_outcome(Outcome("done", STOPPED_EARLY, result={"complete": False}))  # as `training score` ends
    return partial_path(path)


def test_what_a_stopped_job_has_scored_stays_and_is_shown_again(qtbot: QtBot, window: MainWindow) -> None:
    job = begin(window)
    say(window, job, known_scores(), 0, 20)
    wait(qtbot, lambda: flags(window) == [("polyp", 10)])
    stop(window, job, known_scores(), 20)
    assert flags(window) == [("polyp", 10)]
    assert "so far" in window.features.reading.flags._total.text()
    assert window.workspace.messages.text.startswith("Stopped: scoring")
    study = window.session.library.studies.get(str(job.spec.study_id))
    window.features.studies.scoring._so_far._rows.clear()  # as in another session
    window.session.close_study()
    window.features.studies.open_study(study)
    wait(qtbot, lambda: flags(window) == [("polyp", 10)])
    assert window.session.reading is not None
    assert window.session.reading.flags.is_partial


def test_a_stopped_part_without_flags_offers_to_score_the_rest(qtbot: QtBot, window: MainWindow) -> None:
    job = begin(window)
    say(window, job, known_scores(), 0, 8)
    stop(window, job, known_scores(), 8)
    panel = window.features.reading.flags
    assert panel._empty.text() == "No flags in the part of this study that is scored."
    assert panel.next_step.text() == "Score the rest"


def test_discarding_a_scoring_asks_and_leaves_nothing(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = begin(window)
    say(window, job, known_scores(), 0, 20)
    wait(qtbot, lambda: flags(window) == [("polyp", 10)])
    left = stop(window, job, known_scores(), 20)
    again = begin(window)
    again.state = "running"
    monkeypatch.setattr(window.jobs, "_jobs", [again])
    ended: list[Job] = []
    monkeypatch.setattr(again, "cancel", lambda: ended.append(again))
    press(window, "show_jobs")
    dialog = window.features.job_list._dialog
    (button,) = [
        button for button in dialog.findChildren(QPushButton) if button.text() == "Discard…" and button.isVisible()
    ]

    asked: list[str] = []

    def answer(words: str) -> None:
        def exec_(box: QMessageBox) -> int:
            asked.append(box.text())
            assert box.defaultButton() is box.escapeButton(), "Return and Escape keep the job"
            next(choice for choice in box.buttons() if choice.text() == words).click()
            return box.result()

        monkeypatch.setattr(QMessageBox, "exec", exec_)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    answer("Keep working")
    assert ended == []
    answer("Discard")
    assert len(asked) == 2
    assert ended == [again]
    again.report_outcome(Outcome("cancelled"))
    assert flags(window) == []
    assert not left.exists()
    assert "not been scored" in window.features.reading.flags._empty.text()


def test_flags_that_arrive_do_not_move_the_place(qtbot: QtBot, window: MainWindow) -> None:
    scores, panel = known_scores(), window.features.reading.flags
    submitted: list[Job] = []
    window.jobs.submit = lambda spec: submitted.append(_submit(spec)) or submitted[-1]  # type: ignore[method-assign, func-returns-value]
    window.features.reading.go_to_frame(3)
    wait(qtbot, lambda: window.player.frame_index == 3)
    panel.next_step.setFocus()
    QTest.mouseClick(panel.next_step, Qt.MouseButton.LeftButton)  # "Score this study" takes the focus, then hides
    (job,) = submitted
    say(window, job, scores, 0, 20)
    wait(qtbot, lambda: flags(window) == [("polyp", 10)])
    panel.list.setFocus()
    say(window, job, scores, 20, FRAMES)
    wait(qtbot, lambda: len(flags(window)) == 2)
    finish(window, job, scores)
    wait(qtbot, lambda: window.is_idle)
    assert window.player.frame_index == 3
    assert panel.highlighted is None
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    wait(qtbot, lambda: window.player.frame_index == 12)


def test_a_study_that_is_opened_again_shows_what_is_known(qtbot: QtBot, window: MainWindow) -> None:
    job = begin(window)
    study = window.session.library.studies.get(str(job.spec.study_id))
    window.session.close_study()
    say(window, job, known_scores(), 0, 20)
    window.features.studies.open_study(study)
    wait(qtbot, lambda: flags(window) == [("polyp", 10)])
    job.partial_arrived.emit(NAME, {"first": 0, "classes": ["polyp"], "scores": "?"})
    job.partial_arrived.emit("curve", {})
    assert flags(window) == [("polyp", 10)], "what cannot be read changes nothing"


def test_the_list_begins_near_the_frame_on_screen_and_keeps_its_place(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "SHOWN_EVERY_MILLISECONDS", 0)
    session = make_session(tmp_path)
    frames = 240
    video = write_video(tmp_path / "study.mp4", frames)
    study = session.add_study(video, build_index(video))
    scores = np.full((frames, 3), 0.1, np.float32)
    scores[::4, 1] = 0.9  # every fourth frame is an event of its own
    with window_on(qtbot, session, study) as window:
        monkeypatch.setattr(window.jobs, "submit", _submit)
        window.session.settings.set("max_gap_frames", 0)
        assert window.session.reading is not None
        window.session.reading.flags.max_gap = 0
        window.features.reading.go_to_frame(121)
        wait(qtbot, lambda: window.player.frame_index == 121)
        job = begin(window)
        say(window, job, scores, 0, 200)
        rows = window.features.reading.flags.list
        wait(qtbot, lambda: len(flags(window)) == 50)
        shown = rows.indexAt(rows.viewport().rect().center()).row()
        assert abs(shown - 30) < 12, "row 30 is the event nearest to the frame on screen"
        rows.show_at_top(10)
        say(window, job, scores, 200, frames)
        wait(qtbot, lambda: len(flags(window)) == 60)
        top = rows.top_event
        assert top is not None
        assert top.span.start == 40, "where the reader had scrolled to"
        finish(window, job, scores)
        wait(qtbot, lambda: window.is_idle)
        assert rows.top_event is not None


def test_a_press_answers_the_flag_that_was_pressed_though_others_arrive(qtbot: QtBot, window: MainWindow) -> None:
    scores, panel = known_scores(), window.features.reading.flags
    job = begin(window)
    say(window, job, scores, 30, FRAMES)
    wait(qtbot, lambda: flags(window) == [("blood", 40)])
    window.workspace.window.repaint()
    rows, answered = panel.list, list[tuple[str, bool]]()
    panel.list.answer_requested.connect(lambda event, is_accepted: answered.append((event.name, is_accepted)))
    accept, _ = answer_buttons(rows.visualRect(rows.model().index(0, 0)))
    QTest.mousePress(rows.viewport(), Qt.MouseButton.LeftButton, pos=accept.center())
    say(window, job, scores, 0, 30)
    wait(qtbot, lambda: flags(window) == [("polyp", 10), ("blood", 40)])
    QTest.mouseRelease(rows.viewport(), Qt.MouseButton.LeftButton, pos=accept.center())
    assert answered == [], "another flag lies there now"
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=accept.center())
    assert answered == [("polyp", True)]


def test_the_chosen_flag_stays_chosen_while_it_grows(qtbot: QtBot, window: MainWindow) -> None:
    scores = known_scores()
    scores[10:30, 1], scores[10:30, 2] = 0.8, 0.95  # two classes at once
    reading = window.session.reading
    assert reading is not None
    job = begin(window)
    say(window, job, scores, 0, 20)
    wait(qtbot, lambda: len(flags(window)) == 2)
    polyp = next(event for event in reading.flags.events if event.name == "polyp")
    window.features.reading.go_to_event(polyp)
    wait(qtbot, lambda: reading.place.frame_index == polyp.peak_frame)
    say(window, job, scores, 20, FRAMES)
    wait(qtbot, lambda: any(event.name == "polyp" and event.span.stop > 20 for event in reading.flags.events))
    here = reading.event_here()
    assert here is not None
    assert here.name == "polyp"


def test_many_studies_are_scored_after_it_was_said_what_that_takes(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "second").mkdir()
    add_study(window.session, tmp_path / "second", is_scored=False, gop=6)
    questions: list[str] = []

    def declines(*given: str, **_: bool) -> bool:
        questions.append(given[2])
        return False

    monkeypatch.setattr(dialogs, "agrees", declines)
    press(window, "score_all")
    assert not window.session.scoring
    assert questions[0].startswith(f"{2 * FRAMES} frames of 2 studies.")
    assert "on disk" in questions[0]
    monkeypatch.setattr(dialogs, "agrees", lambda *given, **_: True)
    press(window, "score_all")
    assert len(window.session.scoring) == 2
