"""The wheel and single keys change nothing in any window, but what the focused widget itself is there for."""

import ast
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QShortcut, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenuBar,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QTabBar,
    QTabWidget,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tests.wce_desktop.controls import CONTROLS, controls, describe, name_of
from tests.wce_desktop.every_window import Walk, rich_window, window_classes
from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.features.embedding_map.view.map_canvas import MapCanvas
from wce_desktop.features.learning.view.train_window import TrainWindow
from wce_desktop.features.reading.view.finding_form import CommentEdit
from wce_desktop.features.reading.view.key_frames import KeyFrameList
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.choice_box import ChoiceBox
from wce_desktop.widgets.inputs import Slider
from wce_desktop.widgets.key_places import gives_keys
from wce_desktop.widgets.number_box import DecimalBox, WholeBox
from wce_desktop.widgets.player.box_editor import BoxEditor
from wce_desktop.widgets.player.frame_view import FrameView
from wce_desktop.widgets.timeline.layers import LayeredWidget

MOVES_WITH_TIME = {"seen_spans", "fast_spans", "reading_speeds"}
ANSWERS_OF_FORMS = {"findings", "report_parts", "patients", "studies"}
"""The tables in which a form keeps what its own field says."""
HISTORY = {"edits", "audit"}
NONE, SHIFT, CONTROL = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier,
)  # fmt: skip
PRINTABLE = "".join(chr(code) for code in range(33, 127))
MOVING = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
)  # fmt: skip
EDITING = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Insert)
PRESSING = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
TEXTS = (QLineEdit, QPlainTextEdit, QTextEdit)
INPUTS = (*TEXTS, QAbstractSpinBox, QComboBox, QAbstractSlider)
RAW = {
    "QComboBox", "QSlider", "QSpinBox", "QDoubleSpinBox", "QDateEdit", "QTimeEdit", "QDateTimeEdit", "QDial",
    "QTabWidget", "QTabBar",
}  # fmt: skip
OWN_CLASSES = ("inputs.py", "number_box.py")
Stored = dict[str, list[tuple[object, ...]]]
Values = dict[QWidget, object]


def stored(window: MainWindow) -> Stored:
    """The whole library, from the database itself, and the settings; without which frames were seen, and where last."""
    folder = window.session.library.folder
    with closing(sqlite3.connect(folder / "library.sqlite")) as base:
        tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: sorted(base.execute(f"SELECT * FROM {name}"), key=repr) for name in tables if name != "studies"}
        columns = [row[1] for row in base.execute("PRAGMA table_info(studies)") if row[1] != "last_frame"]
        rows["studies"] = sorted(base.execute(f"SELECT {', '.join(columns)} FROM studies"), key=repr)
    paths = [path for path in (folder.parent / "settings.json", *folder.glob("*.json")) if path.is_file()]
    files = {path.name: [(path.read_text(encoding="utf-8"),)] for path in paths}
    return {name: found for name, found in (rows | files).items() if name not in MOVES_WITH_TIME}


def changed_tables(before: Stored, after: Stored) -> set[str]:
    return {name for name in before | after if before.get(name) != after.get(name)} - HISTORY


def is_own(widget: QWidget, before: Stored, after: Stored) -> bool:
    """Whether a form kept its own field: one row of one table has changed or was added.

    The kind of a finding is the class of its labels; Delete removes a key frame from their list.
    """
    names = changed_tables(before, after)
    if name_of(widget) == KIND:
        names -= {"labels"}
    elif not isinstance(widget, (*INPUTS, KeyFrameList)):
        return not names
    new = [row for name in names for row in after[name] if row not in before[name]]
    gone = [row for name in names for row in before[name] if row not in after[name]]
    return names <= ANSWERS_OF_FORMS and len(names) <= 1 and len(new) <= 1 and len(gone) <= len(new)


def value(widget: QWidget) -> object:
    match widget:
        case QComboBox():
            return widget.currentIndex()
        case QAbstractSpinBox() | QLineEdit():
            return widget.text()
        case QPlainTextEdit() | QTextEdit():
            return widget.toPlainText()
        case QScrollBar():
            return None
        case QAbstractSlider():
            return widget.value()
        case QAbstractButton():
            return widget.isChecked()
        case QTabBar():
            return widget.currentIndex()
        case QAbstractItemView():
            rows = widget.selectionModel().selectedIndexes() if widget.selectionModel() is not None else []
            return widget.currentIndex().row(), sorted((at.row(), at.column()) for at in rows)
    return None


def values(window: QWidget) -> Values:
    return {one: value(one) for one in window.findChildren(QWidget)}


