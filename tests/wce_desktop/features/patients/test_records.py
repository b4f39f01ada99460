"""The window of patient records, used with mouse and keys."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QMessageBox, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import press, wait, window_on
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.span import Span
from wce_desktop.features.patients.guess_dialog import GuessDialog
from wce_desktop.features.patients.record_window import RecordWindow
from wce_desktop.session.study_choice import patients_note
from wce_desktop.shell.main_window import MainWindow

NAMES = ("K1_20260301_SB3", "K1_20260302_SB3", "K2_20260303_SB3")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The window with the little study open, and three more whose videos are away."""
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    for name in NAMES:
        session.library.studies.add(tmp_path / "ward" / f"{name}.mp4", study_id=f"s-{name}", fingerprint=name)
    with window_on(qtbot, session, study) as made:
        yield made


def records_window(qtbot: QtBot, window: MainWindow) -> RecordWindow:
    """The window of records, opened by its action."""
    press(window, "edit_record")
    shown = window.features.patients.window
    qtbot.waitExposed(shown)
    wait(qtbot, shown.isActiveWindow)
    return shown


def click_row(qtbot: QtBot, table: QTableWidget, row: int, *, more: bool = False) -> None:
    """Click a row, with Ctrl for one more."""
    item = table.item(row, 0)
    assert item is not None
    place = table.visualItemRect(item).center()
    modifier = Qt.KeyboardModifier.ControlModifier if more else Qt.KeyboardModifier.NoModifier
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def type_into(qtbot: QtBot, field: QWidget, text: str) -> None:
    """Replace a field's text by the keys."""
    assert isinstance(field, QLineEdit)
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, text) if text else qtbot.keyClick(field, Qt.Key.Key_Delete)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[[QMessageBox.StandardButton], list[str]]:
    """Answers further questions; what they said is in the list."""

    def give(button: QMessageBox.StandardButton) -> list[str]:
        said: list[str] = []

        def exec_(box: QMessageBox) -> QMessageBox.StandardButton:
            assert box.button(button) is not None
            said.append(box.text())
            return button

        monkeypatch.setattr(QMessageBox, "exec", exec_)
        return said

    return give


def record(window: MainWindow, name: str) -> Record:
    """The record of one of the studies away."""
    return window.session.library.studies.record(f"s-{name}")


def save(qtbot: QtBot, shown: RecordWindow) -> None:
    qtbot.mouseClick(shown.save_button, Qt.MouseButton.LeftButton)


