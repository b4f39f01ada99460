"""Backups, checks, moving and encryption of the library: what they change happens while no window has it open."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from training.errors import UserError
from training.runs.events import Outcome
from training.texts import Text
from wce_desktop.core import counted, tr, tr_count
from wce_desktop.features.safekeeping import library_dialogs
from wce_desktop.features.safekeeping.backups_window import BackupsWindow, CheckWindow
from wce_desktop.library.backup import backup_file, backups, comparison, copies
from wce_desktop.library.backup.recovery import Recovery
from wce_desktop.library.checking import Checked, check_library
from wce_desktop.library.moving import check_target, is_empty, move_library
from wce_desktop.library.storage import encrypting, integrity, key_file, server
from wce_desktop.library.storage.sqlite_file import is_encrypted
from wce_desktop.session.places import remember_library
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.dialogs import PassphraseDialog, agrees, bring_to_front
from wce_desktop.workspace import Feature, Reopening, Workspace

Step = Callable[[int, int], None]


class SafekeepingFeature(Feature):
    """The actions of *Study, Library* and *Study, Encryption*."""

    own_actions = (
        "show_backups", "check_library", "move_library", "open_library", "encrypt_library", "change_passphrase",
        "decrypt_library", "lock_library",
    )  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.backups_window: BackupsWindow | None = None
        self._recovery: Recovery | None = None
        """Of the copy that was chosen in another folder."""
        self.check_window: CheckWindow | None = None
        guard = workspace.guard
        self._comparing = FunctionThread(self, returned=self._show_preview, failed=self._show_no_preview)
        self._writing = FunctionThread(self, returned=guard(self._backed_up), failed=guard(self._not_backed_up))
        self._checking = FunctionThread(self, returned=self._end_check, failed=self._end_check)

    @property
    def is_busy(self) -> bool:
        """True while backups are compared or made."""
        return self._comparing.is_busy or self._writing.is_busy

    def start(self) -> None:
        """Copy the newest backup to the chosen folder where a copy is due."""
        self.copy_if_due()

    def close(self) -> None:
        """End the threads, and the windows with them."""
        self._forget_copy()
        super().close()
        for window in (self.backups_window, self.check_window):
            if window is not None:
                window.close()

    @property
    def _folder(self) -> Path:
        return self._session.library.folder

    # Backups

    def show_backups(self) -> None:
        """List the backups; the newest is compared with the library."""
        server.check_local(self._folder)
        if self.backups_window is None:
            window = self.backups_window = BackupsWindow(self._workspace.window)
            window.chosen.connect(self._compare)
            window.restore_requested.connect(self._workspace.guard(self._restore))
            window.copy_requested.connect(self._workspace.guard(self._compare_copy))
            window.unlock_requested.connect(self._workspace.guard(self._unlock))
            window.backup_requested.connect(self._workspace.guard(self._back_up))
            window.folder_chosen.connect(self._workspace.guard(self._choose_copies))
        self._list()
        bring_to_front(self.backups_window)

    def _list(self) -> None:
        if self.backups_window is not None:
            self.backups_window.show_backups(backups.listed_backups(self._folder))
            self._show_copies()

    def _unlock(self, path: Path) -> None:
        """Ask for the earlier passphrase of a backup, and compare it."""
        if library_dialogs.ask_to_unlock_backup(self._folder, path, self.backups_window):
            self._list()
            self._compare(path)

    def _compare(self, path: Path) -> None:
        assert self.backups_window is not None
        if key_file.needs_passphrase(self._folder, path):
            self.backups_window.show_locked(path, tr("This backup was encrypted with an earlier passphrase."))
            return
        self.backups_window.show_waiting(path)
        second = self._session.library.studies.second_open
        hidden = (second.second_of or "",) if second is not None else ()
        folder = self._folder
        self._comparing.request(lambda _: (path, comparison.preview_restore(folder, path, hidden)))

    def _compare_copy(self) -> None:
        """Choose a copy in another folder, unlock it, and compare it with the library."""
        assert self.backups_window is not None
        chosen = self._session.settings["copies_folder"]
        dialog = library_dialogs.CopiesDialog(Path(chosen) if chosen else None, self.backups_window)
        if dialog.exec() and dialog.recovery is not None:
            self._forget_copy()
            self._recovery = dialog.recovery
            self.backups_window.backups.clearSelection()
            self._compare(dialog.recovery.copy)

    def _forget_copy(self) -> None:
        if self._recovery is not None:
            self._recovery.close()
            self._recovery = None

    def _show_preview(self, result: tuple[Path, comparison.Preview]) -> None:
        if self.backups_window is not None:
            self.backups_window.show_preview(*result, may_restore=not self._session.library.read_only)

    def _show_no_preview(self, outcome: Outcome) -> None:
        if self.backups_window is not None:
            self.backups_window.summary.setText(tr(str(outcome)))

    def _restore(self, path: Path) -> None:
        time = backup_file.Backup.at(path).local_time
        text = tr(
            "Bring the library back to its state of {made}? The window closes and opens again. The present "
            "database is kept in the library’s folder and backed up first.",
            made=time,
        )
        copy = self._recovery if self._recovery is not None and self._recovery.copy == path else None
        if copy is not None and is_encrypted(path) and not key_file.is_protected(self._folder):
            text += "\n\n" + tr(
                "The copy is encrypted and this library is not. What is restored is not encrypted either."
            )
        if agrees(self._workspace.window, tr("Restore a backup"), text, tr("Restore")):
            self._session.library.back_up()
            reader = self._session.library.reader
            work = partial(_restore, path, reader) if copy is None else partial(_restore_copy, copy, reader)
            self._recovery = None if copy is not None else self._recovery  # it is closed when its work is done
            self._workspace.reopen(Reopening(tr("Restoring a backup…"), work))

    # Copies in another folder

    def copy_if_due(self) -> None:
        """Copy the newest backup where a copy is due; what happened is kept for the window."""
        chosen, days = self._session.settings["copies_folder"], int(self._session.settings["copies_days"])
        library = self._session.library
        if self._writing.is_busy or library.read_only or library.is_on_server:
            return
        folder, earlier = self._folder, self._earlier
        if chosen and copies.is_copy_due(folder, Path(chosen), days, datetime.now(UTC)):
            self._writing.request(lambda _: _copied(folder, Path(chosen), earlier))
        elif earlier:
            self._writing.request(lambda _: _tend(folder, earlier))

    @property
    def _earlier(self) -> list[Path]:
        """The folders that were chosen for copies before."""
        return [Path(line) for line in self._session.settings["copies_earlier"].split("\n") if line]

    def _back_up(self) -> None:
        self._session.library.check_writable(Text("a backup"))
        library, chosen, earlier = self._session.library, self._session.settings["copies_folder"], self._earlier

        def work(_: object) -> Path | None:
            backup = library.back_up()
            return _copied(library.folder, Path(chosen), earlier) if chosen else backup

        self._writing.request(work)

    def _choose_copies(self, folder: str) -> None:
        settings = self._session.settings
        before = dict.fromkeys([*settings["copies_earlier"].split("\n"), settings["copies_folder"]])
        settings.set("copies_earlier", "\n".join(line for line in before if line not in ("", folder)))
        settings.set("copies_folder", folder)
        settings.set("copies_last", "")
        self._show_copies()
        if folder:
            self._back_up()

    def _backed_up(self, backup: Path | None) -> None:
        if backup is not None and backup.parent.parent != self._folder:
            self._session.settings.set("copies_last", tr("{time}: copied {name}.", time=_now(), name=backup.name))
        self._list()
        if backup is not None:
            self._workspace.show_message(tr("The library was backed up."))

    def _not_backed_up(self, outcome: Outcome) -> None:
        self._session.settings.set("copies_last", f"{_now()}: {tr(outcome.message)}")
        self._show_copies()
        self._workspace.show_error(outcome.message, outcome.hint)

    def _show_copies(self) -> None:
        if self.backups_window is None:
            return
        settings = self._session.settings
        chosen, days = settings["copies_folder"], settings["copies_days"]
        lines = []
        if chosen:
            lines.append(
                tr_count(
                    "A copy every day; the newest {kept} are kept.",
                    "A copy every {count} days; the newest {kept} are kept.",
                    days,
                    kept=copies.KEPT,
                )
            )
        if settings["copies_last"]:
            lines.append(tr("Last time, {what}", what=tr(settings["copies_last"])))
        if chosen:
            kept = copies.copies(self._folder, Path(chosen))
            there = counted(len(kept), "copy")
            newest = tr("There: {copies}, newest {time}.", copies=there, time=kept[-1].local_time) if kept else ""
            lines.append(newest or tr("There: {copies}.", copies=there))
        lines += [tr("Copies made earlier are in {folder}.", folder=folder) for folder in self._earlier]
        self.backups_window.show_copies(chosen, lines)

    # Check

    def check_library(self) -> None:
        """Read everything that the library holds, and list what is wrong."""
        if self.check_window is None:
            window = self.check_window = CheckWindow(self._workspace.window)
            window.stop.clicked.connect(self._stop_check)
            window.again.clicked.connect(self.check_library)
            self._checking.progressed.connect(window.show_progress)
        self.check_window.begin()
        bring_to_front(self.check_window)
        library = self._session.library
        chosen = self._session.settings["copies_folder"]
        copies_folder = Path(chosen) if chosen else None
        self._checking.request(lambda reporter: check_library(library, reporter, copies_folder))

    def _stop_check(self) -> None:
        self._checking.cancel()
        if self.check_window is not None:
            self.check_window.end(None)

    def _end_check(self, result: Checked | Outcome) -> None:
        if self.check_window is None:
            return
        if isinstance(result, Checked):
            self.check_window.end(result)
        else:
            self.check_window.end(None, tr(str(result)))

    # The library's folder

    def move_library(self) -> None:
        """Move the library into a new or empty folder, which opens from then on."""
        server.check_local(self._folder)
        self._session.library.check_writable(Text("the new place"))
        chosen = QFileDialog.getExistingDirectory(
            self._workspace.window, tr("Choose a new or empty folder for the library")
        )
        if not chosen:
            return
        target = Path(chosen).resolve()
        check_target(self._folder, target)
        text = tr(
            "Move the library from {folder} to {target}? It is copied and compared before the old files are "
            "deleted. The window closes and opens again. Videos stay where they are.",
            folder=self._folder,
            target=target,
        )
        if agrees(self._workspace.window, tr("Move the library"), text, tr("Move")):
            self._workspace.reopen(Reopening(tr("Moving the library…"), partial(_move, target)))

    def open_library(self) -> None:
        """Open the library in another folder, now and at the next start."""
        chosen = QFileDialog.getExistingDirectory(self._workspace.window, tr("Choose the folder of a library"))
        if chosen and (target := Path(chosen).resolve()) != self._folder:
            if not integrity.is_library(target) and not is_empty(target):
                raise UserError(
                    "There is no library in {target}.", "Choose the folder of a library, or an empty one.", target
                )
            self._workspace.reopen(Reopening(tr("Opening the library…"), partial(_open_other, target)))

    # Encryption

    def encrypt_library(self) -> None:
        """Encrypt database, backups and signed reports with a passphrase."""
        server.check_local(self._folder)
        self._session.library.check_writable(Text("the encryption"))
        if key_file.is_protected(self._folder):
            raise UserError("This library is encrypted already.", "Change its passphrase, or remove the encryption.")
        chosen: list[str] = []

        def take(passphrase: str) -> None:
            key_file.check(passphrase)
            chosen.append(passphrase)

        dialog = PassphraseDialog(
            tr("Encrypt the library"), tr(library_dialogs.READABLE), (tr("New passphrase"),), take,
            ok=tr("Encrypt"), repeated=True, parent=self._workspace.window,
        )  # fmt: skip
        if dialog.exec():
            self._workspace.reopen(Reopening(tr("Encrypting the library…"), partial(_encrypt, chosen[0])))

    def change_passphrase(self) -> None:
        """Give the library another passphrase."""
        self._check_protected()
        text = tr(
            "Copies of the library that were made before, and copied backups, still open with the old passphrase."
        )
        dialog = PassphraseDialog(
            tr("Change the passphrase"), text, (tr("Present passphrase"), tr("New passphrase")),
            partial(key_file.change, self._folder), ok=tr("Change passphrase"), repeated=True,
            parent=self._workspace.window,
        )  # fmt: skip
        if dialog.exec():
            self._workspace.show_message(tr("The passphrase was changed."))

    def decrypt_library(self) -> None:
        """Remove the encryption after asking for the passphrase."""
        self._check_protected()
        text = tr("The database, its backups and the signed reports become readable for everyone who gets their files.")
        dialog = PassphraseDialog(
            tr("Remove the encryption"), text, (tr("Passphrase"),), partial(key_file.unlock, self._folder),
            ok=tr("Remove"), parent=self._workspace.window,
        )  # fmt: skip
        if dialog.exec():
            self._workspace.reopen(Reopening(tr("Removing the encryption…"), _decrypt))

    def lock_library(self) -> None:
        """Close the library; it opens again with its passphrase."""
        self._check_protected()
        self._workspace.reopen(Reopening(tr("Locking the library…"), _lock))

    def _check_protected(self) -> None:
        server.check_local(self._folder)
        if not key_file.is_protected(self._folder):
            raise UserError("This library has no passphrase.", "Choose Study, Encryption, Encrypt the library.")


def _now() -> str:
    return f"{datetime.now():%Y-%m-%d %H:%M}"  # noqa: DTZ005 - the reader's own clock


# Work on a library that no window has open


def _restore(path: Path, reader: str, folder: Path, _: Step) -> tuple[Path, str]:
    taken = backups.restore_backup(folder, path, reader=reader)
    return folder, tr("The backup of {time} was restored.", time=backup_file.Backup.at(taken).local_time)


def _restore_copy(recovery: Recovery, reader: str, folder: Path, _: Step) -> tuple[Path, str]:
    try:
        taken = recovery.restore(folder, reader)
    finally:
        recovery.close()
    message = tr("The copy of {time} was restored.", time=backup_file.Backup.at(taken).local_time)
    return folder, f"{message} {library_dialogs.missing_reports_text(recovery)}".strip()


def _copied(folder: Path, chosen: Path, earlier: list[Path]) -> Path:
    """Copy the newest backup; also for copies that were made earlier the encryption is renewed."""
    copied = copies.copy_newest(folder, chosen)
    _tend(folder, [chosen, *earlier])
    return copied


def _tend(folder: Path, earlier: list[Path]) -> None:
    """Encrypt the copies that were made earlier, where the library is encrypted.

    Raises:
        UserError: some cannot be reached, or are damaged.
    """
    left = copies.tend_earlier_copies(folder, earlier)
    if left and key_file.held(folder):
        raise UserError(
            "Copies in {folder} may still be readable without the passphrase.",
            "Connect the disk; they are encrypted when the library opens. Or delete them.",
            left[0],
        )


def _move(target: Path, folder: Path, step: Step) -> tuple[Path, str]:
    def remember() -> None:
        with suppress(UserError):  # said when the library opens in its new place
            remember_library(target)

    left = move_library(folder, target, step, remember)
    message = tr("The library is now in {target}.", target=target)
    if not left:
        return target, message
    kept = tr_count(
        "{count} file could not be deleted in {folder}.",
        "{count} files could not be deleted in {folder}.",
        len(left),
        folder=folder,
    )
    return target, f"{message} {kept}"


def _open_other(target: Path, _folder: Path, _: Step) -> tuple[Path, str]:
    return target, tr("Opened the library in {target}.", target=target)


def _encrypt(passphrase: str, folder: Path, step: Step) -> tuple[Path, str]:
    left = encrypting.encrypt_library(folder, passphrase, step)
    message = tr("The library is encrypted.")
    if left:
        kept = tr_count(
            "{count} file could not be encrypted and stayed readable: {name}.",
            "{count} files could not be encrypted and stayed readable, among them {name}.",
            len(left),
            name=left[0].relative_to(folder),
        )
        message = f"{message} {kept}"
    return folder, message


def _decrypt(folder: Path, step: Step) -> tuple[Path, str]:
    left = encrypting.decrypt_library(folder, step)
    message = tr("The library is no longer encrypted.")
    if left:
        kept = tr_count(
            "{count} damaged file stayed encrypted: {name}.",
            "{count} damaged files stayed encrypted, among them {name}.",
            len(left),
            name=left[0].relative_to(folder),
        )
        message = f"{message} {kept}"
    return folder, message


def _lock(folder: Path, _: Step) -> tuple[Path, str]:
    key_file.lock(folder)
    return folder, ""
