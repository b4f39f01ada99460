"""The German window: numbers with comma and point, German names of the classes, and English files."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, wait
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.marking import new_finding_title
from wce_desktop.core.span import Span
from wce_desktop.features.audit.audit_window import write_log
from wce_desktop.features.audit.sentences import sentence
from wce_desktop.features.classes.feature import ClassesDialog
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.features.report.model.template import render
from wce_desktop.library.exchange.exporting import export_library
from wce_desktop.session.classes import change_vocabulary
from wce_desktop.session.session import Session
from wce_desktop.shell.appearance import use_language
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.player.transport import Transport
from wce_desktop.widgets.timeline.content import Content, Track


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    use_language("de")
    yield
    use_language("en")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, german: None) -> Iterator[MainWindow]:
    with main_window(qtbot, tmp_path) as made:
        yield made


def add_finding(session: Session) -> Finding:
    assert session.reading is not None
    made = Finding.new(study_id=session.reading.study.study_id, kind="blood", span=Span(39, 42), key_frames=(40,))
    made = replace(made, size_mm=3.5)
    session.edits.apply(new_finding_title("blood", 3), [Add(made)])
    return made


def lists(window: QWidget) -> list[str]:
    """What stands in the lists of a window."""
    models = [view.model() for view in window.findChildren(QAbstractItemView) if view.model() is not None]
    return [str(model.index(row, 0).data()) for model in models for row in range(model.rowCount())]


def test_lists_buttons_menus_and_undo_are_german(qtbot: QtBot, window: MainWindow) -> None:
    add_finding(window.session)
    wait(qtbot, lambda: any("3,5 mm" in text for text in lists(window)))
    texts = lists(window)
    assert any("Blut" in text and "0,90" in text for text in texts), "\n".join(texts)
    assert not [text for text in texts if "Blood" in text or "0.9" in text or "3.5" in text]
    assert {"1 Polyp", "4 Blut"} <= {button.text() for button in window.findChildren(QPushButton)}
    assert window.menus.actions["label_4"].text() == "Label „Blut“"
    assert window.menus.actions["undo"].text() == "Rückgängig: Neuer Befund: Blut, 3 Bilder"


def test_go_to_takes_a_number_in_the_german_way(qtbot: QtBot, window: MainWindow) -> None:
    reading = window.workspace.reading
    window.features.reading.go_to_text("41")
    wait(qtbot, lambda: reading.place.frame_index == 40)
    for typed, said in (("31.204", "endet bei Bild 60"), ("4,1", "weder eine Bildnummer")):
        window.workspace.guard(partial(window.features.reading.go_to_text, typed))()
        assert said in window.banner.text
    assert reading.place.frame_index == 40


def test_what_was_saved_last_is_told_in_german(window: MainWindow) -> None:
    add_finding(window.session)
    assert window.saved.toolTip() == "Neuer Befund: Blut, 3 Bilder"


@pytest.mark.usefixtures("german")
def test_player_and_timeline_group_thousands_with_points(qtbot: QtBot) -> None:
    transport = Transport()
    qtbot.addWidget(transport)
    transport.set_position(1203, 31204, 0.0, "")
    assert transport.position_label.text() == "Bild 1.204 / 31.204"
    scores = np.full(31204, 0.97, np.float32)
    content = Content(frame_count=31204, tracks=[Track("blood", "Blood", "#d55e00", scores)], cursor=1203)
    assert content.words == "Bild 1.204 von 31.204, Blut 0,97, markiert, nicht gesehen"


def test_the_report_is_german_and_its_template_prints_german_numbers(window: MainWindow) -> None:
    add_finding(window.session)
    html = render(gather(window.session)).html
    for text in ("3,5 mm", "0,50", "<h3>1. Blut</h3>", "Polyp, Blut", "Bild 41"):
        assert text in html
    for text in ("3.5 mm", "0.50", "Blood"):
        assert text not in html


def test_the_audit_log_is_told_in_german_and_written_in_english(window: MainWindow, tmp_path: Path) -> None:
    finding = add_finding(window.session)
    window.session.edits.apply("Change finding blood", [Replace(finding, replace(finding, size_mm=4.5))])
    entries = window.session.library.audit.entries()
    told = " ".join(sentence(entry) for entry in entries)
    assert "Blut" in told
    assert "3,5" in told
    write_log(entries, tmp_path / "log.csv")
    written = (tmp_path / "log.csv").read_text(encoding="utf-8")
    assert "blood" in written
    assert "3.5" in written
    assert "Blut" not in written
    assert "3,5" not in written


def test_exported_files_are_the_same_in_every_language(window: MainWindow, tmp_path: Path) -> None:
    add_finding(window.session)
    library = window.session.library
    export_library(library, tmp_path / "de")
    use_language("en")
    export_library(library, tmp_path / "en")
    names = sorted(path.name for path in (tmp_path / "de").glob("*.csv"))
    assert "findings.csv" in names
    for name in names:
        assert (tmp_path / "de" / name).read_bytes() == (tmp_path / "en" / name).read_bytes()
    assert b",3.5," in (tmp_path / "de" / "findings.csv").read_bytes()


def test_a_class_keeps_its_stored_title_until_the_reader_changes_it(window: MainWindow) -> None:
    session = window.session
    dialog = ClassesDialog(session.vocabulary, {}, partial(change_vocabulary, session), window)
    dialog.choose("blood")
    assert dialog.title.text() == "Blut"
    dialog.title.editingFinished.emit()
    dialog.choose("ulcer")
    dialog.title.setText("Geschwür")
    dialog.title.editingFinished.emit()
    dialog.ok.click()
    stored = json.loads((session.library.folder / "vocabulary.json").read_text(encoding="utf-8"))["classes"]
    titles = {one["name"]: one["title"] for one in stored}
    assert (titles["blood"], titles["ulcer"]) == ("Blood", "Geschwür")
    assert (session.vocabulary.of("blood").shown_title, session.vocabulary.of("ulcer").shown_title) == (
        "Blut",
        "Geschwür",
    )
    assert window.menus.actions["label_3"].text() == "Label „Geschwür“"
