"""Every window and dialog of the program on a library with some of everything, opened one after another.

Windows are found by what opens them: the actions of the menus, and the buttons and menus of each window whose text ends
with "…". The few that nothing of the kind opens are made by `FURTHER`.
"""

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QMainWindow,
    QMenu,
    QMessageBox,
    QPushButton,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

import wce_desktop
from tests.wce_desktop.alike_samples import alike_session
from tests.wce_desktop.job_samples import running_job
from tests.wce_desktop.sessions import write_model
from tests.wce_desktop.windows import PATIENCE_MILLISECONDS, press, wait, window_on
from training.datasets.annotations.reading import read_annotations
from training.runs.reporter import SilentReporter
from wce_desktop.core.annotation.change import Add, Item, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.report_part import ReportPart
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.span import Span
from wce_desktop.features.exchange.images_dialog import ImagesDialog
from wce_desktop.features.exchange.import_dialogs import AnswersDialog
from wce_desktop.features.exchange.import_review import importable_names
from wce_desktop.features.job_list.feature import ClosingQuestion
from wce_desktop.features.neighbours.errors_grid import ErrorsWindow
from wce_desktop.features.neighbours.neighbour_strip import FilterBox
from wce_desktop.features.patients.feature import ErasingDialog
from wce_desktop.features.report.amend_dialog import AmendDialog
from wce_desktop.features.report.key_desk import KeyDialog
from wce_desktop.features.report.model.parts import TextBlock, write_blocks
from wce_desktop.features.sharing.unsent import UnsentDialog
from wce_desktop.features.studies.importing import OwnEmbeddingsDialog
from wce_desktop.library.exchange import AnnotationChoice, read_labelled_folder, reader_for, survey
from wce_desktop.library.sharing.journal import Entry, Journal
from wce_desktop.session.actions import ACTIONS
from wce_desktop.session.removing import RemovalFacts
from wce_desktop.session.session import Session
from wce_desktop.shell.first_start import FirstStartDialog
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.shell.restore_dialog import RestoreDialog
from wce_desktop.widgets.dialogs import PassphraseDialog

OPENS_NO_WINDOW = {
    "quit", "open_demo", "finish_reading", "score_study", "score_all", "only_frame", "open_files", "open_folder",
    "locate_study", "import_reading", "export_reading", "add_model", "export_model", "find_like_image", "export_coco",
    "lock_library",
}  # fmt: skip
"""They close or change the window, start a job, or open no dialog but that of the system for files."""
OPENS_A_WINDOW = {"find_action", "about"}
LOOK_MILLISECONDS = 5
Visit = Callable[[QWidget], object]


