"""The audit log in its window: filtered, looked into, exported without names."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core import language
from wce_desktop.core.calculators import KodaGrade, koda_content
from wce_desktop.core.clock import local_time
from wce_desktop.features.audit.audit_window import AuditWindow, matching, write_log
from wce_desktop.features.audit.sentences import full_sentence, sentence
from wce_desktop.library.audit import AuditEntry
from wce_desktop.shell.main_window import MainWindow

Values = dict[str, Any] | None


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
    said = ["Set the first caecal frame to frame 6.", "Labelled frame 6 as polyp."]
    assert whats(log)[:2] == said  # newest first
    QTest.keyClicks(log.words, "LABELLED polyp")
    assert whats(log) == said[1:]
    log.table.setCurrentCell(0, 0)
    assert "by reader: Labelled frame 6 as polyp." in log.details.toPlainText()
    assert "{" not in log.details.toPlainText()
    QTest.mouseClick(log.raw, Qt.MouseButton.LeftButton, pos=QPoint(8, log.raw.height() // 2))
    assert '"name": "polyp"' in log.details.toPlainText()
    log.words.clear()
    log.studies.setCurrentIndex(0)
    assert "Added the model Model 1." in whats(log)


def test_what_is_shown_is_exported(log: AuditWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    QTest.keyClicks(log.words, "landmark")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "log.csv"), ""))
    log.export.click()
    with (tmp_path / "log.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["what"], row["reader"]) == ("Set the first caecal frame to frame 6.", "reader")


def entry(title: str, action: str = "add", study_id: str = "s-1", reader: str = "ada") -> AuditEntry:
    return AuditEntry(1, "2026-11-23T10:00:00+00:00", reader, study_id, title, action, "study", "s-1", None, None, None)


def test_filters() -> None:
    entries = [entry("one"), entry("two", study_id="s-2"), entry("three", reader="bob")]
    assert [one.title for one in matching(entries)] == ["three", "two", "one"]
    assert [one.title for one in matching(entries, study_id="s-1", reader="ada")] == ["one"]
    assert [one.title for one in matching(entries, words="BOB three")] == ["three"]


def changed(kind: str, before: Values, after: Values, action: str = "replace", title: str = "") -> AuditEntry:
    return AuditEntry(1, "", "ada", "s-1", title, action, kind, "i-1", before, after, None)


FINDING = {"finding_id": "f", "study_id": "s-1", "kind": "polyp", "start": 5, "stop": 10, "comment": "", "size_mm": 4.0}
RECORD = {"study_id": "s-1", "patient_id": "p-1", "pseudonym": "", "birth_year": 1950}


BOX = {"name": "polyp", "frame_index": 4, "x_min": 1.5}
UNDONE = changed("finding", FINDING, None, "remove", "Undo: New")


POLYP = {"label_id": "l", "study_id": "s-1", "name": "polyp", "start": 5, "stop": 10, "source": "reader"}
NO_POLYP = POLYP | {"answer": "no"}


def koda(visualised: int) -> Values:
    return {"kind": "koda", "content": koda_content([KodaGrade(12, visualised, 1)])}


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (changed("label", None, NO_POLYP, "add"), "Noted that frames 6 to 10 do not show polyp."),
        (
            replace(changed("label", None, NO_POLYP, "add"), model_id="m1"),
            "Noted that frames 6 to 10 do not show polyp, rejecting the model m1.",
        ),
        (
            replace(changed("label", None, POLYP | {"name": "normal"}, "add"), model_id="m1"),
            "Labelled frames 6 to 10 as normal, rejecting the model m1.",
        ),
        (changed("label", NO_POLYP, None, "remove"), "Took back that frames 6 to 10 do not show polyp."),
        (changed("finding", None, FINDING, "add"), "Added the finding polyp on frames 6 to 10."),
        (
            changed("finding", FINDING, FINDING | {"size_mm": 7.5, "stop": 11, "comment": "as Anna's"}),
            "Changed the finding polyp on frames 6 to 11: frames from “6 to 10” to “6 to 11”, comment entered as "
            "“as Anna's”, size in mm from 4 to 7.5.",
        ),
        (
            changed("record", RECORD, RECORD | {"pseudonym": "(entered)", "birth_year": 1951}),
            "Changed the patient record: name or number of the patient entered, year of birth from 1950 to 1951.",
        ),
        (
            changed("landmark", {"region": "colon", "frame_index": 4}, {"region": "colon", "frame_index": 9}),
            "Moved the first caecal frame from frame 5 to frame 10.",
        ),
        (
            changed(
                "box",
                {"name": "polyp", "frame_index": 4, "x_min": 1.5},
                {"name": "polyp", "frame_index": 4, "x_min": 2},
            ),
            "Changed a box around polyp on frame 5: left edge from 1.5 to 2.",
        ),
        (
            changed(
                "report part",
                {"kind": "cc-clear", "content": {"right": "2"}},
                {"kind": "cc-clear", "content": {"right": "3"}},
            ),
            "Changed the CC-CLEAR score: right",
        ),
        (
            changed("study", {"state": "new", "name": "one"}, {"state": "finished", "name": "two"}),
            "Changed the study: state from “new” to “finished”, name from “one” to “two”.",
        ),
        (changed("study", None, {"rows": {}}, "remove"), "Erased the study and everything derived from it."),
        (changed("report part", koda(2), koda(3)), "Changed the KODA score: frame 13 from “2 and 1” to “3 and 1”."),
        (changed("model", None, None, "past add"), "Before an import: Added the model i-1."),
        (UNDONE, "Undo: Removed the finding polyp on frames 6 to 10."),
        (changed("current model", {"model_id": "m1"}, {"model_id": "m2"}), "Took the model m2 into use instead of m1."),
        (changed("label", {"unreadable": "x"}, {"unreadable": "y"}), "Changed label i-1."),
        (changed("run", {"x": 1}, None, "remove"), "Removed run i-1."),
    ],
)
def test_every_line_is_a_sentence(one: AuditEntry, said: str) -> None:
    assert sentence(one).startswith(said)


def test_a_line_that_is_told_in_full_says_who_and_where() -> None:
    found = full_sentence(changed("finding", None, FINDING, "add"), "2026-11-23 10:00:00", "visit 1")
    assert found == "2026-11-23 10:00:00, study visit 1, by ada: Added the finding polyp on frames 6 to 10."
    assert local_time("not a time") == "not a time"


def test_an_export_tells_no_free_text_and_nothing_of_the_patient() -> None:
    lines = [
        changed("finding", FINDING, FINDING | {"comment": "Mrs Meier", "size_mm": 9.0}),
        changed("record", RECORD, RECORD | {"birth_year": 1951, "indication": "Meier"}),
        changed("study", {"name": "one", "path": "a"}, {"name": "Meier", "path": "/Meier.mp4"}),
        changed("report part", {"kind": "texts", "content": {}}, {"kind": "texts", "content": {"summary": "Meier"}}),
    ]
    said = [sentence(one, with_contents=False) for one in lines]
    assert not any(word in text for text in said for word in ("Meier", "1951", "one"))
    assert said[0].endswith("comment changed, size in mm from 4 to 9.")
    assert said[2] == "Changed the study: name changed, place of its file changed."


def test_an_export_names_no_study(tmp_path: Path) -> None:
    write_log([entry("Add study MEIER_Anna")], tmp_path / "log.csv")
    assert "MEIER" not in (tmp_path / "log.csv").read_text(encoding="utf-8")


def test_the_window_is_translated_and_the_export_stays_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    german = {"Added the finding {name} on {frames}": "Befund {name} auf {frames} hinzugefügt"}
    german |= {"frames {first} to {last}": "Bild {first} bis {last}"}
    german |= {"scored": "mit Scores", "being read": "wird befundet"}
    monkeypatch.setattr(language, "_translations", german)
    one = changed("finding", None, FINDING, "add")
    assert sentence(one) == "Befund Polyp auf Bild 6 bis 10 hinzugefügt."
    write_log([one], tmp_path / "log.csv")
    assert "Added the finding polyp on frames 6 to 10." in (tmp_path / "log.csv").read_text(encoding="utf-8")
    opened = changed("study", {"state": "scored"}, {"state": "reading"})
    assert sentence(opened) == "Changed the study: state from “mit Scores” to “wird befundet”."
    assert sentence(changed("finding", None, FINDING, "{unknown}")) == "{unknown} finding i-1."
