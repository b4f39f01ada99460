"""The real window, with a text being typed into one of its fields; `test_killed_while_typing` ends it at any moment.

Run as `python -m tests.wce_desktop.shell.typing_child FOLDER FIELD WAY`; prints a line after each key, or each save.
"""

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.wce_desktop.sessions import add_study, make_session
from wce_desktop.shell.main_window import MainWindow

TEXT = "abcdefghijklmnopqrstuvwxyz" * 10
KEY_MILLISECONDS = 20
"""Too quick for a pause."""


def opened_window(app: QApplication, folder: Path) -> MainWindow:
    session = make_session(folder)
    study = add_study(session, folder)
    window = MainWindow(session)
    window.show()
    window.features.studies.open_study(study)
    while session.reading is None or not window.is_idle:
        app.processEvents()
    return window


def field_of(window: MainWindow, name: str) -> QWidget:
    """The comment of a finding, a field of the patient record, or a text of the report, in the window that shows it."""
    window.menus.actions[{"comment": "new_finding", "record": "edit_record", "report": "show_report"}[name]].trigger()
    if name == "comment":
        return window.features.reading.describing.card.form.comment
    if name == "record":
        return window.features.patients.window.form.fields["indication"]
    report = window.features.report.window
    assert report is not None
    return report.summary.editor


def type_on(parent: QObject, field: QWidget) -> None:
    """Type all of the text without a pause; a line for each key."""
    keys = iter(TEXT)

    def press() -> None:
        QTest.keyClicks(field, next(keys))
        print("key", flush=True)

    timer = QTimer(parent, interval=KEY_MILLISECONDS)
    timer.timeout.connect(press)
    timer.start()


def main(folder: Path, name: str, way: str) -> None:
    """Type the whole text at once and print what is saved, or key by key."""
    app = QApplication([])
    window = opened_window(app, folder)
    field = field_of(window, name)
    field.setFocus()
    if way == "on and on":
        type_on(window, field)
    else:
        window.session.saved.connect(lambda title: print(title, flush=True))
        QTest.keyClicks(field, TEXT)
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
