"""The calculators through the real window: chosen with the mouse, graded with keys, undone, and in the report."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import FRAMES, add_study, make_session
from tests.wce_desktop.windows import main_window, press, wait, window_on
from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.report_part import ReportPart, part_of
from wce_desktop.core.calculators import koda_grades
from wce_desktop.core.language import read_translations
from wce_desktop.core.span import Span
from wce_desktop.features.calculators.calculators_window import CalculatorsWindow
from wce_desktop.session.completeness.score_basis import BASIS
from wce_desktop.session.places import resource
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with main_window(qtbot, tmp_path) as made:
        yield made


def open_scores(qtbot: QtBot, window: MainWindow, tab: int) -> CalculatorsWindow:
    press(window, "show_calculators")
    shown = window.features.calculators.window
    assert shown is not None
    shown.tabs.setCurrentIndex(tab)
    wait(qtbot, lambda: window.is_idle and shown.isActiveWindow())  # else keys are shortcuts of the main window
    return shown


def mark_small_bowel(window: MainWindow) -> None:
    reading = window.session.reading
    assert reading is not None
    study_id = reading.study.study_id
    marks = ((Region.SMALL_BOWEL, 5), (Region.COLON, 50))
    window.session.edits.apply("x", [Add(Landmark(f"l{frame}", study_id, region, frame)) for region, frame in marks])


def part(window: MainWindow, kind: str) -> ReportPart | None:
    assert window.session.reading is not None
    return part_of(window.session.reading.entries.report_parts, kind)  # type: ignore[arg-type]


def choose(shown: CalculatorsWindow, kind: str, key: str, row: int) -> None:
    box = shown.forms[kind].boxes[key]  # type: ignore[index]
    box.setFocus()
    box.setCurrentIndex(0 if row else 1)
    for _ in range(row or 1):
        QTest.keyClick(box, Qt.Key.Key_Down if row else Qt.Key.Key_Up)


def test_the_lewis_score_is_computed_once_everything_is_entered(qtbot: QtBot, window: MainWindow) -> None:
    shown = open_scores(qtbot, window, 0)
    form = shown.forms["lewis"]
    assert form.result.score.text().startswith("Choose what you saw, also where it is normal")
    assert "Mark where the small bowel" in form.divisions.text()
    assert not form.boxes["ulcer-size-1"].isEnabled()
    assert form.boxes["villi-1"].currentText() == "Not entered"
    assert form.boxes["ulcer-size-1"].currentText() == "–"
    for button in form.nothing.values():
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert form.result.score.text() == "Lewis score: 0, normal or clinically insignificant (below 135)"
    assert next(iter(form.nothing.values())).accessibleName() == "Nothing seen: First tertile"
    choose(shown, "lewis", "ulcers-1", 2)
    assert form.boxes["ulcers-1"].currentText() == "Single"
    assert form.result.score.text() == "Not entered yet: First tertile: Ulcer extent; First tertile: Largest ulcer."
    assert form.boxes["ulcer-size-1"].isEnabled()
    assert not form.boxes["ulcer-size-2"].isEnabled()
    choose(shown, "lewis", "ulcer-extent-1", 1)
    choose(shown, "lewis", "ulcer-size-1", 1)
    assert form.result.score.text() == "Lewis score: 135, mild inflammation (135 to 789)"
    mark_small_bowel(window)
    assert form.divisions.text().startswith("By transit time: first 0:00:00 to ")
    while part(window, "lewis") is not None:
        window.session.edits.undo()
    assert form.boxes["ulcers-1"].currentText() == "Not entered"


def test_clearing_takes_a_score_out_of_the_report(qtbot: QtBot, window: MainWindow) -> None:
    shown = open_scores(qtbot, window, 3)
    form = shown.forms["cc-clear"]
    assert not form.nothing, "no mucosa seen is not what is normal"
    for key in ("right", "transverse", "left"):
        choose(shown, "cc-clear", key, 3)
    choose(shown, "cc-clear", "right", 1)
    assert "inadequate" in form.result.score.text()
    QTest.mouseClick(form.result.clear, Qt.MouseButton.LeftButton)
    assert part(window, "cc-clear") is None
    assert not form.result.clear.isEnabled()
    window.session.edits.undo()
    assert form.boxes["left"].currentIndex() == 3
    choose(shown, "cc-clear", "left", 0)
    assert form.result.score.text() == "Not entered yet: Left colon."


def test_koda_is_graded_with_the_keys(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wce_desktop.core.calculators.cleansing.EVERY_SECONDS", 0.8)  # the little study has 2.4 seconds
    shown = open_scores(qtbot, window, 2)
    page = shown.koda
    assert page.note.text().startswith("Mark where the small bowel and the colon begin")
    mark_small_bowel(window)
    wait(qtbot, lambda: window.is_idle)
    assert page.place.text().startswith("1 of 3 frames: frame 6 at ")
    page.setFocus()
    for key in "32":
        QTest.keyClicks(page, key)
    assert page.place.text().startswith("2 of 3 frames: frame 26 at ")
    assert page.result.score.text() == "1 of 3 frames graded. Press 0 to 3."
    for key in "3322":
        QTest.keyClicks(page, key)
    assert page.result.score.text().startswith(
        "KODA score (cleanliness of the small bowel): 2.50 of 3 from 3 frames; too few"
    )
    QTest.keyClick(page, Qt.Key.Key_Left)
    QTest.mouseClick(page.buttons[0][0], Qt.MouseButton.LeftButton)
    stored = part(window, "koda")
    assert stored is not None
    grades = [(one.frame_index, one.visualised, one.obstruction) for one in koda_grades(stored.content)]
    assert grades == [(5, 3, 2), (25, 0, 3), (45, 2, 2)]
    window.session.edits.undo()
    again = part(window, "koda")
    assert again is not None
    assert koda_grades(again.content)[1].visualised == 3


def test_koda_shows_what_was_entered_of_a_frame_and_counts_it_once_confirmed(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wce_desktop.core.calculators.cleansing.EVERY_SECONDS", 0.8)
    reading = window.session.reading
    assert reading is not None
    study_id = reading.study.study_id
    kinds = (("no view", Span(3, 9)), ("bubbles", Span(24, 30)))
    entered = [Finding.new(study_id=study_id, kind=kind, span=span) for kind, span in kinds]
    window.session.edits.apply("Enter", [Add(one) for one in entered])
    shown = open_scores(qtbot, window, 2)
    mark_small_bowel(window)
    wait(qtbot, lambda: window.is_idle)
    page = shown.koda
    assert page.entered.text() == "Entered here: no view. Visualised mucosa: 0? Press 0 to confirm."
    assert part(window, "koda") is None, "nothing counts before"
    page.setFocus()
    QTest.keyClicks(page, "0")
    assert page.entered.text() == "Entered here: no view"
    stored = part(window, "koda")
    assert stored is not None
    assert koda_grades(stored.content)[0].visualised == 0
    QTest.keyClicks(page, "3")
    assert page.entered.text() == "Entered here: bubbles"
    QTest.keyClicks(page, "33")
    assert page.entered.isHidden()


def test_a_frame_that_does_not_decode_can_still_be_passed(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    from training.video import FrameMissing
    from training.video.video_source import VideoSource

    def damaged(self: VideoSource, frame_index: int) -> object:
        raise FrameMissing("v", frame_index)

    monkeypatch.setattr(VideoSource, "read", damaged)
    mark_small_bowel(window)
    shown = open_scores(qtbot, window, 2)
    wait(qtbot, lambda: shown.koda.frame.text() == "This frame cannot be decoded.")


def test_inputs_that_cannot_be_read_are_said_and_kept(qtbot: QtBot, window: MainWindow) -> None:
    reading = window.session.reading
    assert reading is not None
    made = ReportPart.new(study_id=reading.study.study_id, kind="cecdai", content={"a-proximal": "seven"})
    window.session.edits.apply("x", [Add(made)])
    shown = open_scores(qtbot, window, 1)
    form = shown.forms["cecdai"]
    assert form.result.score.text().startswith("The stored inputs cannot be read")
    assert part(window, "cecdai") == made
    assert form.result.clear.isEnabled()


def test_undo_in_this_window_takes_back_its_own_inputs_only(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "label_1")
    assert window.session.edits.undo_title == "polyp labelled on 1 frame"
    shown = open_scores(qtbot, window, 0)
    QTest.keyClick(shown, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert shown.message.text().startswith(
        "Nothing was undone: “polyp labelled on 1 frame” was not done in this window."
    )
    with pytest.raises(UserError) as refused:
        window.session.edits.undo((ReportPart,))
    german = read_translations(resource("translations", "wce_desktop_de.ts"))
    assert {getattr(text, "template", text) for text in (refused.value.message, refused.value.hint)} <= german.keys()
    assert window.session.edits.undo_title == "polyp labelled on 1 frame"
    choose(shown, "lewis", "ulcers-1", 1)
    assert part(window, "lewis") is not None
    QTest.keyClick(shown, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert part(window, "lewis") is None
    assert shown.message.text() == "Undone: Enter the Lewis score"


def test_answers_of_findings_are_marked_and_count_once_they_are_confirmed(qtbot: QtBot, window: MainWindow) -> None:
    mark_small_bowel(window)
    assert window.session.reading is not None
    ulcer = Finding.new(study_id=window.session.reading.study.study_id, kind="ulcer", span=Span(10, 12))
    window.session.edits.apply("x", [Add(ulcer)])
    shown = open_scores(qtbot, window, 0)
    form = shown.forms["lewis"]
    assert form.boxes["ulcers-1"].currentText() == "Findings: Single?"
    assert form.boxes["ulcers-2"].currentText() == "Not entered"
    assert part(window, "lewis") is None, "nothing counts yet"
    form.confirm.click()
    wait(qtbot, lambda: window.is_idle)
    kept = part(window, "lewis")
    assert kept is not None
    assert {key: kept.content[key] for key in kept.content if key != BASIS} == {"ulcers-1": "single"}
    assert not form.confirm.isVisible()
    assert form.boxes["ulcers-1"].currentText() == "Single"


def test_an_answer_that_says_less_than_the_findings_is_asked_again_and_nothing_moves(
    qtbot: QtBot, window: MainWindow
) -> None:
    mark_small_bowel(window)
    assert window.session.reading is not None
    ulcer = Finding.new(study_id=window.session.reading.study.study_id, kind="ulcer", span=Span(10, 12))
    shown = open_scores(qtbot, window, 0)
    form = shown.forms["lewis"]
    at = form.boxes["villi-1"].mapTo(shown, QPoint())
    for button in form.nothing.values():
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert form.result.notes.isHidden()
    window.session.edits.apply("x", [Add(ulcer)])
    assert "To be confirmed: " in form.result.notes.text()
    assert "First tertile, Ulcers: None, findings: Single" in form.result.notes.text()
    qtbot.wait(1)
    assert form.boxes["villi-1"].mapTo(shown, QPoint()) == at
    form.confirm.click()
    assert form.result.notes.isHidden()
    assert part(window, "lewis") is not None


def test_koda_is_proposed_from_the_visible_mucosa(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path)
    study = add_study(session, tmp_path, tracks={"visible_mucosa": np.full(FRAMES, 0.6)})
    with window_on(qtbot, session, study) as window:
        mark_small_bowel(window)
        page = open_scores(qtbot, window, 2).koda
        assert page.note.text() == (
            "Automatic: visible mucosa: small bowel 60 %, CAC 1.00, 0 % of frames adequate; colon 60 %. "
            "Proposed KODA: 1.50; it counts once you have graded the frames. "
            "The measurement was checked on one make of capsule; it may be too low on others."
        )
        assert page.entered.text().startswith("Measured: 60 % of the mucosa visible. Proposal: 2, then 1;")
        assert part(window, "koda") is None, "nothing counts before"
        page.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_2, Qt.KeyboardModifier.NoModifier, "2"))
        stored = part(window, "koda")
        assert stored is not None
        assert koda_grades(stored.content)[0].visualised == 2
