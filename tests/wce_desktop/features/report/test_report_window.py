"""The report through the real window: texts, acknowledging, signing, the PDF, and the version without names."""

import errno
import io
import json
import os
import re
import sqlite3
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QKeySequence, QTextCursor
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import FRAMES, add_study, make_session
from tests.wce_desktop.windows import main_window, press, press_sign, wait, window_on
from training.files.scratch import scratch_prefix
from training.video import FrameMissing
from wce_desktop.core.annotation.change import Add, Remove, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.report_part import ReportPart
from wce_desktop.core.clock import local_time
from wce_desktop.core.language import use_translations
from wce_desktop.core.span import Span
from wce_desktop.features.report import saving
from wce_desktop.features.report.amend_dialog import AmendDialog
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.features.report.model.parts import TextBlock, texts_of
from wce_desktop.features.report.model.pictures import MaskedFrames
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.features.report.signing import Signing
from wce_desktop.features.report.text_box import BlocksDialog
from wce_desktop.library.storage import encrypting, key_file, sealing
from wce_desktop.shell import application
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    folder = tmp_path / "MEIER_Anna"
    folder.mkdir()
    with main_window(qtbot, folder) as made:
        yield made


def fill(window: MainWindow) -> str:
    """A patient, landmarks, two findings and a score; returns the study's id."""
    session = window.session
    reading = session.reading
    assert reading is not None
    study_id = reading.study.study_id
    record = session.library.studies.record(study_id)
    named = replace(
        record,
        pseudonym="Meier Anna 4711",
        birth_year=1950,
        sex="female",
        exam_date="2026-03-01",
        capsule="SB3",
        indication="Anaemia; referred by Dr Kowalski",
        preparation="2 l PEG",
        read_by="Dr Jones",
    )
    session.edits.apply("Enter the patient", [Replace(record, named)])
    marks = [(Region.STOMACH, 1), (Region.SMALL_BOWEL, 5), (Region.COLON, 45)]
    session.edits.apply("Mark", [Add(Landmark(f"l-{frame}", study_id, region, frame)) for region, frame in marks])
    polyp = Finding.new(study_id=study_id, kind="polyp", span=Span(10, 14), key_frames=(12, 13), reader="Dr Jones")
    polyp = replace(polyp, size_mm=7.0, relevance="P1", comment="Seen by Anna Meier's husband on 2026-03-02")
    blood = Finding.new(study_id=study_id, kind="blood", span=Span(40, 42), key_frames=(40,))
    session.edits.apply("Findings", [Add(polyp), Add(blood)])
    content = {"right": "3", "transverse": "2", "left": "2"}
    session.edits.apply("Score", [Add(ReportPart.new(study_id=study_id, kind="cc-clear", content=content))])
    return study_id


def open_report(qtbot: QtBot, window: MainWindow) -> ReportWindow:
    reading = window.workspace.reading
    wait(qtbot, lambda: bool(reading.seen[reading.place.frame_index]))  # what is seen later takes ticks away
    press(window, "show_report")
    wait(qtbot, lambda: window.is_idle)
    shown = window.features.report.window
    assert shown is not None
    assert shown.isVisible()
    return shown