def turn(widget: QWidget, notches: int, modifiers: Qt.KeyboardModifier, *, is_sideways: bool) -> None:
    at = QPointF(widget.rect().center())
    turned = QPoint(120 * notches, 0) if is_sideways else QPoint(0, 120 * notches)
    no_button, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    where = QPointF(widget.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(widget, QWheelEvent(at, where, QPoint(), turned, no_button, modifiers, phase, False))


KIND = "Kind of the finding"
"""Its labels follow."""
SHARE = "Share of the frames to review"
"""It sets the threshold, and is kept in the settings."""
SETTINGS = {"settings.json"}
FINDINGS = "Findings"
"""The frame of the highlighted row is shown."""
FILL_A_FORM = (QRadioButton, QComboBox)
"""Method and preset in the window of trainings: they fill the parameters below, which are stored when it starts."""
EVERY = 4
TURNS = ((NONE, False), (SHIFT, False), (NONE, True))
WHEEL_IS_THEIRS = (FrameView, BoxEditor, MapCanvas, LayeredWidget)
"""The wheel steps or zooms there; nothing that is stored hangs on it."""


def turned_controls(shown: QWidget) -> list[QWidget]:
    """What the wheel may be over: controls, tabs, lists and whatever is painted."""
    return [
        widget
        for widget in shown.findChildren(QWidget)
        if widget.isVisible()
        and widget.window() is shown
        and not isinstance(widget, (QScrollBar, QLabel, QMenuBar, *WHEEL_IS_THEIRS))
        and (isinstance(widget, (QTabBar, QHeaderView)) or widget.focusPolicy() != Qt.FocusPolicy.NoFocus)
    ]


def test_the_wheel_changes_nothing_in_any_window(qtbot: QtBot, tmp_path: Path) -> None:
    turned: set[type[QWidget]] = set()
    changed: list[str] = []
    count = 0
    is_new = Once()

    def look(shown: QWidget) -> None:
        nonlocal count
        place, kept = window.player.frame_index, stored(window)
        for widget in turned_controls(shown):
            if not is_new(shown, widget):
                continue
            under = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
            turned.add(type(widget))
            count += 1
            for is_focused in (False, True):
                if is_focused:
                    widget.setFocus()
                    if not widget.hasFocus():
                        continue
                before = values(shown)
                for modifiers, is_sideways in TURNS:
                    for notches in (1, -1, -1):
                        turn(under, notches, modifiers, is_sideways=is_sideways)
                now = values(shown)
                changed.extend(
                    f"{type(shown).__name__}: {describe(widget)} changed {describe(one)}"
                    for one in before
                    if now.get(one, before[one]) != before[one]
                )
                if window.player.frame_index != place:
                    changed.append(f"{type(shown).__name__}: {describe(widget)} moved the frame")
                    place = window.player.frame_index
        if names := changed_tables(kept, stored(window)):
            changed.append(f"{type(shown).__name__}: wrote {sorted(names)}")

    with rich_window(qtbot, tmp_path) as window:
        walk = Walk(window, look)
        walk.everything()
    assert changed == []
    assert count > 300
    unseen = {one.__name__ for one in window_classes() - walk.classes}
    assert unseen == set(), "a window that nothing opens needs a line in every_window.FURTHER"
    assert {ChoiceBox, DecimalBox, WholeBox, Slider} <= turned


class Fired:
    """Which actions, shortcuts and buttons of a window fire."""

    def __init__(self, shown: QWidget) -> None:
        self.names: list[str] = []
        for part in (shown, *shown.findChildren(QWidget)):
            for action in part.actions():
                action.triggered.connect(self._noting(f"action {action.text()}"))
            if isinstance(part, QAbstractButton):
                part.clicked.connect(self._noting(describe(part), part))
        for shortcut in shown.findChildren(QShortcut):
            shortcut.activated.connect(self._noting(f"shortcut {shortcut.key().toString()}"))

    def _noting(self, name: str, button: QAbstractButton | None = None) -> Callable[..., None]:
        def note(*_: object) -> None:
            focused = QApplication.focusWidget()
            if button is None or focused is None or not is_of_group(button, focused):
                self.names.append(name)

        return note


def keys_for(widget: QWidget) -> list[tuple[Qt.Key | str, Qt.KeyboardModifier]]:
    """Every single key; those that press or open are left out where that is what the widget is there for."""
    keys: list[tuple[Qt.Key | str, Qt.KeyboardModifier]] = [(char, NONE) for char in PRINTABLE]
    plain = (*MOVING, *EDITING) if isinstance(widget, QAbstractButton) else (*MOVING, *EDITING, *PRESSING)
    keys += [(key, modifiers) for key in plain for modifiers in (NONE, SHIFT)]
    if isinstance(widget, TEXTS):
        keys += [(key, modifiers) for key in (*MOVING[:6], *EDITING[:2]) for modifiers in (CONTROL, CONTROL | SHIFT)]
    return keys


class Once:
    """Says of each control of each window once that it is new."""

    def __init__(self) -> None:
        self._seen: set[tuple[type[QWidget], str]] = set()

    def __call__(self, shown: QWidget, widget: QWidget) -> bool:
        found = type(shown), f"{describe(widget)} {widget.objectName()} {widget.parent()}"
        is_new = found not in self._seen
        self._seen.add(found)
        return is_new


class Sample:
    """All keys for the first controls of a class in a window; of more of them each gets some, and all together all."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[type[QWidget], type[QWidget]]] = Counter()

    def of(self, shown: QWidget, widget: QWidget) -> list[tuple[Qt.Key | str, Qt.KeyboardModifier]]:
        kind = type(shown), type(widget)
        self._counts[kind] += 1
        number = self._counts[kind]
        return keys_for(widget) if number <= EVERY else keys_for(widget)[number % EVERY :: EVERY]


def is_of_group(one: QWidget, other: QWidget) -> bool:
    """Whether arrows move the choice from one button to the other, as radio buttons do it, or both show one value."""
    if isinstance(one, QAbstractButton) and isinstance(other, QAbstractButton):
        group = one.group()
        is_exclusive = one.autoExclusive() and other.autoExclusive() and one.parent() is other.parent()
        return is_exclusive or (group is not None and group is other.group())
    return type(one) is type(other) and name_of(one) == name_of(other)


def others_changed(widget: QWidget, before: Values, after: Values) -> list[QWidget]:
    """The other inputs and buttons with another value. A list shows the details of what is chosen in it."""
    if isinstance(widget, (QAbstractItemView, QTabBar)):
        return []
    changed = [one for one in before if one in after and isValid(one) and before[one] != after[one]]
    kinds = (*INPUTS, QAbstractButton, QTabBar)
    mine = [one for one in changed if one is widget or widget.isAncestorOf(one) or is_of_group(widget, one)]
    return [one for one in changed if isinstance(one, kinds) and one not in mine]


def strike(widget: QWidget, key: Qt.Key | str, modifiers: Qt.KeyboardModifier) -> None:
    if isinstance(key, str):
        QTest.keyClicks(widget, key, modifiers)
    else:
        QTest.keyClick(widget, key, modifiers)
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()


def dismiss_question(shown: QWidget) -> None:
    """Delete in a list asks before it removes: say no."""
    question = QApplication.activeModalWidget()
    if isinstance(question, QMessageBox) and question is not shown:
        question.reject()
    if not shown.isActiveWindow():
        shown.activateWindow()
        QApplication.processEvents()


def test_no_single_key_in_a_control_changes_anything_else(qtbot: QtBot, tmp_path: Path) -> None:
    pressed: set[type[QWidget]] = set()
    changed: list[str] = []
    missed: list[str] = []
    sample = Sample()
    count = 0
    is_new = Once()

    def look(shown: QWidget) -> None:
        nonlocal count
        fired = Fired(shown)
        for widget in controls(shown):
            if not isValid(widget) or not widget.isVisible() or not widget.isEnabled() or gives_keys(widget):
                continue
            if not is_new(shown, widget):
                continue
            dismiss_question(shown)
            widget.setFocus()
            focused = QApplication.focusWidget()
            if focused is None or not widget.hasFocus():
                if isinstance(widget, CONTROLS) and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
                    missed.append(f"{type(shown).__name__}: {describe(widget)}")
                continue
            pages = {one: one.currentIndex() for one in shown.findChildren(QTabWidget)}
            pressed.add(type(widget))
            count += 1
            defaults = [one for one in shown.findChildren(QPushButton) if one.isDefault()]
            for one in defaults:  # Return presses it, as the dialog shows
                one.blockSignals(shown.isModal())
            before, place, seen = stored(window), window.player.frame_index, values(shown)
            fired.names.clear()
            for key, modifiers in sample.of(shown, widget):
                if not isValid(focused) or not focused.isVisible():
                    changed.append(f"{type(shown).__name__}: {key} closed the window in {describe(widget)}")
                    return
                dismiss_question(shown)
                if not focused.hasFocus():
                    focused.setFocus()
                strike(focused, key, modifiers)
                if fired.names:
                    changed.append(f"{type(shown).__name__}: {key} {modifiers} in {describe(widget)}: {fired.names}")
                    fired.names.clear()
            for one in defaults:
                one.blockSignals(False)
            for tabs, page in pages.items():
                tabs.setCurrentIndex(page)
            if not isValid(widget):
                changed.append(f"{type(shown).__name__}: a {type(widget).__name__} is gone")
                continue
            name = f"{type(shown).__name__}: {describe(widget)}"
            after = stored(window)
            if not is_own(widget, before, after) and (
                name_of(widget) != SHARE or changed_tables(before, after) != SETTINGS
            ):
                changed.append(f"{name} wrote {sorted(changed_tables(before, after))}")
            if window.player.frame_index != place and name_of(widget) != FINDINGS:
                changed.append(f"{name} moved the frame")
            fills_form = isinstance(shown, TrainWindow) and isinstance(widget, FILL_A_FORM)
            if not fills_form and name_of(widget) not in (KIND, SHARE):
                changed.extend(f"{name} changed {describe(one)}" for one in others_changed(widget, seen, values(shown)))

    with rich_window(qtbot, tmp_path) as window:
        Walk(window, look).everything()
    assert changed == []
    assert missed == [], missed
    assert count > 400
    assert {ChoiceBox, DecimalBox, WholeBox, Slider, CommentEdit, QLineEdit} <= pressed


@pytest.mark.parametrize("text", ["b", "2", "l"])
def test_a_key_in_a_choice_is_no_action(qtbot: QtBot, tmp_path: Path, text: str) -> None:
    with main_window(qtbot, tmp_path) as window:
        fill(qtbot, window)
        window.right.setCurrentIndex(1)
        (box, *_) = [one for one in window.right.findChildren(QComboBox) if one.isVisible()]
        box.setFocus()
        frame, labels = window.player.frame_index, len(stored(window)["labels"])
        QTest.keyClicks(box, text)
        assert (window.player.frame_index, len(stored(window)["labels"])) == (frame, labels)
        assert not window.player.is_playing
        QTest.keyClick(box, Qt.Key.Key_Escape)
        assert window.player.hasFocus()


def test_enter_in_the_list_of_studies_accepts_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "next_event")
        wait(qtbot, lambda: window.is_idle and bool(window.player.frame_index))
        before = stored(window)
        studies = window.features.studies.panel._list
        for reason in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.TabFocusReason):
            studies.setFocus(reason)
            QTest.keyClick(studies, Qt.Key.Key_Return)
            QTest.keyClick(studies, Qt.Key.Key_Backspace)
            assert stored(window) == before
        window.player.setFocus()
        QTest.keyClick(window.player, Qt.Key.Key_N)
        wait(qtbot, lambda: window.is_idle and bool(window.player.frame_index))
        QTest.keyClick(window.player, Qt.Key.Key_Return)
        wait(qtbot, lambda: stored(window) != before)


@pytest.mark.parametrize("place", ["frame", "detail", "overview"])
def test_a_click_on_the_frame_takes_the_focus_from_a_list(qtbot: QtBot, tmp_path: Path, place: str) -> None:
    with main_window(qtbot, tmp_path) as window:
        timeline = window.workspace.timeline
        clicked = {"frame": window.player.frame_view, "detail": timeline.detail, "overview": timeline.overview}[place]
        window.features.studies.panel._list.setFocus()
        qtbot.mouseClick(clicked, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
        assert window.player.hasFocus()
        QTest.keyClick(window.player, Qt.Key.Key_End)
        wait(qtbot, lambda: bool(window.player.frame_index))


def test_return_presses_no_button_but_the_focused_one(qtbot: QtBot, tmp_path: Path) -> None:
    with rich_window(qtbot, tmp_path) as window:
        press(window, "find_place")
        shown = window.features.places.window
        assert shown is not None
        wait(qtbot, lambda: shown.isActiveWindow() and window.is_idle)
        clicked: list[str] = []
        for button in shown.findChildren(QPushButton):
            button.clicked.connect(lambda *_, button=button: clicked.append(button.text()))
        shown.lists.tabBar().setFocus()
        QTest.keyClick(shown.lists.tabBar(), Qt.Key.Key_Return)
        assert clicked == [], "Qt presses the first button of a dialog, here one that is not even shown"
        shown.pair.together.setFocus()
        before = shown.pair.together.isChecked()
        QTest.keyClick(shown.pair.together, Qt.Key.Key_Return)
        assert shown.pair.together.isChecked() != before


def fill(qtbot: QtBot, window: MainWindow) -> None:
    """A label, a finding and a landmark; the first event is on screen."""
    press(window, "next_event")
    wait(qtbot, lambda: window.is_idle)
    for action_id in ("label_1", "new_finding", "landmark_stomach"):
        press(window, action_id)
    window.player.setFocus()
    wait(qtbot, lambda: window.is_idle)


def test_no_raw_input_widget_is_used() -> None:
    """Those of `widgets.inputs` and `widgets.number_box` leave the wheel to the page."""
    package = Path(__file__).parents[3] / "wce_desktop"
    uses = []
    for path in package.rglob("*.py"):
        if path.name in OWN_CLASSES:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.func] if isinstance(node, ast.Call) else node.bases if isinstance(node, ast.ClassDef) else []
            uses += [f"{path.name}: {one.id}" for one in names if isinstance(one, ast.Name) and one.id in RAW]
    assert uses == []
