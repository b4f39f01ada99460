"""In no window do the wheel or single keys change anything else; none shows an internal id or a study's name alone.

Keys change forms, so they are struck on a walk of their own.
"""

import re
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QInputDialog, QLineEdit, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import wce_desktop
from tests.wce_desktop.every_window import Walk, rich_window, window_classes
from tests.wce_desktop.leaks import keep_home_in, leaks_nothing
from tests.wce_desktop.shell.test_internal_ids import IDS, ids_in, stored_ids
from tests.wce_desktop.shell.window_checks import KeyCheck, Storage, WheelCheck
from tests.wce_desktop.shown_texts import shown_texts
from wce_desktop.features.reading.finding_form import CommentEdit
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.chips import Chips
from wce_desktop.widgets.inputs import ChoiceBox, DecimalBox, Slider, WholeBox


class IdCheck:
    """Looks for internal ids among the texts of a window."""

    def __init__(self, window: MainWindow) -> None:
        self.shown: dict[str, str] = {}
        self.count = 0
        self._folder = window.session.library.folder

    def look(self, shown: QWidget) -> None:
        stored = stored_ids(self._folder)
        for where, text in shown_texts(shown):
            self.count += 1
            for one in ids_in(text, stored):
                self.shown.setdefault(f"{type(shown).__name__}: {where}: {one}", text)


class NameCheck:
    """Looks for studies that are called other than by `shown_name`; where the patient stands beside it, by name."""

    LEFT_OUT = ("WorklistTable", "StudyTable", "RecordTable", "QHeaderView")
    """Tables with a column for the patient, their headers, whose rows are the same, and the question for a name."""

    def __init__(self, window: MainWindow) -> None:
        studies = window.session.library.studies
        self.wrong: dict[str, str] = {}
        self.names = {study.name: study.shown_name for study in (*studies.all(), *studies.second_readings())}

    def look(self, shown: QWidget) -> None:
        for where, text in shown_texts(shown):
            left = text
            for name in self.names.values():
                left = left.replace(name, "")
            is_left_out = where.startswith(self.LEFT_OUT) or isinstance(shown, QInputDialog)
            if not is_left_out and any(name in left for name in self.names):
                self.wrong.setdefault(f"{type(shown).__name__}: {where}", text)


class ButtonCheck:
    """Looks for buttons that do not say what they do, and for icons of the system's."""

    def __init__(self) -> None:
        self.wrong: set[str] = set()
        self.count = 0

    def look(self, shown: QWidget) -> None:
        for button in shown.findChildren(QPushButton):
            self.count += 1
            if button.text().replace("&", "").strip().casefold() in ("ok", "yes", "no"):
                self.wrong.add(f"{shown.windowTitle()}: {button.text()}")
        if isinstance(shown, QMessageBox) and shown.icon() != QMessageBox.Icon.NoIcon:
            self.wrong.add(f"{shown.windowTitle()}: {shown.icon()}")


class Checked:
    """What was seen on one walk through all windows."""

    def __init__(self, window: MainWindow, storage: Storage) -> None:
        self.ids, self.wheel, self.buttons = IdCheck(window), WheelCheck(window, storage), ButtonCheck()
        self.names = NameCheck(window)
        walk = Walk(window, self._look)
        walk.everything()
        self.classes = walk.classes

    def _look(self, shown: QWidget) -> None:
        self.ids.look(shown)
        self.buttons.look(shown)
        self.names.look(shown)
        self.wheel.look(shown)


@pytest.fixture(scope="module")
def checked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Checked:
    folder = tmp_path_factory.mktemp("walk")
    with leaks_nothing(), pytest.MonkeyPatch.context() as patch:
        keep_home_in(folder, patch)
        with rich_window(QtBot(request), folder, IDS) as window, closing(Storage(window)) as storage:
            window.session.library.runs.add("Fine-tuned 1", base_model_id="m1")
            return Checked(window, storage)


def test_the_walk_visits_every_window(checked: Checked) -> None:
    unseen = {one.__name__ for one in window_classes() - checked.classes}
    assert unseen == set(), "a window that nothing opens needs a line in every_window.FURTHER"


def test_no_window_shows_an_internal_id(checked: Checked) -> None:
    assert checked.ids.shown == {}
    assert checked.ids.count > 5000


def test_every_window_names_a_study_by_patient_and_date(checked: Checked) -> None:
    assert "K1 · 2026-01-02 · Mrs one" in checked.names.names.values()
    assert checked.names.wrong == {}


def test_buttons_are_verbs_and_dialogs_have_no_stock_icons(checked: Checked) -> None:
    assert checked.buttons.wrong == set()
    assert checked.buttons.count > 100
    stock = re.compile(r"QMessageBox\.(question|warning|information|critical)\(|QInputDialog\.get|StandardButton\.Ok")
    package = Path(wce_desktop.__file__).parent
    assert [str(path) for path in package.rglob("*.py") if stock.search(path.read_text(encoding="utf-8"))] == []


def test_the_wheel_changes_nothing_in_any_window(checked: Checked) -> None:
    assert checked.wheel.changed == []
    assert checked.wheel.count > 300
    assert {ChoiceBox, DecimalBox, WholeBox, Slider} <= checked.wheel.turned


def test_no_single_key_in_a_control_changes_anything_else(qtbot: QtBot, tmp_path: Path) -> None:
    with rich_window(qtbot, tmp_path) as window, closing(Storage(window)) as storage:
        keys = KeyCheck(window, storage)
        Walk(window, keys.look).everything()
    assert keys.changed == []
    assert keys.missed == []
    assert keys.count > 400
    assert {ChoiceBox, Chips, DecimalBox, WholeBox, Slider, CommentEdit, QLineEdit} <= keys.pressed