def text_of(pdf: bytes) -> str:
    """The words of a PDF; ligatures as the letters that they stand for."""
    pages = (page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
    return unicodedata.normalize("NFKC", " ".join(" ".join(page.split()) for page in pages))


def images_of(pdf: bytes) -> int:
    return sum(len(page.images) for page in PdfReader(io.BytesIO(pdf)).pages)


def type_into(editor: QWidget, text: str) -> None:
    editor.setFocus()
    QTest.keyClicks(editor, text)


def test_a_report_is_written_acknowledged_signed_opened_and_saved(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    assert len(shown.pages.pages) >= 1
    box = shown.sign_box
    assert not box.button.isEnabled()
    assert box.flags.box.accessibleDescription() == "Not seen: 2 of 2 flags."
    assert " in 1 part of the study (" in box.frames.box.accessibleDescription()
    type_into(shown.summary.editor, "A polyp and some blood.")
    wait(qtbot, lambda: window.session.edits.undo_title == "Edit the texts of the report")
    for one in (box.flags, box.frames):
        QTest.mouseClick(one.box, Qt.MouseButton.LeftButton, pos=one.box.rect().center())
    assert box.button.isEnabled()
    assert box.reader.text() == "Dr Jones"
    (asked,) = press_sign(shown)
    assert asked.startswith("Patient ")
    assert "2 findings. A signed report cannot be changed." in asked
    assert "2 flags are not answered." in asked
    wait(qtbot, lambda: window.is_idle and shown.versions.count() == 1)
    assert shown.message.text().startswith("Version 1 was signed and kept in the library. Signature key ")
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    QTest.mouseClick(shown.open_version, Qt.MouseButton.LeftButton)
    pdf = Path(opened[0]).read_bytes()
    text = text_of(pdf)
    for words in (
        "Meier Anna 4711",
        "1950",
        "2026-03-01",
        "2 l PEG",
        "good (6 to 7)",
        "1. Polyp",
        "2. Blood",
        "7 mm",
        "P1, uncertain potential for bleeding",
        "A polyp and some blood.",
        "Model 1",
        "Threshold",
        "2 flags shown; 2 of 2 flags not seen",
        " % of the study",
        "Signed by Dr Jones",
        "Acknowledged before signing – Not seen: 2 of 2 flags.",
        "Research use only",
        "Small bowel",
    ):
        assert words in text, words
    assert images_of(pdf) == 6
    assert "study.mp4" not in text
    signed = window.session.library.reports.signed(study_id)
    assert signed[0].html_path.read_text(encoding="utf-8").count("data:image/jpeg;base64,") == 6
    assert signed[0].acknowledged["unseen_flags"] == 2
    chosen = tmp_path / "mine.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(chosen), ""))
    QTest.mouseClick(shown.pdf, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: window.is_idle and chosen.is_file())
    assert chosen.read_bytes() == pdf
    assert shown.message.text() == "Version 1, which was signed, was saved as mine.pdf."
    signed[0].path.write_bytes(pdf.replace(b"%PDF", b"%pdf", 1))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: pytest.fail("it was opened"))
    QTest.mouseClick(shown.open_version, Qt.MouseButton.LeftButton)
    assert shown.problem.text().startswith("Version 1 of the report was changed after it was signed")


@pytest.fixture
def english_again() -> Iterator[None]:
    yield
    use_translations({})


@pytest.mark.usefixtures("english_again")
def test_a_signed_report_has_not_changed_in_another_language(qtbot: QtBot, window: MainWindow) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    note = "Nothing has changed since version {version} was signed on {when}."
    german = {"Date": "Datum", "{count} frames": "{count} Bilder", "Blood": "Blut", "1,234.5%": "1.234,5 %"}
    use_translations({note: "Unverändert seit {version}", **german})
    window.session.annotations_changed.emit(None)
    wait(qtbot, lambda: shown.sign_box.note.text() == "Unverändert seit 1")
    assert not shown.sign_box.button.isEnabled()
    shown.recommendation.editor.setPlainText("Enteroskopie")
    wait(qtbot, lambda: shown.sign_box.note.text().startswith("The report has changed since version 1"))
    amend(qtbot, window, shown, "Forgotten")
    sign(qtbot, window, shown)
    _, second = window.session.library.reports.signed(study_id)
    text = text_of(second.path.read_bytes())
    assert all(word in text for word in ("Datum", "Blut", "0,50"))
    assert not any(word in text for word in ("Blood", "0.50"))
    use_translations({})
    window.session.annotations_changed.emit(None)
    wait(qtbot, lambda: shown.sign_box.note.text().startswith("Nothing has changed since version 2"))


def pages_of(qtbot: QtBot, window: MainWindow, shown: ReportWindow) -> list[QImage]:
    wait(qtbot, lambda: window.is_idle and bool(shown.pages.pages))
    return list(shown.pages.pages)


def test_the_pages_are_those_that_were_signed_until_something_changes(qtbot: QtBot, window: MainWindow) -> None:
    """A change makes a new version, and the old one stays."""
    study_id = fill(window)
    shown = open_report(qtbot, window)
    draft = pages_of(qtbot, window, shown)
    sign(qtbot, window, shown)
    signed = pages_of(qtbot, window, shown)
    assert signed != draft, "not those of a draft"
    assert not shown.sign_box.button.isEnabled()
    assert shown.sign_box.note.text().startswith("Nothing has changed since version 1")
    QTest.mouseClick(shown.show_version, Qt.MouseButton.LeftButton)
    assert pages_of(qtbot, window, shown) == signed
    QTest.mouseClick(shown.back, Qt.MouseButton.LeftButton)
    assert pages_of(qtbot, window, shown) == signed
    shown.close()
    open_report(qtbot, window)
    assert pages_of(qtbot, window, shown) == signed
    shown.recommendation.editor.setPlainText("Enteroscopy")
    wait(qtbot, lambda: shown.sign_box.note.text().startswith("The report has changed since version 1"))
    assert pages_of(qtbot, window, shown) != signed
    press(window, "undo")
    wait(qtbot, lambda: shown.sign_box.note.text().startswith("Nothing has changed since version 1"))
    assert pages_of(qtbot, window, shown) == signed
    amend(qtbot, window, shown, "Forgotten")
    assert pages_of(qtbot, window, shown) != signed, "the pages of the amendment"
    assert "was signed" not in shown.message.text()
    QTest.mouseClick(shown.sign_box.drop, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: shown.sign_box.note.text().startswith("Nothing has changed since version 1"))
    assert pages_of(qtbot, window, shown) == signed
    shown.recommendation.editor.setPlainText("Enteroscopy")
    wait(qtbot, lambda: shown.sign_box.note.text().startswith("The report has changed since version 1"))
    amend(qtbot, window, shown, "Forgotten")
    sign(qtbot, window, shown)
    first, second = window.session.library.reports.signed(study_id)
    assert "Enteroscopy" in text_of(second.path.read_bytes())
    assert "Enteroscopy" not in text_of(first.path.read_bytes())
    assert shown.versions.item(0).text().startswith("Version 2")
    first.check()


def go_to(qtbot: QtBot, window: MainWindow, frame_index: int) -> None:
    reading = window.session.reading
    assert reading is not None
    window.workspace.go_to_frame(frame_index)
    wait(qtbot, lambda: reading.place.frame_index == frame_index)


def sign(qtbot: QtBot, window: MainWindow, shown: ReportWindow) -> None:
    count = shown.versions.count()
    press_sign(shown)
    wait(qtbot, lambda: window.is_idle and shown.versions.count() == count + 1)


def in_dialog(step: Callable[[QDialog], None]) -> None:
    """Do this in the dialog that is opened next; it is closed even where that fails."""

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog):
            QTimer.singleShot(5, look)
            return
        try:
            step(dialog)
        finally:
            if dialog.isVisible():
                dialog.reject()

    QTimer.singleShot(0, look)