def window_classes() -> set[type[QWidget]]:
    """The classes of windows in the code of the program, without those that others only derive from."""
    for module in pkgutil.walk_packages(wce_desktop.__path__, "wce_desktop."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: set[type[QWidget]] = set()
    waiting: list[type[QWidget]] = [QDialog, QMainWindow, QMessageBox]
    while waiting:
        below = waiting.pop().__subclasses__()
        ours = (each for each in below if each.__module__.startswith("wce_desktop"))
        found |= {each for each in ours if not each.__name__.endswith("Base")}
        waiting += below
    return found


def fill(session: Session, ids: Mapping[str, str]) -> None:
    """Some of everything that a reader enters; `ids` are other ids of the studies."""
    library = session.library
    one, two = (ids.get(name, name) for name in ("one", "two"))
    library.models.register(write_model(library.folder.parent / "models", "m2", 0.5), title="Model 2")
    spans = {"polyp": Span(14, 16), "blood": Span(4, 8)}
    for study_id in (one, two):
        findings = [
            Finding(f"f-{study_id}-{name}", study_id, name, span, comment=f"a {name}", key_frames=(span.start,))
            for name, span in spans.items()
        ]
        labels = [
            Label(f"l-{study_id}-{name}", study_id, span, name, finding_id=f"f-{study_id}-{name}")
            for name, span in spans.items()
        ]
        places = [(Region.STOMACH, 1), (Region.SMALL_BOWEL, 3), (Region.COLON, 20)]
        landmarks = [Landmark(f"m-{study_id}-{at}", study_id, region, at) for region, at in places]
        parts = [
            ReportPart.new(study_id=study_id, kind="lewis", content={"villi-1": "normal", "ulcers-1": "none"}),
            ReportPart.new(study_id=study_id, kind="texts", content={"summary": "A polyp.", "recommendation": "Look"}),
        ]
        box = Box(f"b-{study_id}", study_id, 14, 20, 20, 40, 40, "polyp")
        no = Label(f"n-{study_id}", study_id, Span(10, 12), "ulcer", answer="no")
        items: list[Item] = [*findings, *labels, no, *landmarks, *parts, box]
        library.annotations.edit(study_id, "everything", [Add(item) for item in items])
    same = Link.new(study_id=one, frame_index=14, other_study_id=two, other_frame_index=15, is_same=True)
    library.annotations.edit(one, "link", [Add(same)])
    record = library.studies.record(one)
    named = replace(record, pseudonym="K1", birth_year=1950, sex="female", indication="Anaemia", capsule="SB3")
    named = replace(named, exam_date="2026-01-02")
    library.annotations.edit(one, "record", [Replace(record, named)])
    second = library.studies.add_second(one, "Bea")
    library.annotations.edit(second.study_id, "label", [Add(Label("l-second", second.study_id, Span(3, 9), "blood"))])
    library.studies.update(second.study_id, state="finished")
    write_blocks(library.folder, [TextBlock("Normal", "Normal study.")])


def answers_dialog(window: MainWindow) -> QWidget:
    """What is asked about annotations that do not say enough."""
    folder = window.session.library.folder.parent / "labelme"
    folder.mkdir(exist_ok=True)
    shape = {"label": "Foam", "points": [[1, 2], [10, 12]], "shape_type": "rectangle"}
    document = {"version": "5.0", "shapes": [shape], "imagePath": "frame_3.png", "imageWidth": 64, "imageHeight": 64}
    (folder / "frame_3.json").write_text(json.dumps(document), encoding="utf-8")
    studies, vocabulary = window.session.library.studies.all(), window.session.vocabulary
    names = importable_names(vocabulary)
    asked = survey(read_annotations(folder / "frame_3.json"), studies, names, AnnotationChoice())
    return AnswersDialog(asked, studies, names, vocabulary, window)


def images_dialog(window: MainWindow) -> QWidget:
    """What a folder of labelled images would add."""
    folder = window.session.library.folder.parent / "labelled"
    folder.mkdir(exist_ok=True)
    for number in range(1, 4):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((16, 16, 3), 40 * number, np.uint8))
    rows = "filename,label,source\n1.png,normal,A\n2.png,Foam,B\n3.png,polyp|ulcer,A\n"
    (folder / "labels.csv").write_text(rows, encoding="utf-8")
    vocabulary = window.session.vocabulary
    names = importable_names(vocabulary)
    data_set = reader_for(folder, names)
    assert data_set is not None
    labelled = read_labelled_folder(folder, data_set, SilentReporter())
    return ImagesDialog(labelled, names, vocabulary, may_open=True, parent=window)


def unsent_edits(window: MainWindow) -> Journal:
    """An edit that waits for the server, and one that was refused."""
    journal = Journal(window.session.library.folder.parent / "journal.jsonl")
    for when, refused in (
        ("2026-01-31T12:00:00", ""),
        ("2026-01-31T12:00:05", "Nothing was saved."),
    ):
        journal.add(Entry(when, "Label 3 frames", "reader", {}, None, refused))
    return journal


FURTHER: tuple[Callable[[MainWindow], QWidget], ...] = (
    answers_dialog,
    images_dialog,
    lambda window: OwnEmbeddingsDialog(Path("P03.npz"), window.session.library.studies.all(), ["vit-s14"], "", window),
    lambda window: ErrorsWindow(window.session.vocabulary, window.features.neighbours.pictures.get, window),
    lambda window: UnsentDialog(unsent_edits(window), window),
    lambda window: ClosingQuestion([running_job()], window),
    lambda window: FirstStartDialog(window.session.library.folder.parent / "another"),
    lambda window: RestoreDialog(window.session.library.folder, "Something is missing.", is_open=True),
    lambda window: FilterBox(window.session.vocabulary, window),
    lambda window: ErasingDialog(RemovalFacts(window.session.library.studies.all()[:1], "3 labels", (), {}), window),
    lambda window: AmendDialog("Version 1 stays.", "", ["Size: “7 mm”, now “9 mm”"], "", window),
    lambda window: PassphraseDialog("Signature key", "Dr Jones", ("Passphrase",), print, ok="Sign", parent=window),
    lambda window: KeyDialog(
        "Signature key 2d08 01c8, encrypted with a passphrase.",
        lambda *_: None,
        asks_old=True,
        has_key=True,
        parent=window,
    ),
)
"""Make the windows that no action of the window opens."""


