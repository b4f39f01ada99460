"""The real window on the little study, for tests that press keys."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QMessageBox
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import add_study, make_session
from wce_desktop.core.study import Study
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.plain_text import MessageBox
from wce_desktop.widgets.theme import apply_theme

PATIENCE_MILLISECONDS = 15_000
QUICK_LOOKS = 20


@contextmanager
def main_window(qtbot: QtBot, folder: Path, *, has_study: bool = True, has_model: bool = True) -> Iterator[MainWindow]:
    """The main window, shown, with the scored study open unless told otherwise; closed at the end."""
    session = make_session(folder, has_model=has_model)
    study = add_study(session, folder) if has_study else None
    with window_on(qtbot, session, study) as window:
        yield window


@contextmanager
def window_on(qtbot: QtBot, session: Session, study: Study | None) -> Iterator[MainWindow]:
    """The main window on a session, shown, with this study open; closed at the end."""
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app)
    window = MainWindow(session)
    window.resize(1280, 800)
    window.show()
    qtbot.waitExposed(window)
    try:
        if study is not None:
            window.features.studies.open_study(study)
            wait(qtbot, lambda: session.reading is not None and window.is_idle)
        yield window
    finally:
        window.jobs.shut_down()
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)  # now, not in the next test's event loop


def wait(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    """Let the window work until the condition holds.

    Most waits are over in some milliseconds, and `waitUntil` looks every 10: at first it is looked more often.
    """
    for _ in range(QUICK_LOOKS):
        if condition():
            return
        qtbot.wait(1)
    qtbot.waitUntil(condition, timeout=PATIENCE_MILLISECONDS)


def press(window: MainWindow, action_id: str) -> None:
    """Do what the key of an action does, through the menu's own action."""
    action = window.menus.actions[action_id]
    assert action.isEnabled(), f"{action_id} is greyed out"
    action.trigger()


def answer_input(monkeypatch: pytest.MonkeyPatch, text: str | Callable[[QInputDialog], str]) -> None:
    """Type a text into every dialog that asks for one, and accept it."""

    def accept(dialog: QInputDialog) -> int:
        dialog.setTextValue(text if isinstance(text, str) else text(dialog))
        return 1

    monkeypatch.setattr(QInputDialog, "exec", accept)


def press_sign(shown: ReportWindow, answer: str | None = None) -> list[str]:
    """Acknowledge, press the button, and answer the question (`answer`: the text of a button) if it is asked.

    Returns what was asked.
    """
    asked = []

    def choose(box: MessageBox) -> QMessageBox.StandardButton:
        asked.append(f"{box.text()} {box.informativeText()}")
        yes = QMessageBox.StandardButton.Yes
        return yes if answer is None else box.standardButton(next(b for b in box.buttons() if b.text() == answer))

    for one in (shown.sign_box.flags, shown.sign_box.frames):
        one.box.setChecked(True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MessageBox, "exec", choose)
        QTest.mouseClick(shown.sign_box.button, Qt.MouseButton.LeftButton)
    return asked