def letters(text: str) -> str:
    """A text without white space; what is read from a PDF has "..." for an ellipsis."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def amend(qtbot: QtBot, window: MainWindow, shown: ReportWindow, reason: str) -> str:
    """Amend with the mouse and the keys; returns what the dialog said."""
    words: list[str] = []

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, AmendDialog)
        editor = dialog.findChild(QPlainTextEdit)
        assert editor is not None
        if not editor.toPlainText():
            QTest.keyClicks(editor, "  ")
            assert not dialog.amend.isEnabled()
        editor.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClicks(editor, reason)
        words.extend(label.text() for label in dialog.findChildren(QLabel) if label.isVisibleTo(dialog))
        changes = dialog.findChild(QListWidget)
        assert changes is not None
        words.extend(changes.item(row).text() for row in range(changes.count()))
        QTest.mouseClick(dialog.amend, Qt.MouseButton.LeftButton)

    in_dialog(answer)
    QTest.mouseClick(shown.sign_box.amend, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: window.is_idle and shown.sign_box.button.isVisibleTo(shown))
    return "\n".join(words)


def polyp_of(window: MainWindow) -> Finding:
    return next(one for one in window.workspace.reading.entries.findings if one.kind == "polyp")


def change_much(window: MainWindow) -> None:
    """Another size and comment of the polyp, no blood, an ulcer, another landmark, record and score."""
    session, reading = window.session, window.workspace.reading
    study_id, polyp = reading.study.study_id, polyp_of(window)
    blood = next(one for one in reading.entries.findings if one.kind == "blood")
    ulcer = Finding.new(study_id=study_id, kind="ulcer", span=Span(20, 22), key_frames=(21,))
    comment = "Seen by Anna Meier's husband on 2026-03-05"
    session.edits.apply("Polyp", [Replace(polyp, replace(polyp, size_mm=9.0, comment=comment, key_frames=(12,)))])
    session.edits.apply("Blood", [Remove(blood), Add(ulcer)])
    colon = next(one for one in reading.entries.landmarks if one.region is Region.COLON)
    session.edits.apply("Colon", [Replace(colon, replace(colon, frame_index=50))])
    record = session.library.studies.record(study_id)
    session.edits.apply("Year", [Replace(record, replace(record, birth_year=1951))])
    score = next(one for one in reading.entries.report_parts if one.kind == "cc-clear")
    session.edits.apply("Score", [Replace(score, replace(score, content={**score.content, "left": "3"}))])


CHANGES = (
    "Patient record, Year of birth: “1950”, now “1951”",
    "Finding removed: Blood at ",
    "Finding added: Ulcer at ",
    "Size: “7 mm”, now “9 mm”",
    "Comment: “… Meier's husband on 2026-03-02”, now “… Meier's husband on 2026-03-05”",
    "Pictures: “13, 14”, now “13”",
    "Landmarks, First caecal frame: “Frame 46, ",
    "CC-CLEAR: “7”, now “8”",
)


def test_an_amended_report_says_what_it_replaces_who_why_and_what_has_changed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    first = window.session.library.reports.signed(study_id)[0]
    before = first.read(".pdf"), first.read(".html")
    change_much(window)
    wait(qtbot, lambda: window.is_idle)
    words = amend(qtbot, window, shown, "Read again with the surgeon")
    assert shown.sign_box.button.text() == "Sign amendment"
    shown.sign_box.reader.setText("Dr Smith")
    sign(qtbot, window, shown)
    _, second = window.session.library.reports.signed(study_id)
    assert (second.replaces, second.reason) == (1, "Read again with the surgeon")
    pdf, html = text_of(second.read(".pdf")), unescape(second.read(".html").decode())
    when = local_time(first.created_utc)
    for text in (pdf, html):
        plain = letters(re.sub(r"<[^>]+>", "", text))  # a PDF's text has spaces where its lines and fonts change
        assert letters(f"Replaces version 1 of {when}, which was signed by Dr Jones.") in plain
        assert letters("Amended by Dr Smith.") in plain
        assert letters("Reason: Read again with the surgeon") in plain
        for change in CHANGES:
            assert letters(change) in plain, change
        assert plain.index(letters("Replaces version 1")) < plain.index(letters("Year of birth"))
    assert all(change in words for change in CHANGES)
    assert f"version 2, replaces version 1 of {when}" in pdf
    assert (first.read(".pdf"), first.read(".html")) == before
    assert [shown.versions.item(row).text().rpartition(", ")[2] for row in (0, 1)] == [
        "replaces version 1", "replaced by version 2",
    ]  # fmt: skip
    shown.recommendation.editor.setPlainText("Enteroscopy")
    wait(qtbot, lambda: shown.sign_box.note.text().startswith("The report has changed since version 2"))
    amend(qtbot, window, shown, "Third")
    sign(qtbot, window, shown)
    third = window.session.library.reports.signed(study_id)[2]
    text = text_of(third.read(".pdf"))
    assert "Replaces version 2 of" in text
    assert f"Replaced before: Version 1 of {when}, signed by Dr Jones." in text
    assert "Recommendation: entered: “Enteroscopy”" in text
    assert "Year of birth: “1950”" not in text
    for suffix, button in ((".pdf", shown.version_pdf), (".html", shown.version_html)):
        chosen = tmp_path / f"old{suffix}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, chosen=chosen: (str(chosen), ""))
        shown.versions.setCurrentRow(2)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert chosen.read_bytes() == before[suffix == ".html"]
    pages = [page.cacheKey() for page in shown.pages.pages]
    QTest.mouseClick(shown.show_version, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: window.is_idle and bool(shown.pages.pages))
    assert [page.cacheKey() for page in shown.pages.pages] != pages
    assert shown.shown_version.text().startswith("Version 1, ")
    assert shown.shown_version.text().endswith("replaced by version 2")
    QTest.mouseClick(shown.back, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: window.is_idle and bool(shown.pages.pages))
    assert not shown.back.isVisibleTo(shown)


def test_cancelling_discarding_and_undoing_an_amendment_leave_all_as_it_was(qtbot: QtBot, window: MainWindow) -> None:
    """One that is kept outlives the window."""
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    session = window.session
    title, parts = session.edits.undo_title, session.library.annotations.report_parts(study_id)
    in_dialog(lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Escape))
    QTest.mouseClick(shown.sign_box.amend, Qt.MouseButton.LeftButton)
    assert (session.edits.undo_title, session.library.annotations.report_parts(study_id)) == (title, parts)
    assert not shown.sign_box.button.isVisibleTo(shown)
    amend(qtbot, window, shown, "Forgotten")
    QTest.mouseClick(shown.sign_box.drop, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: not shown.sign_box.button.isVisibleTo(shown))
    assert session.library.annotations.report_parts(study_id) == parts
    press(window, "undo")
    wait(qtbot, lambda: "Reason: Forgotten" in shown.sign_box.note.text())
    press(window, "undo")
    wait(qtbot, lambda: not shown.sign_box.button.isVisibleTo(shown))
    assert session.library.annotations.report_parts(study_id) == parts
    assert len(session.library.reports.signed(study_id)) == 1
    amend(qtbot, window, shown, "Forgotten")
    database = session.library.folder / "library.sqlite"
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as raw:  # what a killed window leaves
        asked = "SELECT content FROM report_parts WHERE study_id = ? AND kind = 'amendment'"
        row = raw.execute(asked, (study_id,)).fetchone()
    assert json.loads(row[0]) == {"replaces": 1, "reason": "Forgotten"}
    shown.close()
    press(window, "show_report")
    wait(qtbot, lambda: window.is_idle)
    assert "Reason: Forgotten" in shown.sign_box.note.text()


def test_an_amendment_without_changes_is_asked_for(qtbot: QtBot, window: MainWindow) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    amend(qtbot, window, shown, "The seal was missing")
    assert "Nothing has changed yet." in shown.sign_box.note.text()
    library = window.session.library

    (asked,) = press_sign(shown, "Go back")
    assert "Nothing has changed since the last version was signed." in asked
    wait(qtbot, lambda: window.is_idle)
    assert len(library.reports.signed(study_id)) == 1
    sign(qtbot, window, shown)
    assert "No entry has changed." in text_of(library.reports.signed(study_id)[1].read(".pdf"))


def test_of_two_readers_who_sign_a_first_report_at_once_the_second_is_told(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    library, may_sign = window.session.library, Signing._may_sign

    def sign_before(signing: Signing, *arguments: Any, **names: Any) -> bool:
        library.reports.keep(study_id, 1, html=b"h", pdf=b"p", reader="Dr Other", acknowledged={}, content="{}")
        return may_sign(signing, *arguments, **names)

    monkeypatch.setattr(Signing, "_may_sign", sign_before)
    press_sign(shown)
    wait(qtbot, lambda: "Version 1 of the report was signed meanwhile." in shown.problem.text() and window.is_idle)
    (report,) = library.reports.signed(study_id)
    assert report.reader == "Dr Other"


def test_of_two_readers_who_amend_at_once_the_second_is_told(qtbot: QtBot, window: MainWindow) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    shown.summary.editor.setPlainText("Two polyps")
    wait(qtbot, lambda: window.session.edits.undo_title == "Edit the texts of the report")
    amend(qtbot, window, shown, "Mine")
    library = window.session.library
    other = library.reports.keep(
        study_id, 2, html=b"h", pdf=b"p", reader="Dr Other", acknowledged={}, content="{}", replaces=1, reason="Theirs"
    )
    press_sign(shown)
    wait(qtbot, lambda: shown.versions.count() == 2 and window.is_idle)
    assert shown.problem.text().startswith("Version 2 was signed by Dr Other meanwhile.")
    assert library.reports.signed(study_id)[1] == other
    assert other.read(".pdf") == b"p"
    assert "the reason of that amendment is kept" in shown.sign_box.note.text()
    words = amend(qtbot, window, shown, ", too")
    assert "Version 2 of " in words
    sign(qtbot, window, shown)
    third = library.reports.signed(study_id)[2]
    assert (third.replaces, third.reason) == (2, "Mine, too")


def test_a_hospitals_template_from_before_amendments_says_what_is_replaced(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    study_id = fill(window)
    own = tmp_path / "ours.html"
    own.write_text("<html><body><h1>Hospital</h1><p>{{ report.summary }}</p></body></html>")
    window.session.settings.set("report_template", str(own))
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    shown.summary.editor.setPlainText("Two polyps")
    amend(qtbot, window, shown, "<b>Forgotten</b>")
    sign(qtbot, window, shown)
    page = window.session.library.reports.signed(study_id)[1].read(".html").decode()
    assert page.index("<body>") < page.index("Replaces version 1 of") < page.index("Hospital")
    assert "Reason: &lt;b&gt;Forgotten&lt;/b&gt;" in page


def test_playing_and_another_model_change_nothing_of_a_signed_report_or_a_draft(
    qtbot: QtBot, window: MainWindow
) -> None:
    study_id = fill(window)
    reading, session = window.workspace.reading, window.session
    for finding in list(reading.entries.findings):
        session.edits.apply("No key frames", [Replace(finding, replace(finding, key_frames=()))])
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    signed = session.library.reports.signed(study_id)[0]
    files = signed.read(".pdf"), signed.read(".html")
    pictures = [reading.entries.frames_of(one) for one in reading.entries.findings]
    window.activateWindow()
    wait(qtbot, window.isActiveWindow)
    window.player.setFocus()
    at = reading.place.frame_index
    QTest.keyClick(window.player, Qt.Key.Key_Space)
    wait(qtbot, lambda: reading.place.frame_index > at + 3)
    QTest.keyClick(window.player, Qt.Key.Key_Space)
    assert reading.flags.scores is not None
    assert reading.flags.embeddings is not None
    turned = replace(reading.flags.scores, values=reading.flags.scores.values[::-1].copy())
    reading.flags.embeddings.close()
    reading.flags.set_scores(turned, None)  # as another model in use would
    session.events_changed.emit()
    wait(qtbot, lambda: window.is_idle)
    assert [reading.entries.frames_of(one) for one in reading.entries.findings] == pictures
    assert shown.sign_box.note.text().startswith("Nothing has changed since version 1")
    assert session.library.reports.signed(study_id) == (signed,)
    assert (signed.read(".pdf"), signed.read(".html")) == files


def test_a_signature_needs_a_reader_and_a_library_that_can_be_written(qtbot: QtBot, window: MainWindow) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    shown.sign_box.reader.setText("  ")
    press_sign(shown)
    assert shown.problem.text().startswith("A signature needs the reader's name.")
    assert window.session.library.reports.signed(study_id) == ()
    shown.close()
    window.session.library.read_only = "the folder cannot be written"
    shown = open_report(qtbot, window)
    shown.sign_box.reader.setText("Dr Jones")
    press_sign(shown)
    wait(qtbot, lambda: shown.problem.text().startswith("Read only: the signed report cannot be saved"))
    assert window.session.library.reports.signed(study_id) == ()


def test_a_folder_of_reports_that_cannot_be_written_is_said(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study_id = fill(window)
    (window.session.library.folder / "reports").write_text("in the way")
    shown = open_report(qtbot, window)
    press_sign(shown)
    wait(qtbot, lambda: "Nothing was signed" in shown.problem.text())
    assert window.session.library.reports.signed(study_id) == ()
    draft = tmp_path / "file" / "draft.pdf"  # also for who may write everywhere
    draft.parent.write_text("no folder")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(draft), ""))
    QTest.mouseClick(shown.pdf, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: "draft.pdf cannot be written" in shown.problem.text())
    wait(qtbot, lambda: window.is_idle)
    assert "draft.pdf cannot be written" in shown.problem.text()  # a preview that is done meanwhile leaves it
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(draft.parent))
    QTest.mouseClick(shown.clips, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: f"{draft.parent} cannot be written" in shown.problem.text())
    assert len(window.session.library.annotations.findings(study_id)) == 2


PASSPHRASE = "four quiet words"


@pytest.fixture
def encrypted(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """A window on an encrypted library with an open study; temporary files lie in the test's folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    plain = make_session(tmp_path)
    study, folder = add_study(plain, tmp_path), plain.library.folder
    plain.library.close()
    encrypting.encrypt_library(folder, PASSPHRASE)
    with window_on(qtbot, application.open_session(folder), study) as made:
        yield made
    key_file.lock(folder)


