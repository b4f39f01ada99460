"""What is done in every window that a walk visits: the wheel is turned, and single keys are struck, in each control."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import cache
from typing import Any

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
from shiboken6 import isValid

from tests.wce_desktop.controls import CONTROLS, controls, describe, name_of
from wce_desktop.features.embedding_map.map_canvas import MapCanvas
from wce_desktop.features.learning.view.train_window import TrainWindow
from wce_desktop.features.reading.key_frames import KeyFrameList
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.chips import Chips
from wce_desktop.widgets.key_texts import gives_keys
from wce_desktop.widgets.player.box_editor import BoxEditor
from wce_desktop.widgets.player.frame_view import FrameView
from wce_desktop.widgets.timeline.lane import Lane

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
INPUTS = (*TEXTS, QAbstractSpinBox, QComboBox, QAbstractSlider, Chips)
Stored = dict[str, list[tuple[object, ...]]]
Values = dict[QWidget, object]


class Storage:
    """The whole library, from the database itself, and the settings; without which frames were seen, and where last."""

    def __init__(self, window: MainWindow) -> None:
        self._folder = window.session.library.folder
        self._base = sqlite3.connect(self._folder / "library.sqlite")
        self._version = -1
        self._rows: Stored = {}

    def read(self) -> Stored:
        """What is stored; the database is read anew where something was written into it since the last time."""
        (version,) = self._base.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version, self._rows = version, self._read_rows()
        paths = [
            path for path in (self._folder.parent / "settings.json", *self._folder.glob("*.json")) if path.is_file()
        ]
        return self._rows | {path.name: [(path.read_text(encoding="utf-8"),)] for path in paths}

    def close(self) -> None:
        self._base.close()

    def _read_rows(self) -> Stored:
        base = self._base
        tables = {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        columns = [row[1] for row in base.execute("PRAGMA table_info(studies)") if row[1] != "last_frame"]
        chosen = dict.fromkeys(tables - MOVES_WITH_TIME, "*") | {"studies": ", ".join(columns)}
        return {name: sorted(base.execute(f"SELECT {what} FROM {name}"), key=repr) for name, what in chosen.items()}


def stored(window: MainWindow) -> Stored:
    """The same, once."""
    with closing(Storage(window)) as storage:
        return storage.read()


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


def highlighted(view: QAbstractItemView) -> object:
    rows = view.selectionModel().selectedIndexes() if view.selectionModel() is not None else []
    return view.currentIndex().row(), sorted((at.row(), at.column()) for at in rows)


READINGS: tuple[tuple[type | tuple[type, ...], Callable[[Any], object] | None], ...] = (
    (QComboBox, lambda box: box.currentIndex()),
    ((QAbstractSpinBox, QLineEdit), lambda field: field.text()),
    ((QPlainTextEdit, QTextEdit), lambda field: field.toPlainText()),
    (QScrollBar, None),
    (QAbstractSlider, lambda slider: slider.value()),
    (QAbstractButton, lambda button: button.isChecked()),
    (QTabBar, lambda bar: bar.currentIndex()),
    (QAbstractItemView, highlighted),
)


@cache
def reading_of(kind: type[QWidget]) -> Callable[[Any], object] | None:
    """What reads the value of a widget of this class; None: it has none."""
    return next((read for kinds, read in READINGS if issubclass(kind, kinds)), None)


def values(window: QWidget) -> Values:
    widgets = window.findChildren(QWidget)
    readings = ((one, reading_of(type(one))) for one in widgets)  # type: ignore[arg-type]  # a class has a hash
    return {one: read(one) for one, read in readings if read is not None}


def turn(widget: QWidget, notches: int, modifiers: Qt.KeyboardModifier, *, is_sideways: bool) -> None:
    at = QPointF(widget.rect().center())
    turned = QPoint(120 * notches, 0) if is_sideways else QPoint(0, 120 * notches)
    no_button, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    where = QPointF(widget.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(widget, QWheelEvent(at, where, QPoint(), turned, no_button, modifiers, phase, False))


KIND = "Kind of the finding"
"""Its labels follow."""
EXPERIMENT = "Experiment"
"""What can be chosen for it follows."""
SHARE = "Share of the frames to review"
"""It sets the threshold, and is kept in the settings."""
SETTINGS = {"settings.json"}
FINDINGS = "Findings"
"""The frame of the highlighted row is shown."""
FILL_A_FORM = (QRadioButton, QComboBox)
"""Method and preset in the window of trainings: they fill the parameters below, which are stored when it starts."""
EVERY = 4
TURNS = ((NONE, False), (SHIFT, False), (NONE, True))
WHEEL_IS_THEIRS = (FrameView, BoxEditor, MapCanvas, Lane)
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


class WheelCheck:
    """Turns the wheel over every control of a window."""

    def __init__(self, window: MainWindow, storage: Storage) -> None:
        self.turned: set[type[QWidget]] = set()
        self.changed: list[str] = []
        self.count = 0
        self._window, self._storage = window, storage
        self._is_new = Once()

    def look(self, shown: QWidget) -> None:
        kept = self._storage.read()
        self._place = self._window.player.frame_index
        for widget in turned_controls(shown):
            if isValid(widget) and self._is_new(shown, widget):
                self.turned.add(type(widget))
                self.count += 1
                self._turn_over(shown, widget)
                if isValid(widget):
                    widget.setFocus()
                if isValid(widget) and widget.hasFocus():
                    self._turn_over(shown, widget)
        if names := changed_tables(kept, self._storage.read()):
            self.changed.append(f"{type(shown).__name__}: wrote {sorted(names)}")

    def _turn_over(self, shown: QWidget, widget: QWidget) -> None:
        under = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
        name, before = f"{type(shown).__name__}: {describe(widget)}", values(shown)
        for modifiers, is_sideways in TURNS:
            for notches in (1, -1, -1):
                if isValid(under):
                    turn(under, notches, modifiers, is_sideways=is_sideways)
        now = values(shown)
        self.changed += [
            f"{name} changed {describe(one)}" for one in before if now.get(one, before[one]) != before[one]
        ]
        if self._window.player.frame_index != self._place:
            self.changed.append(f"{name} moved the frame")
            self._place = self._window.player.frame_index


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


class KeyCheck:
    """Strikes every single key in every control of a window."""

    def __init__(self, window: MainWindow, storage: Storage) -> None:
        self.pressed: set[type[QWidget]] = set()
        self.changed: list[str] = []
        self.missed: list[str] = []
        self.count = 0
        self._window, self._storage = window, storage
        self._sample, self._is_new = Sample(), Once()

    def look(self, shown: QWidget) -> None:
        fired = Fired(shown)
        for widget in controls(shown):
            if isValid(widget) and isinstance(widget.parentWidget(), QLineEdit):
                continue  # what is typed on the button of a field is typed into the field
            if not isValid(widget) or not widget.isVisible() or not widget.isEnabled() or gives_keys(widget):
                continue
            if not self._is_new(shown, widget):
                continue
            dismiss_question(shown)
            widget.setFocus()
            if QApplication.focusWidget() is None or not widget.hasFocus():
                if isinstance(widget, CONTROLS) and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
                    self.missed.append(f"{type(shown).__name__}: {describe(widget)}")
                continue
            self.pressed.add(type(widget))
            self.count += 1
            if not self._strike_all(shown, widget, fired):
                return

    def _strike_all(self, shown: QWidget, widget: QWidget, fired: Fired) -> bool:
        """Whether the window is still there after all keys in one control."""
        pages = {one: one.currentIndex() for one in shown.findChildren(QTabWidget)}
        defaults = [one for one in shown.findChildren(QPushButton) if one.isDefault()]
        for one in defaults:  # Return presses it, as the dialog shows
            one.blockSignals(shown.isModal())
        before, place, seen = self._storage.read(), self._window.player.frame_index, values(shown)
        if not self._strike_each(shown, widget, fired):
            return False
        for one in defaults:
            one.blockSignals(False)
        for tabs, page in pages.items():
            tabs.setCurrentIndex(page)
        if isValid(widget):
            self._compare(shown, widget, before, seen)
            if self._window.player.frame_index != place and name_of(widget) != FINDINGS:
                self.changed.append(f"{type(shown).__name__}: {describe(widget)} moved the frame")
        else:
            self.changed.append(f"{type(shown).__name__}: a {type(widget).__name__} is gone")
        return True

    def _strike_each(self, shown: QWidget, widget: QWidget, fired: Fired) -> bool:
        focused = QApplication.focusWidget()
        fired.names.clear()
        for key, modifiers in self._sample.of(shown, widget):
            if focused is None or not isValid(focused) or not focused.isVisible():
                self.changed.append(f"{type(shown).__name__}: {key} closed the window in {describe(widget)}")
                return False
            dismiss_question(shown)
            if not focused.hasFocus():
                focused.setFocus()
            strike(focused, key, modifiers)
            if fired.names:
                name = f"{type(shown).__name__}: {key} {modifiers} in {describe(widget)}"
                self.changed.append(f"{name}: {fired.names}")
                fired.names.clear()
        return True

    def _compare(self, shown: QWidget, widget: QWidget, before: Stored, seen: Values) -> None:
        name, after = f"{type(shown).__name__}: {describe(widget)}", self._storage.read()
        names = changed_tables(before, after)
        if not is_own(widget, before, after) and (name_of(widget) != SHARE or names != SETTINGS):
            self.changed.append(f"{name} wrote {sorted(names)}")
        fills_form = isinstance(shown, TrainWindow) and isinstance(widget, FILL_A_FORM)
        if not fills_form and name_of(widget) not in (KIND, SHARE, EXPERIMENT):
            others = others_changed(widget, seen, values(shown))
            self.changed += [f"{name} changed {describe(one)}" for one in others]
