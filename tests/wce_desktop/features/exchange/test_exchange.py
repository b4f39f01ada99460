"""An import in the window: read beside it, shown, agreed to; or stopped, refused, and told why."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QProgressDialog, QPushButton
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.exchange.dialogs import click, export_as, shown_dialog
from tests.wce_desktop.windows import main_window, press, wait
from training.runs.reporter import Reporter
from wce_desktop.features.exchange.import_dialogs import ImportDialog
from wce_desktop.library import Library, exchange
from wce_desktop.library.exchange import ImportPlan, apply_import
from wce_desktop.shell.main_window import MainWindow

Answer = Callable[[QMessageBox.StandardButton], list[str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the reader chooses."""
    chosen = tmp_path / "in"
    chosen.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(chosen))
    return chosen


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Answers the question; what it said is in the list."""

    def give(button: QMessageBox.StandardButton) -> list[str]:
        asked: list[str] = []

        def exec_(box: QMessageBox) -> QMessageBox.StandardButton:
            asked.append(box.text())
            return button

        monkeypatch.setattr(QMessageBox, "exec", exec_)
        return asked

    return give


def write_labels(folder: Path, window: MainWindow, row: str) -> str:
    """A labels file with one row of the open study; returns the study's id."""
    assert window.session.reading is not None
    study_id = window.session.reading.study.study_id
    (folder / "labels.csv").write_text(f"study_id,start,stop,label,finding_id,source\n{study_id},{row}\n", "utf-8")
    return study_id


def choose_folder(qtbot: QtBot, window: MainWindow) -> None:
    """Press the key of the import and click *Folder…*."""
    press(window, "import_labels")
    dialog = shown_dialog(window, ImportDialog)
    click(qtbot, dialog.folder)


def import_labels(qtbot: QtBot, window: MainWindow) -> None:
    choose_folder(qtbot, window)
    wait(qtbot, lambda: not window.features.exchange.is_busy)


def labels_of(window: MainWindow, study_id: str) -> list[tuple[str, int, int]]:
    return [
        (label.name, label.span.start, label.span.stop) for label in window.session.library.annotations.labels(study_id)
    ]


def test_what_is_agreed_to_is_there_and_on_screen(qtbot: QtBot, tmp_path: Path, folder: Path, answer: Answer) -> None:
    asked = answer(QMessageBox.StandardButton.Yes)
    with main_window(qtbot, tmp_path) as window:
        study_id = write_labels(folder, window, "3,8,polyp,,reader")
        import_labels(qtbot, window)
        assert labels_of(window, study_id) == [("polyp", 3, 8)]
        assert "1 label on 5 frames" in asked[0]
        assert window.session.reading is not None
        assert [label.name for label in window.session.reading.entries.labels] == ["polyp"]
        assert "can be undone" in window.banner.text
        import_labels(qtbot, window)
        assert len(asked) == 1
        assert "nothing new" in window.banner.text


def test_links_are_imported_shown_and_undone(qtbot: QtBot, tmp_path: Path, folder: Path, answer: Answer) -> None:
    asked = answer(QMessageBox.StandardButton.Yes)
    with main_window(qtbot, tmp_path) as window:
        assert window.session.reading is not None
        study_id = window.session.reading.study.study_id
        (folder / "links.csv").write_text(
            "study_id,frame_index,other_study_id,other_frame_index,is_same\n"
            f"{study_id},1,{study_id},5,true\n{study_id},1,gone,5,true\n",
            "utf-8",
        )
        import_labels(qtbot, window)
        assert "study: 1 link\n1 link left out: a study is unknown." in asked[0]
        assert [(link.frame_index, link.other_frame_index) for link in window.session.reading.entries.links] == [(1, 5)]
        import_labels(qtbot, window)
        assert len(asked) == 1
        assert "nothing new to import. 1 link left out: already there." in window.banner.text
        press(window, "undo")
        assert window.session.reading.entries.links == []


def test_what_is_not_agreed_to_changes_nothing(qtbot: QtBot, tmp_path: Path, folder: Path, answer: Answer) -> None:
    asked = answer(QMessageBox.StandardButton.No)
    with main_window(qtbot, tmp_path) as window:
        study_id = write_labels(folder, window, "3,8,polyp,,reader")
        import_labels(qtbot, window)
        assert asked
        assert labels_of(window, study_id) == []


def test_a_file_that_cannot_be_used_is_a_sentence(qtbot: QtBot, tmp_path: Path, folder: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        write_labels(folder, window, "3,8,nessie,,reader")
        import_labels(qtbot, window)
        assert "'nessie' is not a known class" in window.banner.text
        assert not any(dialog.isVisible() for dialog in window.findChildren(QProgressDialog))


def test_a_long_one_says_how_far_it_is_and_can_be_stopped(
    qtbot: QtBot, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_library: Any, _path: Path, _names: Any, reporter: Reporter, **_: Any) -> ImportPlan:
        reporter.progress(3, 43, "studies", "reading")
        while True:
            reporter.check()

    monkeypatch.setattr(exchange, "plan_import", endless)
    with main_window(qtbot, tmp_path) as window:
        choose_folder(qtbot, window)
        (dialog,) = window.findChildren(QProgressDialog)
        wait(qtbot, lambda: dialog.isVisible() and dialog.value() == 3)
        assert dialog.maximum() == 43
        assert dialog.labelText().endswith("3 of 43 studies")
        dialog.findChild(QPushButton).click()  # type: ignore[union-attr]
        assert not window.features.exchange.is_busy
        assert window.banner.text == "Nothing was imported."


def test_an_import_that_is_stopped_says_what_is_there(
    qtbot: QtBot, tmp_path: Path, folder: Path, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(library: Library, plan: ImportPlan, reporter: Reporter) -> int:
        reporter.progress(0, 1, "studies", "importing")
        while not reporter.stop_requested:
            pass
        return apply_import(library, plan, reporter)

    monkeypatch.setattr(exchange, "apply_import", slow)
    with main_window(qtbot, tmp_path) as window:
        study_id = write_labels(folder, window, "20,24,polyp,,")
        answer(QMessageBox.StandardButton.Yes)
        choose_folder(qtbot, window)

        def stop_buttons() -> list[QPushButton]:
            shown = [one for one in window.findChildren(QProgressDialog) if one.labelText().startswith("Importing")]
            return [one for dialog in shown if (one := dialog.findChild(QPushButton)) is not None]

        wait(qtbot, lambda: bool(stop_buttons()))
        (stop,) = stop_buttons()
        assert stop.text() == "Stop"
        stop.click()
        wait(qtbot, lambda: not window.features.exchange.is_busy)
        assert window.banner.text.startswith("Stopped. Imported: 0 of 1 study")
        assert labels_of(window, study_id) == []


@pytest.mark.parametrize("agreed", [False, True])
def test_an_export_asks_before_it_replaces_somebody_s_file(
    agreed: bool, folder: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    button = QMessageBox.StandardButton.Yes if agreed else QMessageBox.StandardButton.No
    asked: list[str] = []

    def answer(box: QMessageBox) -> QMessageBox.StandardButton:
        asked.append(box.text())
        return button

    monkeypatch.setattr(QMessageBox, "exec", answer)
    (folder / "labels.csv").write_text("mine", encoding="utf-8")
    with main_window(qtbot, tmp_path) as window:
        export_as(qtbot, window, "csv")
        assert "labels.csv" in asked[0]
        assert ((folder / "labels.csv").read_text(encoding="utf-8") == "mine") == (not agreed)
        assert (folder / "manifest.json").exists() == agreed