def test_a_signed_report_of_an_encrypted_library_is_opened_and_saved_and_no_trace_stays(
    qtbot: QtBot, encrypted: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = encrypted
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    signed = window.session.library.reports.signed(study_id)[0]
    assert not signed.path.exists()
    opened: list[Path] = []

    def open_url(url: QUrl) -> bool:
        opened.append(Path(url.toLocalFile()))
        return False

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    QTest.mouseClick(shown.open_version, Qt.MouseButton.LeftButton)
    assert shown.problem.text() == (
        f"No program for PDF files was found. Until the library is locked or closed, the report is {opened[0]}."
    )
    assert "Meier Anna 4711" in text_of(opened[0].read_bytes())
    assert opened[0].name == signed.path.name
    assert scratch_prefix("report") in opened[0].parent.name
    assert "report" in application.SCRATCH_KINDS
    if os.name == "posix":
        assert opened[0].parent.stat().st_mode & 0o077 == 0
    for button, chosen, expected in (
        (shown.pdf, tmp_path / "mine.pdf", signed.read(".pdf")),
        (shown.html, tmp_path / "mine.html", signed.read(".html")),
    ):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, chosen=chosen: (str(chosen), ""))
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        wait(qtbot, lambda: window.is_idle and chosen.is_file())  # noqa: B023 - called at once
        assert chosen.read_bytes() == expected
    folder = window.session.library.folder
    press(window, "lock_library")
    assert not opened[0].parent.exists()
    assert not [path for path in folder.rglob("*") if path.is_file() and path.read_bytes().startswith(b"%PDF")]


