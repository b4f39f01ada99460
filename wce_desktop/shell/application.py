"""Starts and ends the program: Qt, log, library, window, and optional screenshot."""

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontMetrics, QIcon
from PySide6.QtWidgets import QApplication

from training.errors import UserError
from training.files import stores
from training.files.scratch import remove_abandoned
from training.files.terminal import print_lines
from wce_desktop.core.identity import is_on_server
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.safekeeping.library_dialogs import ask_to_unlock
from wce_desktop.library import DamagedLibraryError, Library
from wce_desktop.library.sharing.journal import Journal
from wce_desktop.library.storage import encrypting, key_file
from wce_desktop.session import places
from wce_desktop.session.classes import library_vocabulary
from wce_desktop.session.demo import ensure_model
from wce_desktop.session.session import Session
from wce_desktop.session.settings import Settings
from wce_desktop.shell.appearance import follow_system, scale_text, show_theme, use_language
from wce_desktop.shell.ending import OrderlyEnd, carry_out
from wce_desktop.shell.first_start import Opening, ask_first, ask_reader, is_first_start
from wce_desktop.shell.logging_setup import CrashNotes, catch_bugs, start_logging
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.shell.restore_dialog import RestoreDialog, restore_copy
from wce_desktop.shell.screenshot import Screenshot
from wce_desktop.widgets import theme, window_size
from wce_desktop.widgets.plain_text import show_notice
from wce_desktop.workspace import error_for_reader

NETWORK = to_translate(
    "The library lies on a network share ({kind}): it is slower, and labels cannot be saved while the share is gone. "
    "Copy its backups to another disk (Study, Library, Backups)."
)
SCRATCH_KINDS = ("job", "answers", "library", "frames", "evolution", "neighbours", "report", "model")
"""The temporary folders of windows and jobs; see `training.files.scratch`."""


SWITCH_SECONDS = 0.0005
"""After how long a thread that computes in Python lets the window's thread go on: ten times as soon as Python's own
choice, since painting waits for it again and again."""


def make_application() -> QApplication:
    """The QApplication with its theme."""
    sys.setswitchinterval(SWITCH_SECONDS)
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(["wce-desktop"])
    app.setApplicationName("wce-desktop")
    app.setWindowIcon(QIcon(str(places.resources_folder() / "icons" / "wce-desktop.svg")))
    theme.apply_theme(app)
    return app


def check_fonts() -> None:
    """`UserError` where the system has no font: every text would be empty."""
    if not QFontMetrics(QApplication.font()).inFont("a"):  # families() lists names that stand for no font, too
        raise UserError(
            "wce-desktop cannot start because no fonts are installed.",
            "Install some; on Debian or Ubuntu: sudo apt-get install fonts-dejavu-core fontconfig.",
        )


def open_session(folder: Path) -> Session:
    """Open a library with its settings; `UserError` says why it cannot be opened."""
    settings = Settings(places.settings_file(folder))
    vocabulary = library_vocabulary(folder)
    library = Library.open(folder, settings["reader"] or places.account_name())
    if library.is_on_server:
        library.journal = Journal.of(places.settings_file(folder).parent, library.account)
    return Session(library, settings, vocabulary)


def open_session_or_backup(folder: Path, *, may_ask: bool = True) -> Session:
    """Open a library; if it is damaged, missing or has less than its backup, offer backups."""
    try:
        folder = folder.expanduser().resolve()
        is_unlocked = is_on_server(folder) or not key_file.is_locked(folder) or (may_ask and ask_to_unlock(folder))
        if not is_unlocked and not encrypting.is_replaced(folder):
            raise UserError("The library in {folder} is locked.", "Start again and enter its passphrase.", folder)
        session = open_session(folder)
    except DamagedLibraryError as error:
        if not may_ask:
            raise
        dialog = RestoreDialog(
            error.folder,
            tr("{message}\n\nRestore a backup, or a copy?", message=tr(error.message)),
            keep_question=error.keep_question,
        )
        dialog.exec()
        if dialog.step is None:
            raise
        dialog.step()
        return open_session(error.folder) if dialog.library == error.folder else open_session_or_backup(dialog.library)
    if session.library.loss is None:
        return session
    return _ask_about_loss(session, session.library.loss.sentence, may_ask=may_ask)


def _ask_about_loss(session: Session, sentence: str, *, may_ask: bool) -> Session:
    """Say once that a library holds less than its backup although no edit removed it, and offer the backups."""
    if not may_ask:
        print_lines(sentence, file=sys.stderr)
        return session
    words = tr("{sentence}\n\nThe current database is kept when you restore.", sentence=sentence)
    dialog = RestoreDialog(session.library.folder, words, is_open=True)
    dialog.exec()
    if dialog.step is None:
        return session
    session.library.close()
    dialog.step()
    return open_session(dialog.library)


def show_bug(window: MainWindow, error: BaseException) -> None:
    """Show an uncaught error: its own message if it has one, else where the log is."""
    shown = error_for_reader(error) or UserError(
        "Something unexpected went wrong; what you labelled is saved.", "Details are in {path}.", places.log_file()
    )
    window.show_error(shown.message, shown.hint)


