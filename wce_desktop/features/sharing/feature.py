"""Shows what other readers change in a library on a server, and opens such a library."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QTimer

from training.errors import NothingToDoError, UserError
from training.runs.events import Outcome
from training.runs.reporter import Reporter
from wce_desktop.core.language import tr, tr_count
from wce_desktop.features.sharing.unsent import UnsentDialog
from wce_desktop.library import Library
from wce_desktop.library.sharing import listening
from wce_desktop.library.storage import server
from wce_desktop.session.classes import reload_vocabulary
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import theme
from wce_desktop.widgets.dialogs import ask_text
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.workspace import Connections, Feature, Panel, Reopening, Workspace

RETRY_SECONDS = 2.0
"""After a lost connection; what changed meanwhile is read when it is back."""
SEND_SECONDS = 10.0
"""Between two attempts to send edits to a server that takes none."""


class SharingFeature(Feature):
    """Listens to the server while a library on one is open."""

    own_actions = ("open_shared_library", "show_unsent")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._listening = FunctionThread(self, failed=self._show_failure)
        self._listening.partial_arrived.connect(workspace.guard(self._show_change))
        workspace.conflicted.connect(workspace.guard(self._reload))
        self.others = PlainLabel()
        self.others.setStyleSheet(f"color: {theme.COLORS.accent}; padding: 0 10px")
        self.others.hide()
        self.panels = (Panel(self.others, "foot", order=1),)
        self._refused = 0
        session = self._session
        pairs = [(each, self._show_others) for each in (session.present_changed, session.study_opened)]
        self._connections = Connections(
            *pairs, (session.study_closed, self._show_others), (session.saved, self._show_refused)
        )

    @property
    def is_busy(self) -> bool:
        """False: it listens as long as the window is open."""
        return False

    def start(self) -> None:
        """Listen, where the library is on a server."""
        library = self._session.library
        if library.is_on_server:
            self._send_journal()
            self._listening.request(lambda reporter: _listen(library, self._open_recording, reporter))

    def close(self) -> None:
        """Stop listening."""
        self._listening.close()
        self._connections.close()
        super().close()

    def open_shared_library(self) -> None:
        """Open a library on a server, now and at the next start."""
        text = tr("Address of the library, such as postgresql://server/name:")
        address = ask_text(self._workspace.window, tr("Open a shared library"), text, tr("Open"))
        if not address or not address.strip():
            return
        if not server.is_address(address.strip()):
            raise UserError(
                "This is no address of a shared library.", "Begin it with postgresql://."
            )  # may hold a password
        folder = server.folder_of(address.strip())
        message = tr("Opened the library in {target}.", target=folder)
        self._workspace.reopen(Reopening(tr("Opening the library…"), lambda _folder, _step: (folder, message)))

    def _show_change(self, _name: str, change: Mapping[str, Any]) -> None:
        """Read again what another reader changed, or show who reads."""
        if "present" in change:
            self._session.present = change["present"]
            self._session.present_changed.emit()
            return
        studies = change["studies"]
        if studies is None:
            self._send_journal()
        if studies is None or self._session.open_id in studies:
            self._reload()
            if change["reader"] and self._session.open_id:
                self._workspace.show_message(tr("{reader} changed this study.", reader=change["reader"]))
            return
        if "" in studies:
            reload_vocabulary(self._session)
        self._session.studies_changed.emit()

    def _open_recording(self) -> str:
        """The study that others see open here: of a second reading the first one."""
        reading = self._session.reading
        return "" if reading is None else reading.study.recording_id

    def _show_others(self) -> None:
        """Say who else has the open study open."""
        readers = self._session.read_now_by(self._open_recording())
        self.others.setText(tr("Also read by {readers} now", readers=readers) if readers else "")
        self.others.setVisible(bool(readers))

    def _reload(self) -> None:
        """Show the present state of the open study, and of the classes."""
        reading = self._session.reading
        if reading is not None:
            reading.study = self._session.library.studies.get(reading.study.study_id)
            self._session.edits.reload()
        reload_vocabulary(self._session)
        self._session.studies_changed.emit()

    def _send_journal(self) -> None:
        """Write the edits that waited for the server, and say so."""
        library = self._session.library
        if library.journal is None or not library.journal.entries:
            return
        sent = library.annotations.send_journal()
        if sent:
            self._session.edits.reload()
            text = tr_count("{count} edit is on the server now.", "{count} edits are on the server now.", sent)
            self._workspace.show_message(text)
        self._session.saved.emit("")

    def _show_refused(self) -> None:
        """List the edits that are not on the server, if it refused one since."""
        journal, before = self._session.library.journal, self._refused
        self._refused = 0 if journal is None else len(journal.entries) - len(journal.waiting)
        if isinstance(self._dialog, UnsentDialog):
            self._dialog.show_entries()
        elif self._refused > before:  # not now: whoever was told of an edit waits for its end
            QTimer.singleShot(0, self, self._workspace.guard(self.show_unsent))

    def show_unsent(self) -> None:
        """List the edits that are not on the server."""
        journal = self._session.library.journal
        if journal is None or not journal.unsent:
            raise NothingToDoError("Every edit is in the library.")
        self._dialog = dialog = UnsentDialog(journal, self._workspace.window)
        try:
            is_again = dialog.exec()
        finally:
            self._dialog = None
        if is_again:
            self._send_journal()
        else:
            self._session.saved.emit("")  # some may have been discarded

    def _show_failure(self, outcome: Outcome) -> None:
        self._workspace.show_error(outcome.message, outcome.hint)


def _listen(library: Library, open_study: Callable[[], str], reporter: Reporter) -> None:
    """Report what others change and open until the reporter ends it; a lost connection is opened again.

    After that everything may have changed: `studies` is None.
    """
    address, is_back, again = server.address_in(library.folder), False, 0.0

    def check() -> None:
        nonlocal again
        reporter.check()
        waits = library.journal is not None and library.journal.waiting and time.monotonic() > again
        if library.is_offline or waits:  # the connection that listens shows that the server is there
            library.is_offline, again = False, time.monotonic() + SEND_SECONDS
            reporter.partial("change", listening.ANYTHING)

    while True:
        try:
            for change in listening.changes(library.engine, address, check, open_study, is_back=is_back):
                if change is listening.ANYTHING:
                    library.is_offline = False
                reporter.partial("change", change)
        except server.lost_error():
            is_back = True
            reporter.partial("change", {"present": {}})
            deadline = time.monotonic() + RETRY_SECONDS
            while time.monotonic() < deadline:
                reporter.check()
                time.sleep(0.1)
