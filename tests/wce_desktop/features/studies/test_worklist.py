"""The worklist in the window, with keys and mouse."""

from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import answer_input, main_window, press, wait
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.seen import Seen
from wce_desktop.core.span import Span
from wce_desktop.features.patients.feature import ErasingDialog
from wce_desktop.features.studies.worklist_model import BLOOD, BOWEL, FLAGS, SEEN, STUDY
from wce_desktop.features.studies.worklist_window import WorklistWindow
from wce_desktop.session.completeness.reading_facts import ReadingFacts, reading_facts
from wce_desktop.session.completeness.still_open import still_open
from wce_desktop.shell.appearance import use_language
from wce_desktop.shell.main_window import MainWindow

HALF = Seen(10, 5)


def add_others(window: MainWindow, folder: Path, count: int = 3) -> None:
    for number in range(count):
        window.session.library.studies.add(folder / f"x{number}.mp4", study_id=f"x{number}", fingerprint=f"x{number}")
    window.session.studies_changed.emit()


def shown(qtbot: QtBot, window: MainWindow) -> WorklistWindow:
    press(window, "show_worklist")
    worklist = window.features.studies.worklist.window
    qtbot.waitExposed(worklist)
    return worklist


def names(worklist: WorklistWindow) -> list[str]:
    return [row.name for row in worklist.model.shown]


