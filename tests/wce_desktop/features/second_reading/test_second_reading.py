"""A second reader reads blind; then both readings are compared and their differences settled."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox, QProgressDialog
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import answer_input, main_window, press, wait
from wce_desktop.core.span import Span
from wce_desktop.features.second_reading.compare_panel import ComparePanel
from wce_desktop.library.exchange.reading_file import plan_reading
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.frame_tile import FrameTile


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The main window; the first reader has labelled frames 10 to 13 polyp and seen all frames."""
    with main_window(qtbot, tmp_path) as opened:
        label(opened, 10, 14, "1")
        see_all(opened)
        yield opened


def label(window: MainWindow, start: int, stop: int, key: str) -> None:
    """Mark a span and press a digit."""
    window.session.mark_span(start, stop)
    QTest.keyClicks(window, key)
    window.session.mark_span(None, None)


def see_all(window: MainWindow) -> None:
    window.session.mark_seen(Span(0, 60))
    window.session.save_seen()


def reader_and_labels(window: MainWindow, study_id: str) -> list[tuple[str, int, int]]:
    return [(one.reader, one.span.start, one.span.stop) for one in window.session.library.annotations.labels(study_id)]


def begin(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, name: str = "Bea") -> str:
    """Begin a second reading; returns its study's id."""
    answer_input(monkeypatch, name)
    press(window, "second_reading")
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.study.second_of is not None)
    wait(qtbot, lambda: window.is_idle)
    assert window.session.reading is not None
    return window.session.reading.study.study_id


def compare(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> ComparePanel:
    asked: list[str] = []

    def question(box: QMessageBox) -> QMessageBox.StandardButton:
        asked.append(box.text())
        return QMessageBox.StandardButton.Yes

    monkeypatch.setattr(QMessageBox, "exec", question)
    press(window, "compare_readings")
    assert "no longer independent" in asked[0]
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.study.second_of is None)
    found = window.features.second_reading.panel
    wait(qtbot, lambda: found.frames.rowCount() > 0)
    return found


def tile_of(found: ComparePanel, row: int) -> FrameTile:
    tile = found.tiles.tiles.tile(row)
    assert tile is not None
    return tile


