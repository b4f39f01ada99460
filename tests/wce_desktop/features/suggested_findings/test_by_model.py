"""Flags grouped by a re-identification model in the real window, and findings of an earlier study beside them."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.videos import write_video
from tests.wce_desktop.features.suggested_findings.looks import BLOOD, POLYP_ONE, POLYP_TWO, looks_session
from tests.wce_desktop.features.suggested_findings.reid import Frames, add_reid, look, write_vectors
from tests.wce_desktop.sessions import known_scores, write_scores
from tests.wce_desktop.windows import press, wait, window_on
from training.models.folder import CONFIG
from training.reidentification.study_vectors import StudyVectors
from training.video import build_index
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.core.suggested import STORED, EarlierFinding
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow

ONE, TWO, OTHER, RED = look(1), look(2), look(3), look(4)
BY_MODEL = "by the re-identification model “Re-identification 1”"


def frames() -> Frames:
    """The first two parts of polyp one look alike, and its third part looks like polyp two."""
    shown = {POLYP_ONE[0]: ONE, POLYP_ONE[1]: ONE, POLYP_ONE[2]: TWO, POLYP_TWO: TWO}
    made = {("polyp", start + place): vector for start, vector in shown.items() for place in (0, 1)}
    return made | {("blood", BLOOD + place): RED for place in (0, 1)}


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with window_on(qtbot, *looks_session(tmp_path)) as made:
        wait(qtbot, lambda: is_grouped(made))
        yield made


def is_grouped(window: MainWindow) -> bool:
    reading = window.session.reading
    return (
        reading is not None and reading.flags.suggested is not None and not window.features.suggested_findings.is_busy
    )


def reading_of(window: MainWindow) -> Reading:
    assert window.session.reading is not None
    return window.session.reading


def means(window: MainWindow) -> str:
    suggested = reading_of(window).flags.suggested
    return "" if suggested is None else suggested.means


def earlier_of(window: MainWindow) -> list[EarlierFinding]:
    suggested = reading_of(window).flags.suggested
    return [] if suggested is None else list(suggested.earlier.values())


def groups(window: MainWindow) -> list[list[int]]:
    reading = reading_of(window)
    return sorted([part.span.start for part in reading.flags.parts_of(main)] for main in reading.flags.listed)


def test_a_chosen_model_groups_flags_and_the_window_says_so(window: MainWindow, qtbot: QtBot) -> None:
    session, study = window.session, reading_of(window).study
    assert means(window) == STORED
    run = add_reid(session)
    write_vectors(session, study, run, frames())
    session.scores.group_by(run.run_id)
    wait(qtbot, lambda: means(window) == BY_MODEL)
    assert groups(window) == [[6, 18], [POLYP_TWO, 42], [BLOOD]]
    assert BY_MODEL in window.features.reading.flags._total.toolTip()
    window.features.reading.go_to_frame(POLYP_ONE[0])
    wait(qtbot, lambda: reading_of(window).place.frame_index == POLYP_ONE[0] and window.is_idle)
    press(window, "show_parts")
    shown = window.features.suggested_findings.overview
    assert [event.span.start for event in shown._events] == [6, 18]
    assert not shown.earlier.isVisible()
    press(window, "link_earlier")
    assert "No finding of an earlier study" in window.workspace.messages.text
    session.scores.group_by("")
    wait(qtbot, lambda: means(window) == STORED and len(groups(window)) == 3)
    assert list(POLYP_ONE) in groups(window)


def test_missing_vectors_are_embedded_by_a_job_and_until_then_the_list_says_so(
    window: MainWindow, qtbot: QtBot
) -> None:
    session, study = window.session, reading_of(window).study
    run = add_reid(session, limit=2.0)
    session.scores.group_by(run.run_id)
    wait(qtbot, lambda: "has embedded the flags" in means(window))
    assert list(POLYP_ONE) in groups(window), "grouped as before"
    (job,) = window.jobs.open
    assert (job.spec.command, job.spec.study_id) == ("embed-reid", study.study_id)
    qtbot.waitUntil(lambda: means(window) == BY_MODEL, timeout=60_000)
    assert groups(window) == [[6, 18, 30, 42], [BLOOD]], "all polyps are within this limit"
    found = StudyVectors.open(session.files(study).reid_path(run.run_id, session.model_id))
    assert found.floor == pytest.approx(0.25)
    session.scores.set_threshold(0.6)
    wait(qtbot, lambda: means(window) == BY_MODEL)
    assert not window.jobs.is_busy, "a higher threshold needs no frames that are not there"


def test_a_damaged_model_is_said_and_flags_stay_grouped(window: MainWindow, qtbot: QtBot) -> None:
    run = add_reid(window.session)
    (run.folder / "model" / CONFIG).write_text("{}")
    window.session.scores.group_by(run.run_id)
    wait(qtbot, lambda: "cannot be used" in means(window))
    assert list(POLYP_ONE) in groups(window)


def test_without_a_model_there_is_nothing_to_choose(window: MainWindow) -> None:
    press(window, "group_by")
    assert "no re-identification model yet" in window.workspace.messages.text


@pytest.fixture
def followed(qtbot: QtBot, tmp_path: Path) -> Iterator[tuple[MainWindow, Finding]]:
    """A study whose patient had an earlier one: its polyp looks like the second polyp, its blood like nothing here."""
    session, earlier, study = two_studies(tmp_path)
    session.open_study(earlier, build_index(earlier.path))
    polyp = Finding.new(study_id=earlier.study_id, kind="polyp", span=Span(10, 14), key_frames=(12,))
    blood = Finding.new(study_id=earlier.study_id, kind="blood", span=Span(40, 42))
    session.edits.apply("Findings", [Add(polyp), Add(blood)])
    session.close_study()
    run = add_reid(session)
    seen = {("polyp", frame): TWO for frame in range(10, 14)} | {("blood", frame): OTHER for frame in (40, 41)}
    write_vectors(session, earlier, run, seen, ((10, 14, "polyp"), (40, 42, "blood")))
    write_vectors(session, study, run, frames())
    session.scores.group_by(run.run_id)
    with window_on(qtbot, session, study) as made:
        wait(qtbot, lambda: is_grouped(made))
        yield made, polyp


def two_studies(folder: Path) -> tuple[Session, Study, Study]:
    """The session, an earlier study of patient P1, and the study of `looks`, added after it."""

    def add_first(session: Session) -> None:
        video = write_video(folder / "earlier.mp4", 60, height=48)
        first = session.add_study(video, build_index(video), patient_id="P1")
        path = session.files(first).scores_path(session.model_id)
        write_scores(path, session.model_id, known_scores(), first.fingerprint)
        session.scores.scored(first.study_id, session.model_id)

    session, study = looks_session(folder, before=add_first)
    return session, session.library.studies.all()[0], study


def go_to(window: MainWindow, qtbot: QtBot, frame_index: int) -> None:
    window.features.reading.go_to_frame(frame_index)
    wait(qtbot, lambda: reading_of(window).place.frame_index == frame_index and window.is_idle)


def test_a_finding_of_an_earlier_study_is_offered_linked_and_undone(
    followed: tuple[MainWindow, Finding], qtbot: QtBot
) -> None:
    window, polyp = followed
    reading = reading_of(window)
    (found,) = earlier_of(window)
    assert (found.finding, found.frame_index, found.is_linked) == (polyp, 12, False)
    assert found.similarity == pytest.approx(1.0, abs=1e-4)
    go_to(window, qtbot, POLYP_TWO)
    event = reading.event_here()
    assert event is not None
    model = window.features.reading.flags.model
    row = model.row_of(event)
    assert "looks like Polyp of earlier at 0:00:00, similarity >0.999" in model.index(row).data()
    press(window, "show_parts")
    shown = window.features.suggested_findings.overview
    wait(qtbot, lambda: not window.features.suggested_findings.is_busy)
    assert shown.earlier.isVisible()
    assert shown.earlier.words.text() == "Looks like Polyp of earlier at 0:00:00, similarity >0.999."
    assert not shown.earlier._picture.pixmap().isNull()
    shown.earlier.same.click()
    wait(qtbot, lambda: is_grouped(window) and not shown.earlier.same.isEnabled())
    (link,) = reading.entries.links
    assert (link.other_study_id, link.other_frame_index, link.is_same) == (polyp.study_id, 12, True)
    assert (link.name, link.other_name) == ("polyp", "polyp")
    assert shown.earlier.words.text().startswith("Linked with Polyp")
    press(window, "undo")
    wait(qtbot, partial(is_grouped, window))
    assert not reading.entries.links
    assert shown.earlier.same.isEnabled()


def test_a_finding_that_is_another_one_is_not_offered_again(followed: tuple[MainWindow, Finding], qtbot: QtBot) -> None:
    window, _ = followed
    go_to(window, qtbot, POLYP_TWO)
    press(window, "reject_earlier")
    wait(qtbot, lambda: is_grouped(window) and not earlier_of(window))
    assert [link.is_same for link in reading_of(window).entries.links] == [False]


def test_stored_embeddings_are_not_compared_across_studies(followed: tuple[MainWindow, Finding], qtbot: QtBot) -> None:
    window, _ = followed
    window.session.scores.group_by("")
    wait(qtbot, lambda: means(window) == STORED)
    assert not earlier_of(window)