def test_the_record_of_the_open_study_is_typed_saved_and_undone(qtbot: QtBot, window: MainWindow) -> None:
    shown, session = records_window(qtbot, window), window.session
    assert session.reading is not None
    study_id = session.reading.study.study_id
    assert shown.table.chosen == (study_id,)
    type_into(qtbot, shown.form.fields["pseudonym"], "K77")
    type_into(qtbot, shown.form.fields["birth_year"], "1950")
    type_into(qtbot, shown.form.fields["exam_date"], "2026-03-01")
    sex = shown.form.fields["sex"]
    assert isinstance(sex, QComboBox)
    sex.setFocus()
    qtbot.keyClick(sex, Qt.Key.Key_Down)
    save(qtbot, shown)
    kept = session.library.studies.record(study_id)
    assert (kept.pseudonym, kept.birth_year, kept.exam_date, kept.sex) == ("K77", 1950, "2026-03-01", "female")
    assert session.reading.study.pseudonym == "K77"
    assert not shown.form.typed
    qtbot.keyClick(shown.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    kept = session.library.studies.record(study_id)
    assert (kept.pseudonym, kept.sex) == ("K77", ""), "each field is a step of its own"
    for _ in range(3):
        qtbot.keyClick(shown.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.library.studies.record(study_id).pseudonym == ""
    assert shown.form.fields["pseudonym"].property("text") == ""


def test_several_studies_become_one_patient_after_a_question(
    qtbot: QtBot, window: MainWindow, answers: Callable[[QMessageBox.StandardButton], list[str]]
) -> None:
    shown = records_window(qtbot, window)
    assert patients_note(window.session) == "4 files, patients not entered: results may be optimistic."
    library, entered = window.session.library, record(window, NAMES[1]).study_id
    library.annotations.edit(entered, "Label", [Add(Label("l-1", entered, Span(2, 4), "polyp"))])
    labels = library.annotations.labels(entered)
    click_row(qtbot, shown.table, 1)
    click_row(qtbot, shown.table, 2, more=True)
    type_into(qtbot, shown.form.fields["pseudonym"], "K1")
    said = answers(QMessageBox.StandardButton.No)
    save(qtbot, shown)
    assert said == ["So far 2 studies count as 2 patients. Join them as “K1”?"]
    assert record(window, NAMES[0]).pseudonym == ""
    type_into(qtbot, shown.form.fields["pseudonym"], "K1")
    answers(QMessageBox.StandardButton.Yes)
    qtbot.keyClick(shown, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    one, two = record(window, NAMES[0]), record(window, NAMES[1])
    assert (one.patient_id, one.pseudonym) == (two.patient_id, two.pseudonym)
    assert patients_note(window.session) == "2 files, patients not entered: results may be optimistic."

    click_row(qtbot, shown.table, 2)
    qtbot.mouseClick(shown.another, Qt.MouseButton.LeftButton)
    assert record(window, NAMES[1]).patient_id != one.patient_id
    assert record(window, NAMES[0]) == one
    qtbot.mouseClick(shown.undo, Qt.MouseButton.LeftButton)
    assert record(window, NAMES[1]) == two
    assert library.annotations.labels(entered) == labels  # merged, separated and merged again: nothing entered is lost


def test_all_of_a_folder_are_chosen_and_get_a_value(qtbot: QtBot, window: MainWindow) -> None:
    shown = records_window(qtbot, window)
    click_row(qtbot, shown.table, 1)
    qtbot.mouseClick(shown.folder, Qt.MouseButton.LeftButton)
    assert len(shown.table.chosen) == 3
    type_into(qtbot, shown.form.fields["capsule"], "SB3")
    click_row(qtbot, shown.table, 0)  # another study: what was typed is saved
    assert [record(window, name).capsule for name in NAMES] == ["SB3"] * 3


def test_what_cannot_be_is_a_sentence_and_nothing_is_changed(qtbot: QtBot, window: MainWindow) -> None:
    shown = records_window(qtbot, window)
    click_row(qtbot, shown.table, 1)
    before = record(window, NAMES[0])
    type_into(qtbot, shown.form.fields["birth_year"], "1720")
    save(qtbot, shown)
    assert "“1720” is not a year of birth." in shown._said.text()
    assert record(window, NAMES[0]) == before
    assert shown.form.typed == {"birth_year": "1720"}
    qtbot.mouseClick(shown.another, Qt.MouseButton.LeftButton)
    assert "There is nothing to separate" in shown._said.text()


def test_values_are_guessed_from_file_names_with_a_preview_first(
    qtbot: QtBot,
    window: MainWindow,
    answers: Callable[[QMessageBox.StandardButton], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = records_window(qtbot, window)
    said = answers(QMessageBox.StandardButton.Yes)

    def steps(dialog: GuessDialog) -> int:
        dialog.show()
        qtbot.waitExposed(dialog)
        place = QPoint(8, dialog.every.rect().center().y())
        qtbot.mouseClick(dialog.every, Qt.MouseButton.LeftButton, pos=place)
        assert dialog.every.isChecked()
        type_into(qtbot, dialog.pattern, "{patient}_{date}")
        assert dialog.said.text() == "The pattern fits none of the names."
        assert not dialog.set.isEnabled()
        type_into(qtbot, dialog.pattern, "{patient")
        assert "brace" in dialog.said.text()
        assert dialog.preview.rowCount() == 0
        type_into(qtbot, dialog.pattern, "{patient}_{date:%Y%m%d}_{capsule}")
        assert dialog.said.text() == "3 studies will be set. 1 will stay as they are."
        texts = [dialog.preview.item(1, column) for column in range(5)]
        assert [item.text() for item in texts if item] == ["K1_20260301_SB3.mp4", "K1", "2026-03-01", "SB3", ""]
        assert all(record(window, name).pseudonym == "" for name in NAMES)
        qtbot.mouseClick(dialog.set, Qt.MouseButton.LeftButton)
        return dialog.result()

    monkeypatch.setattr(GuessDialog, "exec", steps)
    qtbot.mouseClick(shown.guess, Qt.MouseButton.LeftButton)
    assert said == ["So far 2 studies count as 2 patients. Join them as “K1”?"]
    assert record(window, NAMES[0]).pseudonym == "K1"
    assert record(window, NAMES[0]).patient_id == record(window, NAMES[1]).patient_id
    assert record(window, NAMES[2]).exam_date == "2026-03-03"
    assert record(window, NAMES[2]).pseudonym == "K2"
    qtbot.keyClick(shown.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert all(record(window, name).pseudonym == "" for name in NAMES)


def test_records_are_edited_and_undone_without_an_open_study(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path)
    session.library.studies.add(tmp_path / "a.mp4", study_id="a", fingerprint="a")
    with window_on(qtbot, session, None) as window:
        shown = records_window(qtbot, window)
        click_row(qtbot, shown.table, 0)
        type_into(qtbot, shown.form.fields["pseudonym"], "K1")
        save(qtbot, shown)
        assert session.library.studies.record("a").pseudonym == "K1"
        qtbot.mouseClick(shown.undo, Qt.MouseButton.LeftButton)
        assert session.library.studies.record("a").pseudonym == ""


def test_what_is_typed_is_saved_at_each_pause(qtbot: QtBot, window: MainWindow) -> None:
    shown, session = records_window(qtbot, window), window.session
    assert session.reading is not None
    study_id = session.reading.study.study_id
    indication, day = shown.form.fields["indication"], shown.form.fields["exam_date"]
    type_into(qtbot, indication, "Anaemia, ")
    wait(qtbot, lambda: session.library.studies.record(study_id).indication == "Anaemia,")
    assert indication.hasFocus()
    qtbot.keyClicks(indication, "melaena")
    assert isinstance(indication, QLineEdit)
    assert indication.text() == "Anaemia, melaena", "the space stays while one types"
    wait(qtbot, lambda: session.library.studies.record(study_id).indication == "Anaemia, melaena")
    type_into(qtbot, day, "14.03.20")
    type_into(qtbot, shown.form.fields["capsule"], "SB3")
    wait(qtbot, lambda: session.library.studies.record(study_id).capsule == "SB3")
    assert isinstance(day, QLineEdit)
    assert (session.library.studies.record(study_id).exam_date, day.text()) == ("", "14.03.20"), "half of a date waits"
    qtbot.mouseClick(shown.undo, Qt.MouseButton.LeftButton)
    assert session.library.studies.record(study_id).capsule == ""


def test_half_of_a_name_never_joins_patients(
    qtbot: QtBot, window: MainWindow, answers: Callable[[QMessageBox.StandardButton], list[str]]
) -> None:
    said = answers(QMessageBox.StandardButton.No)
    shown, session = records_window(qtbot, window), window.session
    assert session.reading is not None
    study_id = session.reading.study.study_id
    other = record(window, NAMES[0])
    session.edits.apply_to_studies("x", {other.study_id: [Replace(other, replace(other, pseudonym="K1"))]})
    patients = {study.study_id: study.patient_id for study in session.library.studies.all()}
    type_into(qtbot, shown.form.fields["capsule"], "SB")
    type_into(qtbot, shown.form.fields["pseudonym"], "K1")
    wait(qtbot, lambda: session.library.studies.record(study_id).capsule == "SB")
    assert session.library.studies.record(study_id).pseudonym == ""
    qtbot.keyClicks(shown.form.fields["pseudonym"], "2")
    wait(qtbot, lambda: session.library.studies.record(study_id).pseudonym == "K12")
    assert {study.study_id: study.patient_id for study in session.library.studies.all()} == patients
    assert said == []


def test_what_is_typed_is_saved_when_the_focus_leaves(qtbot: QtBot, window: MainWindow) -> None:
    shown, session = records_window(qtbot, window), window.session
    assert session.reading is not None
    study_id = session.reading.study.study_id
    type_into(qtbot, shown.form.fields["indication"], "Anaemia")
    shown.form.fields["capsule"].setFocus()
    assert session.library.studies.record(study_id).indication == "Anaemia", "without waiting for a pause"


def test_one_sitting_in_a_field_is_one_step_for_undo(qtbot: QtBot, window: MainWindow) -> None:
    shown, session = records_window(qtbot, window), window.session
    assert session.reading is not None
    study_id = session.reading.study.study_id
    indication = shown.form.fields["indication"]
    type_into(qtbot, indication, "Anaemia")
    wait(qtbot, lambda: session.library.studies.record(study_id).indication == "Anaemia")
    qtbot.keyClicks(indication, ", melaena")
    wait(qtbot, lambda: session.library.studies.record(study_id).indication == "Anaemia, melaena")
    type_into(qtbot, shown.form.fields["capsule"], "SB3")
    wait(qtbot, lambda: session.library.studies.record(study_id).capsule == "SB3")
    qtbot.mouseClick(shown.undo, Qt.MouseButton.LeftButton)
    kept = session.library.studies.record(study_id)
    assert (kept.capsule, kept.indication) == ("", "Anaemia, melaena"), "another field is another step"
    qtbot.mouseClick(shown.undo, Qt.MouseButton.LeftButton)
    assert session.library.studies.record(study_id).indication == ""


def test_the_title_of_the_window_names_patient_and_date(window: MainWindow) -> None:
    reading = window.session.reading
    assert reading is not None
    assert window.windowTitle() == "wce_desktop – study"
    record = window.session.library.studies.record(reading.study.study_id)
    named = replace(record, pseudonym="K123", exam_date="2026-03-14")
    window.session.edits.apply_to_studies("Patient record", {record.study_id: [Replace(record, named)]})
    assert window.windowTitle() == "wce_desktop – K123 – 2026-03-14"
    window.session.edits.undo()
    assert window.windowTitle() == "wce_desktop – study"
    window.session.close_study()
    assert window.windowTitle() == "wce_desktop"


@pytest.mark.parametrize("answer", [QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No])
def test_escape_saves_and_asks_about_the_name_of_another_patient(
    qtbot: QtBot,
    window: MainWindow,
    answers: Callable[[QMessageBox.StandardButton], list[str]],
    answer: QMessageBox.StandardButton,
) -> None:
    shown = records_window(qtbot, window)
    click_row(qtbot, shown.table, 1)
    name = shown.form.fields["pseudonym"]
    type_into(qtbot, name, "P100")
    click_row(qtbot, shown.table, 2)
    type_into(qtbot, name, "P100")
    qtbot.keyClick(name, Qt.Key.Key_Tab)
    type_into(qtbot, shown.form.fields["exam_date"], "2026-03-01")
    asked = answers(answer)
    qtbot.keyClick(shown.form.fields["exam_date"], Qt.Key.Key_Escape)
    assert len(asked) == 1
    assert not shown.isVisible()
    stored = record(window, NAMES[1])
    assert stored.exam_date == "2026-03-01"
    assert stored.pseudonym == ("P100" if answer == QMessageBox.StandardButton.Yes else "")
    assert not shown.form.typed
    assert name.property("text") == stored.pseudonym


def test_the_reading_desk_says_nothing_of_training_and_shows_the_id_of_an_import(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.session.library.studies.add(
        window.session.library.folder / "d.mp4", study_id="d", fingerprint="d", patient_id="Demonstration"
    )
    shown = records_window(qtbot, window)
    assert "results may be optimistic" in shown._unknown.text()
    shown.choose(["d"])
    assert shown.form.fields["pseudonym"].placeholderText() == "Demonstration"
    row = shown.table.selectionModel().selectedRows()[0].row()
    assert [item.text() for column in (1,) if (item := shown.table.item(row, column))] == ["Demonstration"]
    window.session.settings.set("desk", "reading")
    window.session.studies_changed.emit()
    assert not shown._unknown.text()


def test_patients_that_are_not_joined_stay_typed_and_the_rest_is_saved(
    qtbot: QtBot, window: MainWindow, answers: Callable[[QMessageBox.StandardButton], list[str]]
) -> None:
    shown = records_window(qtbot, window)
    click_row(qtbot, shown.table, 1)
    type_into(qtbot, shown.form.fields["pseudonym"], "P100")
    click_row(qtbot, shown.table, 2)
    type_into(qtbot, shown.form.fields["pseudonym"], "P100")
    type_into(qtbot, shown.form.fields["capsule"], "SB3")
    answers(QMessageBox.StandardButton.No)
    qtbot.keyClick(shown.form.fields["capsule"], Qt.Key.Key_Tab)
    shown.save()
    assert shown._said.text() == "The patients were not joined. What is still typed here is not saved."
    assert dict(shown.form.typed) == {"pseudonym": "P100"}
    assert record(window, NAMES[1]).capsule == "SB3"


def test_the_reader_entered_once_holds_for_all_studies(qtbot: QtBot, window: MainWindow) -> None:
    shown = records_window(qtbot, window)
    type_into(qtbot, shown.form.fields["read_by"], "Dr")
    shown.form.changed.emit()
    shown._keep()
    type_into(qtbot, shown.form.fields["read_by"], "Dr Reader")
    shown._keep()
    session = window.session
    assert session.settings["reader"] == session.library.reader == "Dr Reader"
    session.close_study()
    assert session.library.reader == "Dr Reader"
