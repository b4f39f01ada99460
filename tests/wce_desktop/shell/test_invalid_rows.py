"""Rows of the library that break its rules, as the reader meets them in the window."""

import sqlite3
from contextlib import closing
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.shell.main_window import MainWindow


def spoil(window: MainWindow, statement: str) -> None:
    """Change the database past the program."""
    with closing(sqlite3.connect(window.session.library.folder / "library.sqlite")) as raw, raw:
        raw.execute(statement)


def test_a_study_opens_without_its_bad_labels_and_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        window.guard(window.features.reading.label)("polyp")
        window.session.show_frame(20)
        window.guard(window.features.reading.label)("blood")
        window.features.studies.leave()
        spoil(window, "UPDATE labels SET start = 9, stop = 3 WHERE name = 'polyp'")
        window.features.studies.open_study(reading.study)
        wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
        assert window.session.reading is not None
        assert [label.name for label in window.session.reading.entries.labels] == ["blood"]
        assert window.banner.text.startswith("The library holds 1 row that cannot be shown: label ")
        window.banner.dismiss()
        window.session.show_frame(30)
        window.guard(window.features.reading.label)("polyp")
        assert window.banner.text == "Polyp labelled on 1 frame."
        assert len(window.session.reading.entries.labels) == 2


def test_undo_of_a_record_that_does_not_fit_is_a_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.guard(window.features.reading.label)("polyp")
        spoil(window, "UPDATE edits SET changes = '[[5, 7]]'")
        press(window, "undo")
        assert "cannot be undone" in window.banner.text
        assert window.session.reading is not None
        assert len(window.session.reading.entries.labels) == 1


def test_a_study_whose_row_is_damaged_is_said_at_the_start(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.features.studies.leave()
        spoil(window, "UPDATE studies SET state = 'lost'")
        window.session.studies_changed.emit()
        window.show_problems()
        assert "study s-" in window.banner.text