@contextmanager
def rich_window(qtbot: QtBot, folder: Path, ids: Mapping[str, str] | None = None) -> Iterator[MainWindow]:
    """The main window on a library with some of everything; a suggestion is on screen.

    Args:
        ids: other ids of the studies "one", "two", "three" and their patients "pa", "pb".
    """
    given = ids or {}
    session = alike_session(folder, ids=given)
    fill(session, given)
    one, three = (given.get(name, name) for name in ("one", "three"))
    with window_on(qtbot, session, session.library.studies.get(one)) as window:
        press(window, "next_event")
        press(window, "toggle_neighbours")
        session.select_frames(FrameSelection({one: [4, 5], three: [6]}))
        window.features.reading.findings._list.setCurrentRow(0)
        wait(qtbot, lambda: window.is_idle)
        window.player.setFocus()
        yield window


class Walk:
    """Opens windows, visits each with each of its tabs, and closes them again."""

    def __init__(self, window: MainWindow, visit: Visit) -> None:
        self.visited: list[QWidget] = []
        self.classes: set[type[QWidget]] = set()
        self._window, self._visit = window, visit
        self._at: list[QWidget] = [window]
        self._pressed: set[str] = set()

    def everything(self) -> None:
        """The main window and all others."""
        self.open(lambda: self._look(self._window))
        for row in ACTIONS:
            action = self._window.menus.actions[row.action_id]
            opens = row.title.endswith("…") or row.action_id.startswith("show_") or row.action_id in OPENS_A_WINDOW
            if opens and action.isEnabled() and row.action_id not in OPENS_NO_WINDOW:
                self.open(action.trigger)
        for make in FURTHER:
            shown = make(self._window)
            self.open(shown.open if isinstance(shown, QDialog) else shown.show)
            shown.deleteLater()

    def open(self, step: Callable[[], object]) -> None:
        """Take a step, and visit and close the windows that it opens, also those that it waits for."""
        before = set(self._tops())
        timer = QTimer(self._window, interval=LOOK_MILLISECONDS)
        timer.timeout.connect(self._look_at_modal)
        timer.start()
        step()
        self._work_until(lambda: self._window.is_idle)
        timer.stop()
        timer.deleteLater()
        for shown in self._tops():
            if shown not in before and shown.isVisible():
                self._look(shown)
                self._close(shown)

    def _work_until(self, condition: Callable[[], bool]) -> None:
        deadline = QDeadlineTimer(PATIENCE_MILLISECONDS)
        QApplication.processEvents()
        while not condition() and not deadline.hasExpired():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def _look_at_modal(self) -> None:
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
        shown = QApplication.activeModalWidget()
        if shown is not None and shown not in self._at:
            self._look(shown)
            self._close(shown)

    def _close(self, shown: QWidget) -> None:
        if isValid(shown):
            shown.reject() if isinstance(shown, QDialog) else shown.close()

    def _tops(self) -> list[QWidget]:
        tops = [one for one in QApplication.topLevelWidgets() if one.isVisible() and not isinstance(one, QMenu)]
        return [one for one in tops if isinstance(one, (QDialog, QMainWindow)) or one.windowTitle()]

    def _look(self, shown: QWidget) -> None:
        if isinstance(shown, QFileDialog):
            return
        self._at.append(shown)  # before waiting: timers of the windows below see it too
        shown.activateWindow()
        self._work_until(shown.isActiveWindow)
        is_new = type(shown) not in self.classes
        self.classes.add(type(shown))
        self.visited.append(shown)
        tabs = [one for one in shown.findChildren(QTabWidget) if one.isVisible()]
        for one in tabs:
            chosen = one.currentIndex()
            for at in range(one.count()):
                if one.isTabEnabled(at) and at != chosen:
                    one.setCurrentIndex(at)
                    QApplication.processEvents()
                    self._visit(shown)
            one.setCurrentIndex(chosen)
        QApplication.processEvents()
        self._visit(shown)
        if is_new and shown.isVisible():
            self._press_openers(shown)
        self._at.remove(shown)

    def _press_openers(self, shown: QWidget) -> None:
        """The buttons, and the rows of their menus, that open a further window."""
        for button in shown.findChildren(QAbstractButton):
            if not isValid(button) or not button.isVisible() or not button.isEnabled():
                continue
            menu = button.menu() if isinstance(button, (QPushButton, QToolButton)) else None
            if menu is not None:
                menu.aboutToShow.emit()
            rows = [(row.text(), row.trigger) for row in menu.actions()] if menu is not None else []
            for text, step in rows or [(button.text(), button.click)]:
                name = f"{type(shown).__name__}: {text}"
                if text.endswith("…") and name not in self._pressed:
                    self._pressed.add(name)
                    self.open(step)
