"""The question before an import fits on a screen and hides nothing."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.exchange.test_import_review import VOCABULARY, plan_of
from wce_desktop.features.exchange.feature import MOST_LINES, comments_question, import_question


def test_a_small_import_is_shown_whole(qtbot: QtBot, tmp_path: Path) -> None:
    box = import_question(None, plan_of(tmp_path, {"a": "polyp", "b": "pylorus"}), VOCABULARY)
    qtbot.addWidget(box)
    assert "New study a (10 frames)" in box.text()
    assert "b: 1 label on 4 frames" in box.text()
    assert "without a key: pylorus" in box.text()
    assert box.text().endswith("Import this?")
    assert box.detailedText() == ""
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.No)


def test_a_data_set_is_summed_up_with_its_studies_under_details(qtbot: QtBot, tmp_path: Path) -> None:
    plan = plan_of(tmp_path, {f"s{number}": "polyp" for number in range(40)})
    box = import_question(None, plan, VOCABULARY)
    qtbot.addWidget(box)
    assert len(box.text().splitlines()) < MOST_LINES
    assert "In all: 40 new studies with 400 frames." in box.text()
    assert box.detailedText().splitlines() == list(plan.lines)


def test_comments_are_not_exported_unless_somebody_chooses_it(qtbot: QtBot) -> None:
    box = comments_question(None, 2)
    qtbot.addWidget(box)
    assert "2 findings have comments or other words of a reader" in box.text()
    assert "may name a patient" in box.text()
    chosen = box.defaultButton()
    assert chosen.text() == "Without free text"
    assert box.buttonRole(chosen) == QMessageBox.ButtonRole.NoRole


def test_many_reasons_of_one_study_do_not_hide_what_is_imported(qtbot: QtBot, tmp_path: Path) -> None:
    plan = replace(plan_of(tmp_path, {"a": "polyp"}), left_out=tuple(f"{n} boxes left out." for n in range(40)))
    box = import_question(None, plan, VOCABULARY)
    qtbot.addWidget(box)
    assert "New study a (10 frames)" in box.text()
    assert len(box.text().splitlines()) < MOST_LINES + 4
    assert box.detailedText().splitlines() == list(plan.lines)