def run(
    paths: Sequence[Path],
    library: Path | None,
    is_demo: bool,
    screenshot: Path | None,
    size: tuple[int, int] | None,
) -> int:
    """Show the window until it is closed, or until its picture is written.

    Args:
        paths: studies to open; the first is shown, the others are queued.
        library: the library's folder, or None for the default one.
        is_demo: open the demo study, in a library of its own unless one is named.
        screenshot: write the window there as PNG once it is idle, and end.
        size: of the window in logical pixels.

    Returns:
        The exit status.

    Raises:
        UserError: there are no fonts.
    """
    folder = library or (places.demo_library() if is_demo else places.default_library())
    settings = Settings(places.settings_file(folder))
    scale_text(settings, os.environ)
    app = make_application()
    check_fonts()
    use_language(settings["language"])
    show_theme(app, settings)
    is_asked = library is None and not is_demo and not paths and screenshot is None and is_first_start(folder)
    start_logging(places.log_file())
    for kind in SCRATCH_KINDS:
        remove_abandoned(kind)  # what a killed window, or one of its jobs, left
    with closing(CrashNotes(places.log_file().parent)) as notes:
        opening: Opening = "nothing"
        try:
            check_reachable(folder, is_named=library is not None)
            if is_asked:
                choices = ask_first(folder)
                folder, opening = choices.library, choices.opening
                if choices.recovery is not None:
                    restore_copy(choices.recovery, folder)
            session = open_session_or_backup(folder, may_ask=screenshot is None)
        except (UserError, OSError) as error:
            return _cannot_start(error, is_silent=screenshot is not None)
        window = _make_window(session)
        follow_system(app, session.settings)
        if size is not None or screenshot is not None:
            window.resize(*(size or window_size.USUAL_SIZE))
            window.show()
        else:
            window_size.show_in_place(window, folder)
        status: list[int] = []
        QTimer.singleShot(0, window, lambda: _open_first(window, paths, is_demo or opening == "demo"))
        has_study = paths or is_demo or screenshot or opening == "demo"

        def begin() -> None:
            if opening == "own":
                window.menus.run("open_files")
            elif not has_study and session.library.studies.all():
                window.menus.run("show_worklist")

        if screenshot is not None:
            session.ask_reader = None
            picture = Screenshot(window, screenshot)
            picture.finished.connect(status.append)
            picture.finished.connect(window.close)
        asks = notes.has_crashed and screenshot is None  # the worklist would lie behind the question
        QTimer.singleShot(0, window, (lambda: window.help.offer_diagnostics(begin)) if asks else begin)
        return _run_windows(app, window, status, keeps_place=screenshot is None)


def _make_window(session: Session) -> MainWindow:
    window = MainWindow(session)
    session.ask_reader = lambda: ask_reader(window)
    catch_bugs(lambda error: show_bug(window, error))
    return window


def _run_windows(app: QApplication, window: MainWindow, status: Sequence[int], *, keeps_place: bool) -> int:
    """Run until the window is closed and no other one is to open in its place; returns the exit status."""
    with closing(OrderlyEnd(app)):
        app.exec()
        if keeps_place:
            window_size.keep_place(window, window.session.library.folder)
        while window.reopening is not None:
            try:
                window = reopen(window)
            except (UserError, OSError) as error:
                return _cannot_start(error, is_silent=False)
            app.exec()
            window_size.keep_place(window, window.session.library.folder)
        return status[0] if status else 0


def reopen(closed: MainWindow) -> MainWindow:
    """Do what the closed window asked for, and show a window on the library that it names.

    Where another library cannot be opened, that is said, and the present one opens again.

    Raises:
        UserError: the library cannot be opened.
    """
    before, asked = closed.session.library.folder, closed.reopening
    assert asked is not None
    folder, remark = carry_out(asked, before)
    closed.deleteLater()
    try:
        session = open_session_or_backup(folder)
    except UserError as error:
        if folder == before or not before.exists():
            raise
        show_notice(None, "wce_desktop", tr(error))
        session, remark = open_session_or_backup(before), ""
    window = _make_window(session)
    window_size.show_in_place(window, session.library.folder)
    QTimer.singleShot(0, window, lambda: _open_first(window, (), is_demo=False))
    if session.library.folder != before:
        window.guard(places.remember_library)(session.library.folder)
    if remark:
        window.show_message(remark)
    return window


def check_reachable(folder: Path, *, is_named: bool) -> None:
    """Refuse a library that was chosen in the window and whose folder is gone: its disk may not be connected.

    Raises:
        UserError: it is gone.
    """
    if not is_named and folder not in {places.usual_library(), places.demo_library()} and not folder.is_dir():
        raise UserError(
            "The library in {folder} cannot be reached.",
            "Connect its disk or network share and start again, or open another library with --library.",
            folder,
        )


def _cannot_start(error: Exception, *, is_silent: bool) -> int:
    print_lines(error, file=sys.stderr)
    if not is_silent:
        show_notice(None, tr("wce_desktop cannot start"), tr(error))
    return 1


def _open_first(window: MainWindow, paths: Sequence[Path], is_demo: bool) -> None:
    """Open the studies of the command line."""
    if window.session.settings.problem:
        window.show_error(window.session.settings.problem)
    window.show_problems()
    if kind := window.session.library.network:
        window.show_message(tr(NETWORK, kind=kind))
    if not window.session.library.read_only:
        window.guard(ensure_model)(window.session)
    paths = [stores.place_of_path(path) for path in paths]
    if is_demo and not paths:
        window.guard(window.features.studies.open_demo)()
    elif len(paths) == 1:
        window.guard(window.features.studies.open_path)(paths[0])
    elif paths:
        window.guard(window.features.studies.drop)(list(paths))
