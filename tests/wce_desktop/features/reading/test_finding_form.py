"""A finding is edited in place in the real window, with keys and mouse; each change is one undo step."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from training.errors import UserError
from training.video import FieldOfView
from wce_desktop.core.annotation.finding import ENTRIES, Finding
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.features.reading import annotating
from wce_desktop.features.reading.finding_form import FindingForm, NumberEdit
from wce_desktop.features.reading.key_frames import KeyFrameList
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets import dialogs
from wce_desktop.widgets.chips import Chips
from wce_desktop.widgets.inputs import INDENT, ChoiceBox
from wce_desktop.widgets.theme import COLORS

LEFT = Qt.MouseButton.LeftButton


def go(qtbot: QtBot, window: MainWindow, frame: int) -> None:
    window.workspace.go_to_frame(frame)
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.place.frame_index == frame)


def stored(window: MainWindow) -> Finding:
    assert window.session.reading is not None
    (finding,) = window.session.library.annotations.findings(window.session.reading.study.study_id)
    return finding


def new_finding(qtbot: QtBot, window: MainWindow, frame: int = 12) -> FindingForm:
    go(qtbot, window, frame)
    press(window, "new_finding")
    return window.features.reading.findings.form


def choice(form: FindingForm, name: str) -> ChoiceBox | Chips:
    box = form.entries[name]
    assert isinstance(box, ChoiceBox | Chips)
    return box


def number_edit(form: FindingForm, name: str) -> NumberEdit:
    box = form.entries[name]
    assert isinstance(box, NumberEdit)
    return box


def choose(box: ChoiceBox | Chips, value: str) -> None:
    """As a click into the open list, or on a chip, does."""
    if isinstance(box, Chips):
        box.choose(value)
        return
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def enter_size(form: FindingForm, typed: str) -> NumberEdit:
    """Type into the field and leave it by Tab."""
    edit = number_edit(form, "size_mm")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, typed)
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    return edit


@pytest.mark.parametrize(
    ("typed", "size_mm"),
    [("7", 7), ("0.5 cm", 5), ("0,5cm", 5), ("12 mm", 12), ("1.25 CM", 12.5), (",5", 0.5), ("0", None), ("", None)],
)
def test_a_size_may_have_its_unit_and_point_or_comma(typed: str, size_mm: float | None) -> None:
    assert ENTRIES["size_mm"].number(typed) == size_mm


@pytest.mark.parametrize("typed", ["cm", "5-6", "1,000", "2000", "1e3", "5 m", "five", "-5", "101 cm", "."])
def test_what_is_no_size_is_refused(typed: str) -> None:
    with pytest.raises(UserError, match="was not saved"):
        ENTRIES["size_mm"].number(typed)


def test_a_size_in_centimetres_is_kept_and_nonsense_stays_until_it_is_mended(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        form = shown_form(qtbot, window)
        edit = enter_size(form, "0,5 cm")
        assert (stored(window).size_mm, edit.text(), edit.styleSheet()) == (5, "5 mm", "")
        enter_size(form, "5 apples")
        assert (stored(window).size_mm, edit.text()) == (5, "5 apples")
        assert COLORS.warning in edit.styleSheet()
        assert "Size: “5 apples” was not saved." in window.workspace.messages.text
        choose(choice(form, "relevance"), "P1")
        assert edit.text() == "5 apples"
        enter_size(form, "6")
        assert (stored(window).size_mm, edit.text(), edit.styleSheet()) == (6, "6 mm", "")


@pytest.mark.parametrize("is_right", [True, False])
def test_a_very_large_size_is_asked_about(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_right: bool
) -> None:
    questions: list[str] = []

    def agrees(_: object, __: str, question: str, ___: str) -> bool:
        questions.append(question)
        return is_right

    monkeypatch.setattr(dialogs, "agrees", agrees)
    with main_window(qtbot, tmp_path) as window:
        form = shown_form(qtbot, window)
        edit = enter_size(form, "300")
        wait(qtbot, lambda: bool(questions))
        assert questions == ["Size: 300 mm. Is that right?"]
        assert (stored(window).size_mm, edit.text()) == ((300, "300 mm") if is_right else (None, ""))
        assert ("“300 mm” was not saved" in window.workspace.messages.text) is not is_right


def test_every_detail_is_edited_in_place_and_undone(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        form = new_finding(qtbot, window)
        choose(choice(form, "segment"), "jejunum")
        choose(choice(form, "number"), "few")
        choose(choice(form, "morphology"), "0-Is sessile")
        choose(choice(form, "relevance"), "P1")
        enter_size(form, "8.5")
        found = stored(window)
        assert (found.segment, found.number, found.morphology, found.relevance, found.size_mm) == (
            "jejunum",
            "few",
            "0-Is sessile",
            "P1",
            8.5,
        )
        text = window.features.reading.findings._list.item(0).text()
        assert "jejunum, 8.5 mm, few, 0-Is sessile, P1" in text
        for size, relevance, count in ((None, "P1", "few"), (None, "", "few"), (None, "", "few"), (None, "", "")):
            press(window, "undo")  # what was typed without a pause is one step
            found = stored(window)
            assert (found.size_mm, found.relevance, found.number) == (size, relevance, count)
        assert choice(form, "number").value == ""


def shown_form(qtbot: QtBot, window: MainWindow) -> FindingForm:
    """The form of the panel, after a new finding."""
    form = new_finding(qtbot, window)
    window.features.reading.describing.close_card()
    press(window, "show_findings")
    window.activateWindow()
    return form


def test_keys_choose_in_a_box_and_in_chips(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        form = shown_form(qtbot, window)
        for name, values in (("segment", ("oesophagus", "gastric fundus")), ("number", ("single", "few"))):
            box = choice(form, name)
            box.setFocus()
            key = Qt.Key.Key_Down if name == "segment" else Qt.Key.Key_Right
            for value in values:
                qtbot.keyClick(box, key)
                assert getattr(stored(window), name) == value
            press(window, "undo")
            assert getattr(stored(window), name) == values[0]
        qtbot.keyClick(choice(form, "number"), "3")
        assert stored(window).number == "many"
        qtbot.keyClick(choice(form, "number"), "3")
        assert stored(window).number == "", "a second time takes it back"
        qtbot.keyClick(form.kind, "3")
        assert stored(window).kind == "ulcer"
        assert window.player.playback.rate_fps == window.session.settings["rate_fps"]  # Down did not slow playing down


def test_home_and_end_choose_in_a_box_and_leave_the_frame(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        form = shown_form(qtbot, window)
        choice(form, "segment").setFocus()
        assert window.session.reading is not None
        for key, chosen in ((Qt.Key.Key_End, "rectum"), (Qt.Key.Key_Home, "")):
            qtbot.keyClick(choice(form, "segment"), key)
            assert stored(window).segment == chosen
            assert window.player.frame_index == window.session.reading.place.frame_index == 12


def test_a_new_kind_relabels_its_frames(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        form, reading = new_finding(qtbot, window), window.session.reading
        assert reading is not None
        titles = [form.kind.itemText(row) for row in range(form.kind.count())]
        assert INDENT + "Ulcer" in titles
        assert titles.index("Inflammation") < titles.index(INDENT + "Ulcer")
        choose(form.kind, "ulcer")
        assert stored(window).kind == "ulcer"
        assert [label.name for label in reading.entries.labels] == ["ulcer"]
        press(window, "undo")
        assert stored(window).kind == "polyp"
        assert [label.name for label in reading.entries.labels] == ["polyp"]
        assert form.kind.value == "polyp"


def click_item(qtbot: QtBot, rows: QListWidget, row: int) -> None:
    """Click a row where it lies once it is scrolled into view; what the click highlights is what was aimed at."""
    rows.scrollToItem(rows.item(row))
    qtbot.wait(1)  # what moved since is painted
    rect = rows.visualItemRect(rows.item(row))
    assert rows.viewport().rect().contains(rect.center())
    qtbot.mouseClick(rows.viewport(), LEFT, pos=rect.center())
    assert rows.currentRow() == row


def test_a_key_frame_is_clicked_where_it_is_shown_in_whatever_order_pictures_come(qtbot: QtBot) -> None:
    rows = KeyFrameList()
    qtbot.addWidget(rows)
    rows.resize(240, 90)
    rows.show()
    for number in range(3):
        rows.addItem(f"0:00:0{number}")
    picture = QImage(56, 56, QImage.Format.Format_RGB32)
    for number in (0, 2, 1):
        arrived = rows.item(number)
        rows.show_pictures(lambda item: picture if item is arrived else None)  # noqa: B023 - called at once
        qtbot.wait(1)
    for item in rows.rows:
        assert rows.itemAt(rows.visualItemRect(item).center()) is item


def test_key_frames_come_and_go_with_mouse_and_keys(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        shown_form(qtbot, window)
        strip = window.features.reading.findings.key_frames
        assert stored(window).key_frames == (12,)
        go(qtbot, window, 30)
        press(window, "toggle_key_frame")
        assert stored(window).key_frames == (12, 30)
        go(qtbot, window, 5)
        qtbot.mouseClick(strip.add, LEFT)
        assert stored(window).key_frames == (5, 12, 30)
        wait(qtbot, lambda: not any(strip.list.item(row).icon().isNull() for row in range(3)))
        wait(qtbot, lambda: window.is_idle and window.player.is_settled)
        click_item(qtbot, strip.list, 2)
        wait(qtbot, lambda: window.workspace.reading.place.frame_index == 30)
        strip.list.setFocus()
        qtbot.keyClick(strip.list, Qt.Key.Key_Delete)
        assert stored(window).key_frames == (5, 12)
        press(window, "undo")
        assert stored(window).key_frames == (5, 12, 30)


def test_a_finding_without_key_frames_is_shown_by_its_first_frame(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        shown_form(qtbot, window)
        strip = window.features.reading.findings.key_frames
        press(window, "toggle_key_frame")
        assert stored(window).key_frames == (12,), "the only one stays"
        qtbot.mouseClick(strip.remove, LEFT)
        assert stored(window).key_frames == ()
        assert strip.list.count() == 0
        assert not strip.remove.isEnabled()
        wait(qtbot, lambda: window.workspace.thumbnails.get(stored(window).span.start) is not None)


def test_the_overlay_is_laid_over_key_frames(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with main_window(qtbot, tmp_path) as window:
        form, reading = shown_form(qtbot, window), window.session.reading
        strip = window.features.reading.findings.key_frames
        assert reading is not None
        assert not strip.overlay.isEnabled()  # the field of view is not known
        wait(qtbot, lambda: not strip.list.item(0).icon().isNull())
        plain = strip.picture(12)
        assert plain is not None
        assert reading.flags.stored_cam("polyp", 12) is not None
        assert reading.flags.stored_cam("ulcer", 12) is None
        size = plain.size()
        reading.flags.field_of_view = FieldOfView.full(size.height(), size.width())
        strip.show_finding(form.shown)
        assert strip.overlay.isEnabled()
        qtbot.mouseClick(strip.overlay, LEFT, pos=strip.overlay.rect().center())
        strip.overlay.setChecked(True)
        assert strip.picture(12) == plain, "evidence that is the same everywhere has no contour"
        monkeypatch.setattr(strip, "_cam", lambda _: np.eye(4, dtype=np.float32))
        drawn = strip.picture(12)
        assert drawn is not None
        assert drawn != plain


def test_the_place_follows_the_landmarks_and_the_origin_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        shown_form(qtbot, window)
        panel = window.features.reading.findings
        assert "no landmark before it" in panel.place.text()
        go(qtbot, window, 3)
        annotating.set_landmark(window.session, Region.SMALL_BOWEL)
        assert panel.place.text() == "Place: small bowel, 0 s after the first duodenal frame"
        assert panel.origin.text().startswith("By reader, ")
        assert panel.origin.text().endswith("; suggested by Model 1, not seen before the flag")


def test_a_comment_is_one_step_however_often_it_was_saved(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        form = shown_form(qtbot, window)
        form.comment.setFocus()
        QTest.keyClicks(form.comment, "pale")
        form.save_texts()
        QTest.keyClicks(form.comment, ", sessile")
        form.save_texts()
        assert stored(window).comment == "pale, sessile"
        press(window, "undo")
        assert stored(window).comment == ""
        assert form.comment.toPlainText() == ""


def test_the_form_follows_the_frame_to_its_finding(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        panel = window.features.reading.findings
        for frame in (12, 40):
            new_finding(qtbot, window, frame)
            window.player.setFocus()
        for frame in (12, 40):
            go(qtbot, window, frame)
            wait(
                qtbot,
                lambda: panel.chosen is not None and window.workspace.reading.place.frame_index in panel.chosen.span,
            )
            assert panel.chosen is not None
            assert frame in panel.chosen.span


def test_a_comment_goes_to_the_finding_on_screen(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        panel = window.features.reading.findings
        for frame in (12, 40):
            new_finding(qtbot, window, frame)
            window.features.reading.describing.close_card()
        for row, frame, commented in ((0, 40, 1), (1, 12, 0), (1, 2, 1)):
            go(qtbot, window, frame)
            panel._list.setCurrentRow(row)
            press(window, "comment_finding")
            assert panel._comment.hasFocus()
            wait(qtbot, lambda: window.workspace.reading.place.frame_index in panel._shown[commented].span)  # noqa: B023
            assert panel.chosen == panel._shown[commented]
        go(qtbot, window, 2)
        window.player.setFocus()
        panel._list.setCurrentRow(-1)
        press(window, "comment_finding")
        focused = window.focusWidget()
        assert focused is panel
        labels = len(window.workspace.reading.entries.labels)
        QTest.keyClicks(focused, "3")
        assert len(window.workspace.reading.entries.labels) == labels, "what is typed is no key of the frame"
