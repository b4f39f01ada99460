"""The classes are changed in the real window, kept with the library, and never lost while they are in use."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from training.errors import UserError
from wce_desktop.features.classes.feature import ClassesDialog
from wce_desktop.features.report.model.gathering import _model as model_of
from wce_desktop.session.classes import FILE_NAME, change_vocabulary, default_vocabulary, library_vocabulary
from wce_desktop.session.completeness.reading_facts import reading_facts
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.inputs import ChoiceBox

LEFT = Qt.MouseButton.LeftButton


def opened_dialog(window: MainWindow) -> ClassesDialog:
    press(window, "edit_classes")
    dialog = window.features.classes.dialog
    assert dialog is not None
    return dialog


def choose(box: ChoiceBox, value: str) -> None:
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_a_class_is_added_named_and_used_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        session = window.session
        dialog = opened_dialog(window)
        dialog.choose("inflammation")
        qtbot.mouseClick(dialog.add, LEFT)
        QTest.keyClicks(dialog.title, "Pseudopolyp")
        QTest.keyClick(dialog.title, Qt.Key.Key_Return)
        dialog.name.selectAll()
        QTest.keyClicks(dialog.name, "pseudopolyp")
        QTest.keyClick(dialog.name, Qt.Key.Key_Return)
        assert dialog.isVisible()  # Return confirms the text, not the window
        assert dialog.chosen.name == "pseudopolyp"
        choose(dialog.shape, "cross")
        dialog.choose("other")
        choose(dialog.key, "")
        dialog.choose("pseudopolyp")
        choose(dialog.key, "9")
        assert dialog.code.placeholderText() == "not known"
        qtbot.mouseClick(dialog.ok, LEFT)
        wait(qtbot, lambda: window.features.classes.dialog is None)
        known = session.vocabulary.of("pseudopolyp")
        assert (known.title, known.parent, known.key, known.shape) == ("Pseudopolyp", "inflammation", "9", "cross")
        assert window.menus.actions["label_9"].text() == "Label “Pseudopolyp”"
        press(window, "label_9")
        assert session.reading is not None
        assert [label.name for label in session.reading.entries.labels] == ["pseudopolyp"]
        bar = window.features.reading.label_bar
        assert [button.text() for button in bar._buttons.values()][-1] == "9 Pseudopolyp"
        assert library_vocabulary(session.library.folder).classes == session.vocabulary.classes


def test_a_class_in_use_cannot_be_removed_or_renamed_silently(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "label_1")
        dialog = opened_dialog(window)
        dialog.choose("polyp")
        assert not dialog.name.isEnabled()
        qtbot.mouseClick(dialog.remove, LEFT)
        assert "“Polyp” is in use by 1 entry" in dialog.problem.text()
        assert dialog.problem.isVisible()
        assert dialog.chosen.name == "polyp"
        dialog.choose("ulcer")
        qtbot.mouseClick(dialog.remove, LEFT)
        assert "ulcer" not in {one.name for one in dialog.classes}
        dialog.reject()
        assert "ulcer" in window.session.vocabulary  # nothing is stored without Save
        left = tuple(one for one in window.session.vocabulary if one.name != "polyp")
        with pytest.raises(UserError, match="“Polyp” is in use"):
            change_vocabulary(window.session, left)
        assert "polyp" in window.session.vocabulary
        assert not (window.session.library.folder / FILE_NAME).exists()


def test_what_contradicts_itself_is_a_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        dialog = opened_dialog(window)
        dialog.choose("ulcer")
        choose(dialog.key, "1")  # the polyp's
        assert "two classes of a vocabulary share a key" in dialog.problem.text()
        assert dialog.key.value == dialog.chosen.key == "3"
        dialog.choose("erosion")
        choose(dialog.parent_name, "aphtha")  # which stands below it
        assert "stands below itself" in dialog.problem.text()
        dialog.title.clear()
        QTest.keyClick(dialog.title, Qt.Key.Key_Return)
        assert "needs a name and a title" in dialog.problem.text()
        assert dialog.title.text() == "Erosion"
        dialog.reject()


def test_what_stands_below_a_removed_class_moves_up_and_defaults_come_back(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        dialog = opened_dialog(window)
        dialog.choose("erosion")
        qtbot.mouseClick(dialog.remove, LEFT)
        assert {one.name: one.parent for one in dialog.classes}["aphtha"] == "inflammation"
        qtbot.mouseClick(dialog.reset, LEFT)
        assert dialog.classes == default_vocabulary().classes
        dialog.reject()


def test_a_damaged_file_is_named_and_kept(session: Session) -> None:
    path = session.library.folder / FILE_NAME
    path.write_text(json.dumps({"classes": []}), encoding="utf-8")
    with pytest.raises(UserError, match=r"vocabulary\.json is not a vocabulary") as caught:
        library_vocabulary(session.library.folder)
    assert "move it away" in caught.value.hint
    assert path.exists()


def test_a_class_that_is_switched_off_vanishes_everywhere_and_is_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        session = window.session
        reading = session.reading
        assert reading is not None
        assert {event.name for event in reading.flags.events} == {"polyp", "blood"}
        window.features.reading.go_to_event(next(event for event in reading.flags.events if event.name == "polyp"))
        wait(qtbot, lambda: reading.event_here() is not None and window.player.is_settled)
        press(window, "switch_off_class")
        assert {event.name for event in reading.flags.events} == {"blood"}
        assert reading.flags.pathology_names == ("blood",)
        assert [track.name for track in window.workspace.timeline.content.tracks] == ["blood"]
        assert reading_facts(session, reading.study.study_id).flags_left == 1  # type: ignore[union-attr]
        assert list(window.features.explain.panel.rows.bars) == ["blood"]
        rows = {row.name: row.text for row in model_of(session, reading)}
        assert (rows["Switched off"], rows["Classes"]) == ("Polyp", "Blood")
        assert window.features.reading.flags._model_notes.text() == "Switched off: Polyp."
        assert library_vocabulary(session.library.folder).off == {"polyp"}
        window.features.reading.go_to_event(reading.flags.events[0])
        wait(qtbot, lambda: reading.event_here() is not None and window.player.is_settled)
        press(window, "switch_off_class")
        assert window.features.reading.flags.next_step.text() == "Classes…"
        dialog = opened_dialog(window)
        dialog.choose("polyp")
        choose(dialog.flags, "")
        qtbot.mouseClick(dialog.ok, LEFT)
        assert {event.name for event in reading.flags.events} == {"polyp"}
        assert session.vocabulary.off == {"blood"}