def test_a_study_is_found_and_opened_with_keys(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        add_others(window, tmp_path)
        assert window.session.reading is not None
        opened = window.session.reading.study
        window.features.studies.leave()
        worklist = shown(qtbot, window)
        assert len(names(worklist)) == 4
        qtbot.keyClick(worklist.words, Qt.Key.Key_Down)
        wait(qtbot, worklist.table.hasFocus)
        qtbot.keyClicks(worklist.words, opened.name)
        assert names(worklist) == [opened.name]
        qtbot.keyClick(worklist.words, Qt.Key.Key_Return)  # it is the only one
        assert not worklist.isVisible()
        wait(qtbot, lambda: window.session.open_id == opened.study_id)


def test_all_columns_fit_a_narrow_screen_in_german(qtbot: QtBot) -> None:
    use_language("de")
    worklist = WorklistWindow(lambda: None, ())
    qtbot.addWidget(worklist)
    worklist.resize(1220, 680)
    worklist.show()
    hidden = worklist.table.horizontalScrollBar().maximum()
    use_language("en")
    assert hidden == 0


def test_a_slash_searches_and_a_click_on_a_title_sorts(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        add_others(window, tmp_path)
        worklist = shown(qtbot, window)
        worklist.table.setFocus()
        qtbot.keyClick(worklist.table, "/")
        wait(qtbot, worklist.words.hasFocus)
        assert worklist.words.text() == ""
        worklist.table.sortByColumn(STUDY, Qt.SortOrder.DescendingOrder)
        assert names(worklist) == sorted(names(worklist), key=str.casefold, reverse=True)
        worklist.status.setCurrentIndex(worklist.status.findData("signed"))
        assert names(worklist) == []
        assert "No study matches" in worklist._count.text()


def test_flags_left_are_those_that_finishing_names(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        study_id = reading.study.study_id
        worklist = shown(qtbot, window)
        wait(qtbot, lambda: study_id in worklist.model.facts)
        before = still_open(reading).unseen_flags
        facts = worklist.model.facts[study_id]
        assert facts is not None
        assert facts.flags_left == before > 0
        assert worklist.model.index(0, FLAGS).data() == str(before)
        window.session.edits.apply("Label", [Add(Label("l", study_id, Span(10, 14), "polyp"))])
        facts = reading_facts(window.session, study_id)
        assert facts is not None
        assert facts.flags_left == still_open(reading).unseen_flags == before - 1


def test_studies_with_blood_suspected_are_filtered_and_sorted(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        add_others(window, tmp_path)
        worklist = shown(qtbot, window)
        worklist.note_facts([("x0", ReadingFacts(0, HALF, blood=3)), ("x1", ReadingFacts(0, HALF, None, 40, True))])
        worklist.table.sortByColumn(BLOOD, Qt.SortOrder.DescendingOrder)
        assert [worklist.model.index(row, BLOOD).data() for row in range(3)] == ["suspected, 40", "3", "–"]
        assert worklist.model.index(0, SEEN).data() == "50 %"
        worklist.status.setCurrentIndex(worklist.status.findText("blood suspected"))
        assert names(worklist) == ["x1"]
        worklist.note_facts([("x2", ReadingFacts(0, HALF, None, 90, True))])
        assert names(worklist) == ["x2", "x1"]


def choose(worklist: WorklistWindow, *study_ids: str) -> None:
    worklist.table.clearSelection()
    select = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for study_id in study_ids:
        worklist.table.selectionModel().select(worklist.model.index(worklist.model.row_of(study_id), 0), select)


def test_several_studies_are_removed_brought_back_and_erased_with_keys(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        add_others(window, tmp_path)
        studies = window.session.library.studies
        everything = {study.study_id for study in studies.all()}
        worklist = shown(qtbot, window)
        choose(worklist, "x0", "x1")
        worklist.activateWindow()
        worklist.table.setFocus()
        wait(qtbot, worklist.table.hasFocus)
        qtbot.keyClick(worklist.table, Qt.Key.Key_Delete)
        assert {study.study_id for study in studies.all()} == everything - {"x0", "x1"}
        assert "x0" not in [row.study_id for row in worklist.model.shown]
        assert "2 studies were removed" in worklist._message.text()
        next(action for action in worklist.actions() if action.text() == "Undo").trigger()
        assert {study.study_id for study in studies.all()} == everything
        choose(worklist, "x0", "x1")
        worklist._steps["remove"].trigger()
        press(window, "show_removed")
        assert {row.study_id for row in worklist.model.shown} == {"x0", "x1"}
        choose(worklist, "x0")
        assert [step for step, action in worklist._steps.items() if action.isEnabled()] == ["remove", "bring_back"]
        worklist._steps["bring_back"].trigger()
        assert {study.study_id for study in studies.all()} == everything - {"x1"}
        questions: list[str] = []

        def agree(dialog: ErasingDialog) -> int:
            questions.append(dialog.erase.text())
            assert not dialog.erase.isEnabled(), "nothing is erased without confirmation"
            dialog.agree.setChecked(True)
            dialog.erase.click()
            return dialog.result()

        monkeypatch.setattr(ErasingDialog, "exec", agree)
        choose(worklist, "x1")
        worklist._steps["remove"].trigger()
        assert questions == ["Erase 1 study"]
        assert studies.removed() == ()
        press(window, "show_worklist")
        assert {row.study_id for row in worklist.model.shown} == everything - {"x1"}


def test_record_name_and_report_are_reached_from_a_row(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    menus: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: menus.append(menu))
    with main_window(qtbot, tmp_path) as window:
        add_others(window, tmp_path, 1)
        worklist = shown(qtbot, window)
        worklist.table.selectRow(worklist.model.row_of("x0"))
        worklist._show_menu(worklist.table.visualRect(worklist.table.currentIndex()).center())
        assert [action.text() for action in menus[0].actions() if action.isVisible()] == [
            "Open", "Report…", "Read as a second reader…", "Compare two readings…", "Patient record…",
            "Rename the study…", "Show in the file manager", "Remove",
        ]  # fmt: skip
        answer_input(monkeypatch, "Ward 7")
        worklist._steps["rename_study"].trigger()
        assert "Ward 7" in names(worklist)
        worklist._steps["edit_record"].trigger()
        assert window.features.patients.window.table.chosen == ("x0",)
        worklist._steps["open"].trigger()
        wait(qtbot, lambda: "was not found" in window.banner.text)  # its video is gone


def test_an_empty_library_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        worklist = shown(qtbot, window)
        assert "No studies yet" in worklist._count.text()
        assert not worklist._buttons["open"].isEnabled()


def test_of_several_matches_one_is_chosen_before_one_opens(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        add_others(window, tmp_path)
        worklist = shown(qtbot, window)
        window.features.studies.leave()  # keys of the open study would be asked first without a window manager
        qtbot.keyClicks(worklist.words, "x")
        qtbot.keyClick(worklist.words, Qt.Key.Key_Return)
        assert worklist.isVisible()
        assert len(worklist.chosen) == 1
        qtbot.keyClick(worklist.table, Qt.Key.Key_Down)
        assert worklist.chosen == (worklist.model.shown[1].study_id,)


def test_keys_of_a_row_are_those_that_the_reader_chose(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        worklist = shown(qtbot, window)
        window.session.settings.set_keys({"show_report": "Ctrl+F8"})
        window.menus.show_keys()
        assert worklist._steps["show_report"].shortcut().toString() == "Ctrl+F8"


def test_a_study_without_landmarks_says_what_is_missing(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        add_others(window, tmp_path, 1)
        worklist = shown(qtbot, window)
        cell = worklist.model.index(worklist.model.row_of("x0"), BOWEL)
        assert cell.data() == "–"
        assert "No landmarks" in cell.data(Qt.ItemDataRole.ToolTipRole)


def test_the_action_of_a_row_waits_until_its_study_is_open(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        study_id = window.session.open_id
        window.features.studies.leave()
        run: list[str] = []
        monkeypatch.setattr(window.menus, "run", run.append)
        window.features.studies.worklist._do("second_reading", (study_id,))
        assert run == []
        wait(qtbot, lambda: run == ["second_reading"])
