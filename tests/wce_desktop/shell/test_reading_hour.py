"""A physician's hour on a phantom study, through the real window with mouse and keys.

Patient record, landmarks, reading two frames at once at 8 frames/s, findings with boxes and key frames, a calculator,
acknowledging what was not read, signing; then the PDF and the version without names are opened.
"""

import io
import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pypdf import PdfReader
from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.reading.test_finding_form import choice, choose
from tests.wce_desktop.sessions import make_session, write_scores
from tests.wce_desktop.windows import press_sign, wait, window_on
from training.phantom.dataset import write_studies
from training.runs.reporter import SilentReporter
from training.video import build_index
from wce_desktop.core.annotation.landmark import Region, first_frames
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.shell.main_window import MainWindow

FRAMES, PIXELS = 120, 96
LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
NAME, READER = "MEIER_Anna_4711", "Dr Jones"


def truth_scores(truth: Path) -> NDArray[np.float32]:
    """(120, 3): scores of a model that knows the phantom's polyps and blood."""
    frames = json.loads(truth.read_text())["frames"]
    scores = np.full((FRAMES, 3), 0.05, np.float32)
    for number, frame in enumerate(frames):
        scores[number, 1:] = [0.95 if kind in frame["labels"] else 0.03 for kind in ("polyp", "blood")]
    return scores


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The main window with one phantom study, whose file has the patient's name, scored."""
    write_studies(
        tmp_path / "phantom",
        studies=1,
        frames=FRAMES,
        size_px=PIXELS,
        positive_share=0.5,
        seed=3,
        reporter=SilentReporter(),
    )
    (made,) = (tmp_path / "phantom" / "videos").glob("*.mp4")
    video = made.rename(tmp_path / f"{NAME}.mp4")
    session = make_session(tmp_path)
    study = session.add_study(video, build_index(video))
    path = session.files(study).scores_path(session.model_id)
    write_scores(path, session.model_id, truth_scores(made.with_suffix(".truth.json")))
    session.scores.scored(study.study_id, session.model_id)
    with window_on(qtbot, session, session.library.studies.get(study.study_id)) as opened:
        yield opened