def test_a_second_reader_sees_nothing_of_the_first(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    assert session.reading is not None
    first = session.reading.study
    second_id = begin(qtbot, window, monkeypatch)
    reading = session.reading
    assert len(reading.entries.labels) == 0
    assert not reading.seen.any()
    assert reading.flags.scores is not None  # of the same recording
    assert not window.menus.actions["show_map"].isEnabled()
    panel = window.features.learning.panel
    assert "Not available in a second reading." in [label.text() for label in panel.findChildren(QLabel)]
    assert not panel.finetune.isEnabled()
    label(window, 12, 20, "1")
    assert reader_and_labels(window, second_id) == [("Bea", 12, 20)]
    assert reader_and_labels(window, first.study_id) == [("reader", 10, 14)]
    assert [study.study_id for study in session.library.studies.shown()] == [second_id]
    assert [study.study_id for study in session.library.studies.all()] == [first.study_id]
    counts = session.library.annotations.label_counts_by_study()
    assert [(row.name, row.new_frames) for row in counts] == [("polyp", 4)]
    with pytest.raises(AssertionError, match="greyed out"):
        press(window, "second_reading")


def test_differences_are_settled_with_keys(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    session = window.session
    assert session.reading is not None
    first = session.reading.study.study_id
    begin(qtbot, window, monkeypatch)
    label(window, 12, 20, "1")
    assert not session.library.annotations.seen(session.reading.study.study_id)
    see_all(window)
    found = compare(qtbot, window, monkeypatch)
    row = [found.frames.item(0, column) for column in range(6)]
    assert [cell.text() for cell in row if cell] == ["Polyp", "2", "2", "6", "0", "0.27"]
    assert found.tiles.tiles.rowCount() == 2
    assert session.reading is not None
    assert (session.reading.place.frame_index, found.current) == (0, None), "nobody asked for the place of a difference"
    QTest.keyClick(found.tiles, Qt.Key.Key_Right)
    wait(qtbot, lambda: window.player.frame_index == 10)
    window.workspace.go_to_frame(30)
    wait(qtbot, lambda: window.player.frame_index == 30)
    session.annotations_changed.emit(None)
    wait(qtbot, lambda: window.is_idle)
    assert window.player.frame_index == 30, "the list was filled anew, and the place stays"
    QTest.keyClick(found.tiles, Qt.Key.Key_K)  # frames 10 and 11 stay polyp
    assert found.tiles.tiles.rowCount() == 1
    wait(qtbot, lambda: window.player.frame_index == 14)
    QTest.keyClick(found.tiles, Qt.Key.Key_T)  # frames 14 to 19 become polyp
    assert found.tiles.tiles.rowCount() == 0
    assert reader_and_labels(window, first) == [("reader", 10, 14), ("Bea", 14, 20)]
    assert not found.take.isEnabled()
    for _ in range(2):
        press(window, "undo")
    assert reader_and_labels(window, first) == [("reader", 10, 14)]
    assert found.tiles.tiles.rowCount() == 2


def test_a_class_that_the_second_reader_rejected_is_a_difference_and_no_label(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    assert session.reading is not None
    first = session.reading.study.study_id
    begin(qtbot, window, monkeypatch)
    for event in tuple(session.reading.flags.events):
        window.features.reading.answer(event, is_accepted=False)
    see_all(window)
    found = compare(qtbot, window, monkeypatch)
    QTest.keyClick(found.tiles, Qt.Key.Key_Right)
    rows = [[found.frames.item(row, column) for column in range(5)] for row in range(found.frames.rowCount())]
    texts = [[cell.text() for cell in row if cell] for row in rows]
    assert ["Polyp", "0", "4 (the other says no: 4)", "0", "0"] in texts
    assert all(text[1:] == ["0", "0", "0", "0"] for text in texts if text[0] != "Polyp"), "blood was only rejected"
    assert found.tiles.tiles.rowCount() == 1
    assert tile_of(found, 0).caption == "Polyp · frames 11 to 14\nthe first reader; Bea says no"
    QTest.keyClick(found.tiles, Qt.Key.Key_T)
    assert reader_and_labels(window, first) == []
    answers = [(one.reader, one.answer, one.name, one.span) for one in session.library.annotations.answers(first)]
    assert answers == [("Bea", "no", "polyp", Span(10, 14))], "the answer is taken, and nothing becomes normal"
    press(window, "undo")
    assert reader_and_labels(window, first) == [("reader", 10, 14)]


def test_a_finding_of_the_second_reader_is_taken(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    assert session.reading is not None
    first = session.reading.study.study_id
    second = begin(qtbot, window, monkeypatch)
    session.mark_span(30, 35)
    press(window, "new_finding")
    found = compare(qtbot, window, monkeypatch)
    QTest.keyClick(found.tiles, Qt.Key.Key_Right)
    at = next(row for row in range(len(found._rows)) if tile_of(found, row).sentence.startswith("Finding"))
    QTest.mouseClick(
        found.tiles.viewport(),
        Qt.MouseButton.LeftButton,
        pos=found.tiles.visualRect(found.tiles.tiles.index(at)).center(),
    )
    wait(qtbot, lambda: window.workspace.reading.place.frame_index == 30)
    assert not found.keep.isEnabled()
    assert "Only the second reader has this finding" in found.keep.toolTip()
    assert "1 finding of one reader only" in found._summary.text()
    found.take.click()
    (mine,), (theirs,) = session.library.annotations.findings(first), session.library.annotations.findings(second)
    assert (mine.span, mine.reader) == (theirs.span, "Bea")
    assert not any(isinstance(row, type(mine)) for row in found._rows)


def test_a_name_that_cannot_be_used(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, said in (("  ", "needs the name"), ("reader", "has read this study")):
        answer_input(monkeypatch, name)
        press(window, "second_reading")
        assert said in window.workspace.messages.text
    press(window, "compare_readings")
    assert "no second reading" in window.workspace.messages.text
    assert window.session.library.studies.second_readings() == ()


def test_a_reading_leaves_and_comes_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Yes)
    press(window, "export_reading")
    assert "no patient's name" in window.workspace.messages.text
    press(window, "import_reading")
    (second,) = window.session.library.studies.second_readings()
    assert reader_and_labels(window, second.study_id) == [("reader", 10, 14)]
    file.write_text("{}", encoding="utf-8")
    press(window, "import_reading")
    assert "is not a reading" in window.workspace.messages.text


def test_what_is_not_there_travels_with_a_reading_and_older_files_say_yes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, library = tmp_path / "a.json", window.session.library
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Yes)
    blood = window.workspace.reading.flags.events[-1]
    window.features.reading.answer(blood, is_accepted=False)
    press(window, "export_reading")
    press(window, "import_reading")
    (second,) = library.studies.second_readings()
    answers = [(one.name, one.answer) for one in library.annotations.answers(second.study_id)]
    assert answers == [("polyp", "yes"), ("blood", "no")]
    older = json.loads(file.read_text(encoding="utf-8"))
    older["labels"] = [one for one in older["labels"] if one["answer"] == "yes"]
    for one in older["labels"]:
        del one["answer"]
    older["reader"] = "Cy"
    file.write_text(json.dumps(older), encoding="utf-8")
    press(window, "import_reading")
    third = next(one for one in library.studies.second_readings() if one.study_id != second.study_id)
    assert [(one.name, one.answer) for one in library.annotations.answers(third.study_id)] == [("polyp", "yes")]


def test_one_frame_is_one_number_and_no_text_of_the_tables_is_cut(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(qtbot, window, monkeypatch, "Beatrice Bartholomew-Montgomery of the second hospital")
    label(window, 30, 31, "2")
    see_all(window)
    found = compare(qtbot, window, monkeypatch)
    assert any(", frames 31, " in tile_of(found, row).sentence for row in range(found.tiles.tiles.rowCount()))
    found.figures.click()
    table = found.frames
    assert table.isVisible()
    assert not found.tiles.isVisible()
    for column in range(table.columnCount()):
        assert table.columnWidth(column) >= table.sizeHintForColumn(column)
        assert table.columnWidth(column) >= table.horizontalHeader().sectionSizeHint(column)


def test_both_readers_pictures_are_shown_below_the_frame(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(qtbot, window, monkeypatch)
    see_all(window)
    found = compare(qtbot, window, monkeypatch)
    frame = window.player.frame_view
    below = found.mapTo(window, found.rect().topLeft()).y()
    assert frame.mapTo(window, frame.rect().bottomLeft()).y() < below, "nothing of the frame is covered"
    (row,) = found._rows
    comparison = found._comparison
    assert comparison is not None
    wait(qtbot, lambda: found.picture(row, comparison) is not None)
    picture = found.picture(row, comparison)
    assert picture is not None

    def brightness(left: int, right: int) -> float:
        middle = picture.height() // 2
        return sum(picture.pixelColor(x, middle).lightness() for x in range(left, right)) / (right - left)

    half = picture.width() // 2
    assert picture.width() == 2 * picture.height() + 4
    assert brightness(half, picture.width()) < 0.7 * brightness(0, half), "dark where the second reader said nothing"
    press(window, "compare_readings")
    assert found.tiles.hasFocus()
    QTest.keyClick(found.tiles, Qt.Key.Key_Escape)
    assert found.isHidden()
    assert window.player.hasFocus()


def test_the_question_before_comparing_suggests_not_to(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(qtbot, window, monkeypatch)
    asked: list[object] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.standardButton(box.defaultButton())))
    press(window, "compare_readings")
    assert asked == [QMessageBox.StandardButton.No]


def large_reading(window: MainWindow, file: Path, labels: int) -> None:
    """The reading of the open study with many labels, and as many lines of its past."""
    press(window, "export_reading")
    document = json.loads(file.read_text(encoding="utf-8"))
    label, line = document["labels"][0], document["audit"][-1]
    document["labels"] = [
        {
            **label,
            "label_id": f"l{at}",
            "name": f"class {at}",
            "start": 1,
            "stop": 2,
            "reader": f"r{at}",
            "answer": "no",
        }
        for at in range(labels)
    ]
    document["audit"] = [{**line, "item_id": f"l{at}"} for at in range(labels)]
    file.write_text(json.dumps(document), encoding="utf-8")


def with_files(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Yes)


def test_the_window_goes_on_while_a_large_reading_is_imported(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_files(monkeypatch, tmp_path / "a.json")
    large_reading(window, tmp_path / "a.json", 10_000)
    ticks: list[str] = []

    def look() -> None:
        ticks.extend(dialog.labelText() for dialog in window.findChildren(QProgressDialog) if dialog.isVisible())

    timer = QTimer(interval=10)
    timer.timeout.connect(look)
    timer.start()
    press(window, "import_reading")
    wait(qtbot, lambda: len(window.session.library.studies.second_readings()) == 1 and window.is_idle)
    timer.stop()
    assert len(ticks) > 20
    assert {words.split("…")[0] for words in ticks} == {"Reading the file", "Importing"}
    assert any("of 100 steps" in words for words in ticks)
    (second,) = window.session.library.studies.second_readings()
    assert len(window.session.library.annotations.answers(second.study_id)) == 10_000


@pytest.mark.parametrize("words", ["Reading the file", "Importing"])
def test_the_import_of_a_reading_can_be_stopped(
    words: str, qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_files(monkeypatch, tmp_path / "a.json")
    large_reading(window, tmp_path / "a.json", 40_000)  # reading fewer may end before it can be stopped

    def stop() -> None:
        for dialog in window.findChildren(QProgressDialog):
            if dialog.isVisible() and dialog.labelText().startswith(words):
                dialog.canceled.emit()

    timer = QTimer(interval=1)
    timer.timeout.connect(stop)
    timer.start()
    press(window, "import_reading")
    wait(qtbot, lambda: window.is_idle and window.workspace.messages.text == "Nothing was imported.")
    timer.stop()
    assert window.session.library.studies.second_readings() == ()


def test_who_read_is_found_at_once_among_many_readers(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_files(monkeypatch, tmp_path / "a.json")
    large_reading(window, tmp_path / "a.json", 30_000)
    started = time.process_time()
    plan = plan_reading(window.session.library, tmp_path / "a.json")
    assert time.process_time() - started < 8
    assert plan.reader