def test_a_full_disk_and_an_altered_report_of_an_encrypted_library_are_said(
    qtbot: QtBot, encrypted: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = encrypted
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: pytest.fail("it was opened"))

    def full(*_: object) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(saving, "make_scratch_folder", full)
        QTest.mouseClick(shown.open_version, Qt.MouseButton.LeftButton)
    assert shown.problem.text().startswith("The report cannot be opened: no temporary file can be written (No space")
    sealed = sealing.sealed(window.session.library.reports.signed(study_id)[0].path)
    sealed.write_bytes(sealed.read_bytes()[:8000])
    QTest.mouseClick(shown.open_version, Qt.MouseButton.LeftButton)
    assert "cannot be decrypted" in shown.problem.text()


def test_the_version_without_names_names_nobody(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither with texts nor without; a draft as HTML holds its pictures, too."""
    fill(window)
    shown = open_report(qtbot, window)
    shown.summary.editor.setPlainText("Mrs Meier has a polyp.")
    wait(qtbot, lambda: window.is_idle and window.session.edits.undo_title == "Edit the texts of the report")
    assert window.session.reading is not None
    for name, with_texts in (("t", False), ("u", True)):
        shown.with_free_text.setChecked(with_texts)
        saved = tmp_path / f"{name}.pdf"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, saved=saved: (str(saved), ""))
        QTest.mouseClick(shown.anonymous, Qt.MouseButton.LeftButton)
        wait(qtbot, lambda: window.is_idle and f"{name}.pdf" in shown.message.text())  # noqa: B023
        assert "The version without names was saved" in shown.message.text()
        pdf, html = saved.read_bytes(), saved.with_suffix(".html").read_text(encoding="utf-8")
        assert images_of(pdf) == 6
        metadata = repr(PdfReader(io.BytesIO(pdf)).metadata)
        for text in (text_of(pdf), html, metadata):
            for word in ("meier", "anna", "4711", "jones", "1950", "2026-03-0", "model 1", "study.mp4"):
                assert word not in text.lower(), word
        assert window.session.reading.study.study_id not in html
        assert "70 to 79 years" in html
        assert ("has a polyp" in html) is with_texts
        assert ("Kowalski" in html) is with_texts, "a name that is in no record can only be left out with all texts"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "draft.html"), ""))
    QTest.mouseClick(shown.html, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: "The draft was saved" in shown.message.text())
    html = (tmp_path / "draft.html").read_text(encoding="utf-8")
    assert html.count('src="data:image/jpeg;base64,') == 6
    assert "picture:" not in html


def test_without_findings_the_report_says_so(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = open_report(qtbot, window)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "draft.pdf"), ""))
    QTest.mouseClick(shown.pdf, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: "The draft was saved" in shown.message.text())
    text = text_of((tmp_path / "draft.pdf").read_bytes())
    assert "No findings were recorded." in text
    assert "Not signed" in text
    QTest.mouseClick(shown.clips, Qt.MouseButton.LeftButton)
    assert shown.problem.text().startswith("There are no findings yet.")


def test_a_key_frame_that_does_not_decode_leaves_the_rest(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(window)
    read = MaskedFrames.read

    def damaged(self: MaskedFrames, frame_index: int) -> object:
        if frame_index == 13:
            raise FrameMissing("v", frame_index)
        return read(self, frame_index)

    monkeypatch.setattr(MaskedFrames, "read", damaged)
    shown = open_report(qtbot, window)
    assert shown.problem.text() == "Frame 14 cannot be decoded; its picture is left out."
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "draft"), ""))
    QTest.mouseClick(shown.pdf, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: "The draft was saved as draft.pdf." in shown.message.text())
    pdf = (tmp_path / "draft.pdf").read_bytes()
    assert images_of(pdf) == 5
    assert "This picture cannot be decoded." in text_of(pdf)


def test_a_template_that_does_not_render_is_said_beside_the_built_in_page(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "ours.html").write_text("{{ report.nothing }}")
    window.session.settings.set("report_template", str(tmp_path / "ours.html"))
    shown = open_report(qtbot, window)
    assert shown.problem.text().startswith("The report template ours.html cannot be used")
    assert len(shown.pages.pages) == 1


def test_a_template_in_the_librarys_folder_is_not_used_and_mentioned_once(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (window.session.library.folder / "report-template.html").write_text("<h1>Planted</h1><script>alert(1)</script>")
    shown = open_report(qtbot, window)
    assert shown.message.text().startswith("The template report-template.html in the library's folder is not used.")
    assert "settings (Ctrl+,) under Report template" in shown.message.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "draft.html"), ""))
    QTest.mouseClick(shown.html, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: "The draft was saved" in shown.message.text())
    assert "Planted" not in (tmp_path / "draft.html").read_text(encoding="utf-8")
    shown.close()
    assert "The template" not in open_report(qtbot, window).message.text()


def test_clips_are_saved_from_the_report_and_from_the_frame(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    fill(window)
    shown = open_report(qtbot, window)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(out))
    QTest.mouseClick(shown.clips, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: shown.message.text().startswith("2 clips and 3 stills were saved."))
    assert len(list(out.glob("*.mp4"))) == 2
    go_to(qtbot, window, 41)
    press(window, "save_clips")
    wait(qtbot, lambda: window.is_idle and "1 clip and 1 still" in window.banner.text)
    go_to(qtbot, window, 0)
    press(window, "save_clips")
    assert "There is no finding on this frame." in window.banner.text


def test_a_text_block_is_inserted_and_the_list_is_edited(qtbot: QtBot, window: MainWindow) -> None:
    shown = open_report(qtbot, window)
    menu = shown.summary.insert.menu()
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()
    assert shown.summary.text.startswith("Complete study of the small bowel")
    first = shown.summary.text
    shown.summary.set_text("Some words", is_new=True)  # as another study's are shown
    shown.summary.insert_block(TextBlock("b", "A block."))
    assert shown.summary.text == "Some words\nA block."
    shown.summary.editor.moveCursor(QTextCursor.MoveOperation.Start)
    shown.summary.insert_block(TextBlock("c", "Above."))
    assert shown.summary.text == "Above.\nSome words\nA block."
    shown.summary.set_text(first, is_new=True)
    shown.summary.insert_block(TextBlock("b", "A block."))
    assert shown.summary.text == f"{first}\nA block."
    wait(qtbot, lambda: window.session.edits.undo_title == "Edit the texts of the report")
    dialog = BlocksDialog([TextBlock("a", "A")], shown)
    dialog.add()
    QTest.keyClicks(dialog._title, "b")
    dialog._text.setPlainText("B")
    assert list(dialog.blocks) == [TextBlock("a", "A"), TextBlock("b", "B")]
    dialog.remove()
    assert list(dialog.blocks) == [TextBlock("a", "A")]
    dialog.deleteLater()


def test_texts_follow_undo_and_are_kept_when_the_window_closes(qtbot: QtBot, window: MainWindow) -> None:
    """Undo takes back all that was added."""
    shown = open_report(qtbot, window)
    type_into(shown.summary.editor, "One")
    wait(qtbot, lambda: window.session.edits.undo_title == "Edit the texts of the report")
    type_into(shown.summary.editor, " two")
    wait(qtbot, lambda: texts_of(window.session.reading.entries.report_parts).summary == "One two")  # type: ignore[union-attr]
    type_into(shown.summary.editor, " three")
    wait(qtbot, lambda: texts_of(window.session.reading.entries.report_parts).summary == "One two three")  # type: ignore[union-attr]
    press(window, "undo")
    wait(qtbot, lambda: shown.summary.text == "One")
    type_into(shown.recommendation.editor, "Now")
    shown.close()
    assert window.session.reading is not None
    assert texts_of(window.session.reading.entries.report_parts).recommendation == "Now"


def test_boxes_are_drawn_into_the_pictures_with_a_switch(qtbot: QtBot, window: MainWindow) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    assert shown.boxes.isChecked()
    assert not shown.overlay.isChecked()

    def pages() -> list[int]:
        wait(qtbot, lambda: window.is_idle)
        return [page.cacheKey() for page in shown.pages.pages]

    before = pages()
    window.session.edits.apply("Box", [Add(Box("b", study_id, 12, 20, 20, 40, 40, "polyp"))])
    boxed = pages()
    assert boxed != before
    QTest.mouseClick(shown.overlay, Qt.MouseButton.LeftButton)
    covered = pages()
    assert covered != boxed
    assert window.session.settings["report_overlay"]
    sign(qtbot, window, shown)
    assert not shown.sign_box.button.isEnabled()
    covered = pages()
    QTest.mouseClick(shown.boxes, Qt.MouseButton.LeftButton)
    assert pages() != covered
    assert shown.sign_box.note.text().startswith("Nothing has changed since version 1")


def test_looking_further_changes_nothing_of_a_signed_report(qtbot: QtBot, window: MainWindow) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    signed = window.session.library.reports.signed(study_id)[0]
    pdf, html = signed.read(".pdf"), signed.read(".html")
    session, reading = window.session, window.workspace.reading
    session.mark_seen(Span(0, reading.frame_count))
    go_to(qtbot, window, 33)
    session.scores.set_threshold(0.9)
    session.save_place()
    QTest.mouseClick(shown.overlay, Qt.MouseButton.LeftButton)
    wait(qtbot, lambda: window.is_idle)
    assert shown.sign_box.note.text().startswith("Nothing has changed since version 1")
    assert not shown.sign_box.button.isEnabled()
    assert session.library.reports.signed(study_id) == (signed,)
    assert (signed.read(".pdf"), signed.read(".html")) == (pdf, html)
    change = next(one for one in reading.entries.findings if one.kind == "polyp")
    session.edits.apply("Comment", [Replace(change, replace(change, comment="Seen again"))])
    wait(qtbot, lambda: shown.sign_box.note.text().startswith("The report has changed since version 1"))


def test_a_version_signed_without_its_content_is_not_called_changed(qtbot: QtBot, window: MainWindow) -> None:
    study_id = fill(window)
    window.session.library.reports.keep(study_id, 1, html=b"h", pdf=b"p", reader="Dr Jones", acknowledged={})
    shown = open_report(qtbot, window)
    assert "whether the report has changed since cannot be seen here" in shown.sign_box.note.text()
    assert "signed before its content was kept" in shown.versions.item(0).text()
    words = amend(qtbot, window, shown, "The date was wrong")
    assert "cannot be listed: version 1 was signed before the program kept what a report is made from" in words
    sign(qtbot, window, shown)
    assert shown.sign_box.note.text().startswith("Nothing has changed since version 2")


def test_a_text_is_saved_while_typing_goes_on(qtbot: QtBot, window: MainWindow) -> None:
    fill(window)
    editor = open_report(qtbot, window).summary.editor

    def is_saved() -> bool:
        QTest.keyClick(editor, Qt.Key.Key_A)  # never a pause
        return bool(texts_of(window.workspace.reading.entries.report_parts).summary)

    wait(qtbot, is_saved)


def test_who_asks_is_entered_and_printed_with_the_keyboard(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(window)
    shown = open_report(qtbot, window)
    type_into(shown.request["referrer"], "Dr Kim")
    QTest.keyClick(shown.request["referrer"], Qt.Key.Key_Tab)
    wait(qtbot, lambda: texts_of(window.workspace.reading.entries.report_parts).referrer == "Dr Kim")
    (part,) = [one for one in window.workspace.reading.entries.report_parts if one.kind == "texts"]
    assert set(part.content) == {"summary", "recommendation", "adequacy", "referrer"}, "as before where not entered"

    def choose_file(dialog: QPrintDialog) -> int:
        dialog.printer().setOutputFileName(str(tmp_path / "printed.pdf"))
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(QPrintDialog, "exec", choose_file)
    shown.record.click()
    assert window.features.patients.window.isVisible()
    window.features.patients.window.close()
    assert "Ctrl+P" in [action.shortcut().toString() for action in shown.actions()]
    assert shown.print.shortcut() == QKeySequence("Ctrl+Alt+P")
    shown.print.click()
    wait(qtbot, lambda: window.is_idle)
    text = text_of((tmp_path / "printed.pdf").read_bytes())
    assert "Referred by Dr Kim" in text
    assert shown.message.text() == "The draft was sent to the printer. It is not signed."


def test_a_report_of_10_000_findings_shows_the_first_ones_and_says_so(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = window.session.reading
    assert reading is not None
    study_id, frames = reading.study.study_id, reading.frame_count
    spans = [Span(at % (frames - 1), at % (frames - 1) + 1) for at in range(10_000)]
    window.session.edits.apply("Enter", [Add(Finding.new(study_id=study_id, kind="polyp", span=one)) for one in spans])
    shown = open_report(qtbot, window)
    assert "The first 100 of 10,00" in shown.problem.text()
    assert "files and prints have all of them" in shown.problem.text()
    assert 5 < len(shown.pages.pages) < 60
    report = gather(window.session)
    assert len(report.findings) == len(reading.entries.findings) >= 10_000, "nothing is lost"
    assert [len(report.findings[at].pictures) for at in (0, -1)] == [1, 0]
    assert report.findings[-1].more_frames == 1


def test_a_library_without_patients_is_said_and_the_report_is_there(qtbot: QtBot, window: MainWindow) -> None:
    shown = open_report(qtbot, window)
    assert "The report names no patient" in shown.problem.text()
    assert shown.pages.pages
    fill(window)
    wait(qtbot, lambda: window.is_idle)
    assert "names no patient" not in shown.problem.text()


@pytest.mark.parametrize(
    ("missing", "verb"),
    [({"pseudonym": ""}, "Sign without patient"), ({"exam_date": ""}, "Sign without date"),
     ({"pseudonym": "", "exam_date": ""}, "Sign without patient")],
)  # fmt: skip
def test_signing_without_patient_or_date_asks(
    qtbot: QtBot, window: MainWindow, missing: dict[str, str], verb: str
) -> None:
    study_id = fill(window)
    record = window.session.library.studies.record(study_id)
    window.session.edits.apply("Take away", [Replace(record, replace(record, **missing))])  # type: ignore[arg-type]
    shown = open_report(qtbot, window)
    press_sign(shown, "Go back")
    assert window.session.library.reports.signed(study_id) == ()
    (asked,) = press_sign(shown, verb)
    assert "is not entered." in asked
    wait(qtbot, lambda: window.is_idle)
    assert len(window.session.library.reports.signed(study_id)) == 1


def test_a_measurement_is_confirmed_in_the_report_and_stays_when_its_figures_change(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = make_session(tmp_path)
    tracks = {"visible_mucosa": np.full(FRAMES, 0.8), "blood": np.where(np.arange(FRAMES) < 30, 0.9, 0.0)}
    with window_on(qtbot, session, add_study(session, tmp_path, tracks=tracks)) as window:
        fill(window)
        shown = open_report(qtbot, window)
        box = shown.measured["blood"]
        assert box.isVisible()
        assert not box.box.isChecked()
        box.box.click()
        wait(qtbot, lambda: window.is_idle)
        rows = {row.name: row.text for row in gather(session).examination}
        assert rows["Blood indicator"].endswith("confirmed by the reader)")
        entries = session.opened().entries
        before = texts_of(entries.report_parts)
        mark = next(mark for mark in entries.landmarks if mark.region is Region.SMALL_BOWEL)
        session.edits.apply("Move", [Replace(mark, replace(mark, frame_index=8))])
        wait(qtbot, lambda: window.is_idle)
        assert not box.box.isChecked(), "other figures"
        shown.close()
        wait(qtbot, lambda: window.is_idle)
        assert texts_of(entries.report_parts) == before, "nothing is written that the reader did not mean"
        session.edits.undo()
        press(window, "show_report")
        wait(qtbot, lambda: window.is_idle)
        assert box.box.isChecked()
        box.box.click()
        wait(qtbot, lambda: window.is_idle)
        assert "Blood indicator" not in {row.name for row in gather(session).examination}
        shown.close()