def key(window: QWidget, which: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(window, which, modifier)


def go(qtbot: QtBot, window: MainWindow, frame: int) -> None:
    window.workspace.go_to_frame(frame)
    wait(qtbot, lambda: window.workspace.reading.place.frame_index == frame and window.is_idle)


def write(field: QWidget, text: str) -> None:
    assert isinstance(field, QLineEdit)
    field.setFocus()
    QTest.keyClicks(field, text)


def enter_record(qtbot: QtBot, window: MainWindow) -> None:
    key(window, Qt.Key.Key_P, CONTROL)
    shown = window.features.patients.window
    qtbot.waitExposed(shown)
    wait(qtbot, shown.isActiveWindow)
    for name, text in (
        ("pseudonym", "Meier Anna 4711"), ("birth_year", "1950"), ("exam_date", "2026-03-01"), ("capsule", "SB3"),
        ("indication", "Anaemia"), ("preparation", "2 l PEG"), ("read_by", READER),
    ):  # fmt: skip
        write(shown.form.fields[name], text)
    QTest.mouseClick(shown.save_button, LEFT)
    shown.close()
    window.activateWindow()
    wait(qtbot, window.isActiveWindow)


def mark_landmarks(qtbot: QtBot, window: MainWindow) -> None:
    places = ((Qt.Key.Key_1, 4), (Qt.Key.Key_2, 20), (Qt.Key.Key_3, 100), (Qt.Key.Key_5, 115))
    for digit, frame in places:
        go(qtbot, window, frame)
        key(window, digit, CONTROL)
    found = first_frames(window.session.library.annotations.landmarks(window.workspace.reading.study.study_id))
    assert [found[region] for region in (Region.STOMACH, Region.SMALL_BOWEL, Region.COLON)] == [4, 20, 100]


def read_two_at_once(qtbot: QtBot, window: MainWindow) -> None:
    """Play some frames at 8 frames/s, two at a time."""
    go(qtbot, window, 0)
    key(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    wait(qtbot, lambda: window.is_idle)
    assert window.player.playback.rate_fps == 8
    key(window, Qt.Key.Key_Space)
    wait(qtbot, lambda: bool(window.workspace.reading.seen[2:8].all()))
    key(window, Qt.Key.Key_Space)
    key(window, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    wait(qtbot, lambda: window.is_idle)


def make_finding(qtbot: QtBot, window: MainWindow) -> None:
    """Accept the next suggestion, which makes a finding, and enter its comment, size and relevance."""
    key(window, Qt.Key.Key_N)
    wait(qtbot, lambda: window.workspace.reading.event_here() is not None and window.is_idle)
    key(window, Qt.Key.Key_Return)
    card = window.features.reading.describing.card
    form, card.is_entered = card.form, True  # as after Tab
    form.kind.pick("1")  # blood is not measured, a polyp is
    for field, text in (("comment", "Broad base"), ("size_mm", "7")):
        box = form.entries[field]
        box.setFocus()
        qtbot.wait(1)  # what is there is selected then
        QTest.keyClicks(box, text)
    relevance = choice(form, "relevance")
    relevance.setFocus()
    choose(relevance, "P1")
    window.player.setFocus()


def draw_box(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.actions["draw_boxes"].trigger()
    view, editor = window.player.frame_view, window.features.boxes.editor
    qtbot.wait(1)  # the bar below takes its room
    rect = view.frame_rects()[0]

    def at(x: float, y: float) -> QPoint:
        return (rect.topLeft() + QPointF(rect.width() * x, rect.height() * y)).toPoint()

    qtbot.mousePress(editor, LEFT, pos=at(0.4, 0.4))
    qtbot.mouseMove(editor, at(0.5, 0.5))
    qtbot.mouseMove(editor, at(0.6, 0.6))
    qtbot.mouseRelease(editor, LEFT, pos=at(0.6, 0.6))
    key(editor, Qt.Key.Key_Escape)


def grade(qtbot: QtBot, window: MainWindow) -> None:
    """CC-CLEAR: three in each segment."""
    window.menus.actions["show_calculators"].trigger()
    shown = window.features.calculators.window
    assert shown is not None
    shown.tabs.setCurrentIndex(3)
    wait(qtbot, lambda: window.is_idle and shown.isActiveWindow())
    for box in shown.forms["cc-clear"].boxes.values():
        box.setFocus()
        for _ in range(box.count()):
            QTest.keyClick(box, Qt.Key.Key_Down)
    shown.close()
    window.activateWindow()
    wait(qtbot, window.isActiveWindow)


def sign(qtbot: QtBot, window: MainWindow, opened: list[Path]) -> ReportWindow:
    key(window, Qt.Key.Key_F8)
    wait(qtbot, lambda: window.is_idle)
    shown = window.features.report.window
    assert shown is not None
    shown.summary.editor.setFocus()
    QTest.keyClicks(shown.summary.editor, "One polyp in the small bowel.")
    wait(qtbot, lambda: window.session.edits.undo_title == "Edit the texts of the report")
    wait(qtbot, lambda: window.is_idle)
    box = shown.sign_box
    assert not box.button.isEnabled()  # flags and parts that were not read must be acknowledged
    for one in (box.flags, box.frames):
        if not one.isHidden():
            QTest.mouseClick(one.box, LEFT, pos=one.box.rect().center())
    assert box.reader.text() == READER
    press_sign(shown)
    wait(qtbot, lambda: window.is_idle and shown.versions.count() == 1)
    QTest.mouseClick(shown.open_version, LEFT)
    assert len(opened) == 1
    return shown


def text_of(pdf: Path) -> str:
    """The words of a PDF; ligatures as the letters that they stand for."""
    pages = (page.extract_text() for page in PdfReader(io.BytesIO(pdf.read_bytes())).pages)
    return unicodedata.normalize("NFKC", " ".join(" ".join(page.split()) for page in pages))


def images_of(pdf: Path) -> int:
    return sum(len(page.images) for page in PdfReader(io.BytesIO(pdf.read_bytes())).pages)


def test_the_whole_hour(qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []

    def open_url(url: QUrl) -> bool:
        opened.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    enter_record(qtbot, window)
    mark_landmarks(qtbot, window)
    read_two_at_once(qtbot, window)
    make_finding(qtbot, window)
    draw_box(qtbot, window)
    grade(qtbot, window)
    study_id = window.workspace.reading.study.study_id
    (finding,) = window.session.library.annotations.findings(study_id)
    assert (finding.size_mm, finding.relevance, finding.comment) == (7.0, "P1", "Broad base")
    assert len(window.session.library.annotations.boxes(study_id)) == 1

    shown = sign(qtbot, window, opened)
    text = text_of(opened[0])
    for words in (
        "Meier Anna 4711", "2026-03-01", "SB3", "Anaemia", "2 l PEG", "7 mm", "P1", "One polyp in the small bowel.",
        "Broad base", f"Signed by {READER}", "Acknowledged", "8 frames/s", "excellent", "Research use only",
    ):  # fmt: skip
        assert words in text, words
    assert images_of(opened[0]) >= 1
    assert NAME not in text

    chosen = tmp_path / "anonymous.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(chosen), ""))
    QTest.mouseClick(shown.anonymous, LEFT)
    wait(qtbot, lambda: window.is_idle and chosen.with_suffix(".html").is_file())
    said = text_of(chosen) + chosen.with_suffix(".html").read_text(encoding="utf-8")
    for name in ("meier", "anna", "4711", "1950", "2026-03-01", "jones"):
        assert name not in said.casefold(), name
    assert "7 mm" in said
    assert images_of(chosen) >= 1
