"""The audit log in its window: filtered, looked into, exported without names."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.features.audit.audit_window import AuditWindow
from wce_desktop.features.audit.log_rows import action_words, local_time, matching, write_log
from wce_desktop.library.audit import AuditEntry
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The main window, with one frame labelled and one landmark."""
    with main_window(qtbot, tmp_path) as opened:
        opened.session.show_frame(5)
        press(opened, "label_1")
        press(opened, "landmark_colon")
        yield opened


@pytest.fixture
def log(qtbot: QtBot, window: MainWindow) -> AuditWindow:
    """The log, opened with its action."""
    press(window, "show_audit")
    wait(qtbot, lambda: window.features.audit.window is not None and not window.features.audit.is_busy)
    assert window.features.audit.window is not None
    return window.features.audit.window


def whats(log: AuditWindow) -> list[str]:
    cells = [log.table.item(row, 3) for row in range(log.table.rowCount())]
    return [cell.text() for cell in cells if cell is not None]


def test_it_is_filtered_by_what_is_typed(log: AuditWindow) -> None:
    assert whats(log)[:2] == ["added landmark", "added label"]  # newest first
    QTest.keyClicks(log.words, "LABEL polyp")
    assert whats(log) == ["added label"]
    log.table.setCurrentCell(0, 0)
    assert '"name": "polyp"' in log.details.toPlainText()
    log.words.clear()
    log.studies.setCurrentIndex(0)
    assert "added model" in whats(log)


def test_what_is_shown_is_exported(log: AuditWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    QTest.keyClicks(log.words, "landmark")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "log.csv"), ""))
    log.export.click()
    with (tmp_path / "log.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["what"], row["reader"]) == ("added landmark", "reader")


def entry(title: str, action: str = "add", study_id: str = "s-1", reader: str = "ada") -> AuditEntry:
    return AuditEntry(1, "2026-11-23T10:00:00+00:00", reader, study_id, title, action, "study", "s-1", None, None, None)


def test_filters() -> None:
    entries = [entry("one"), entry("two", study_id="s-2"), entry("three", reader="bob")]
    assert [one.title for one in matching(entries)] == ["three", "two", "one"]
    assert [one.title for one in matching(entries, study_id="s-1", reader="ada")] == ["one"]
    assert [one.title for one in matching(entries, words="BOB three")] == ["three"]


def test_words() -> None:
    assert action_words(entry("x")) == "added study"
    assert action_words(entry("x", "past remove")) == "removed study, before the import"
    assert local_time("not a time") == "not a time"


def test_an_export_names_no_study(tmp_path: Path) -> None:
    write_log([entry("Add study MEIER_Anna")], tmp_path / "log.csv")
    assert "MEIER" not in (tmp_path / "log.csv").read_text(encoding="utf-8")
