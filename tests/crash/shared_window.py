"""A real window on a library on a server, driven from outside; it notes what it showed as saved.

    python -m tests.crash.shared_window FOLDER ADDRESS STUDY

FOLDER/commands holds a command a line: `open STUDY`, `sign`. FOLDER/ledger.jsonl gets a line for each study that was
opened, each edit, each press of *Sign* and each signed report that the window showed. FOLDER/signing is there while a
report is being signed, and holds something once *Sign* was pressed.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit

from tests.wce_desktop.windows import press_sign
from training.errors import UserError
from wce_desktop.core.annotation.change import Edit, item_id, items_of
from wce_desktop.features.report.amend_dialog import AmendDialog
from wce_desktop.library.storage import database, server
from wce_desktop.shell import application
from wce_desktop.shell.main_window import MainWindow

LEDGER, COMMANDS, SIGNING = "ledger.jsonl", "commands", "signing"
LOOK_MILLISECONDS = 50
SIGN_SECONDS, SIGN_AGAIN_SECONDS = 30.0, 1.0
"""How long it tries to sign a report, and how long it waits between two presses."""


class Driven:
    """Does the commands in a window, and notes what it shows."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self._window, self._folder = window, folder
        self._commands = (folder / COMMANDS).open()
        self._commands.seek(0, 2)  # those of a killed window are over
        self._sign_until = self._sign_next = 0.0
        self._study_id = ""
        session = window.session
        session.annotations_changed.connect(self._note_edit)
        session.study_opened.connect(lambda: self._note({"open": session.reading and session.reading.study.study_id}))
        self._timer = QTimer(window, interval=LOOK_MILLISECONDS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _note(self, line: dict[str, Any]) -> None:
        with (self._folder / LEDGER).open("a") as file:
            file.write(json.dumps({"at": database.now_utc()} | line) + "\n")

    def _note_edit(self, edit: Edit | None) -> None:
        if edit is not None:
            items = [list(item) for item in _items(edit)]
            self._note({"when": edit.when_utc, "title": str(edit.title), "items": items})

    def _look(self) -> None:
        """Do what is asked."""
        if QApplication.activeModalWidget() is not None:
            return
        self._note_signed()
        try:
            for command in self._commands:
                verb, _, study_id = command.strip().partition(" ")
                if verb == "open" and not self._sign_until:
                    self._window.features.studies.open_study(self._window.session.library.studies.get(study_id))
                elif verb == "sign" and not self._sign_until:
                    self._sign_until = time.monotonic() + SIGN_SECONDS
            if self._sign_until and not self._is_busy:
                self._mark()
                if time.monotonic() > self._sign_next:
                    self._sign_next = time.monotonic() + SIGN_AGAIN_SECONDS
                    self._sign()
        except UserError as error:  # the server is away: it tries again
            self._note({"refused": str(error)})
        if self._sign_until and time.monotonic() > self._sign_until:
            self._end_signing()

    @property
    def _is_busy(self) -> bool:
        """Whether pages are made, or the report is being signed."""
        return self._window.features.report.is_busy

    def _mark(self) -> None:
        """Tell who cuts the server off that a report is to be signed, and whether this is being done."""
        (self._folder / SIGNING).write_text("pressed" if self._is_busy else "")

    def _end_signing(self) -> None:
        """Close the report: keys go to the study again."""
        shown = self._window.features.report.window
        if self._sign_until > SIGN_SECONDS:
            why = shown.problem.text() if shown is not None else "the report was not shown"
            self._note({"refused": why or "it was not signed in time"})
        self._sign_until = 0.0
        if shown is not None:
            shown.hide()
        (self._folder / SIGNING).unlink(missing_ok=True)

    def _sign(self) -> None:
        """Sign, or amend what was signed; then sign."""
        shown = self._window.features.report.window
        if shown is None or not shown.isVisible():  # the server was away
            self._window.menus.actions["show_report"].trigger()
            return
        if shown.sign_box.button.isVisibleTo(shown):
            shown.sign_box.reader.setText(self._window.session.library.reader)
            self._study_id = self._window.workspace.reading.study.study_id
            self._note({"press": self._study_id})
            press_sign(shown)
            self._mark()
        elif shown.sign_box.amend.isVisibleTo(shown):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(AmendDialog, "exec", _give_reason)
                shown.sign_box.amend.click()

    def _note_signed(self) -> None:
        """Note a version that the report's window calls signed."""
        shown = self._window.features.report.window
        if shown is None or " was signed and kept" not in shown.message.text():
            return
        version = int(shown.message.text().split()[1].replace(",", ""))
        self._note({"signed": [self._study_id, version]})
        shown.show_message("")
        self._sign_until = 1.0


def _give_reason(dialog: AmendDialog) -> QDialog.DialogCode:
    editor = dialog.findChild(QPlainTextEdit)
    assert editor is not None
    editor.setPlainText("Labels were added")
    return QDialog.DialogCode.Accepted


def _items(edit: Edit) -> Iterator[tuple[str, str]]:
    for change in edit.changes:
        *_, item = items_of([change])
        yield change.verb, item_id(item)


def _close_question() -> None:
    """Leave a question that the window asks by itself unanswered, such as one about refused edits at its start."""
    if isinstance(dialog := QApplication.activeModalWidget(), QDialog):
        dialog.reject()


def main(folder: Path, address: str, study_id: str) -> int:
    """Show the window until it is closed."""
    app = application.make_application()
    closing = QTimer(app, interval=LOOK_MILLISECONDS)
    closing.timeout.connect(_close_question)
    closing.start()
    patch = pytest.MonkeyPatch()
    patch.setattr(QDesktopServices, "openUrl", lambda _: True)  # keys open signed versions: no other program is wanted
    try:
        session = application.open_session(server.folder_of(address))
    except UserError as error:  # it cannot open while the server recovers
        print(error, file=sys.stderr)
        return 1
    session.settings.set("score_when_opened", False)
    session.settings.set("keep_model_ready", False)
    session.settings.set("desk", "research")
    window = MainWindow(session)
    driven = Driven(window, folder)
    window.showMaximized()
    window.features.studies.open_study(session.library.studies.get(study_id))
    code = int(app.exec())
    del driven
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
