"""Shows the audit log, and exports it."""

from collections.abc import Sequence

from wce_desktop.core import counted, tr
from wce_desktop.features.audit.audit_window import AuditWindow, write_log
from wce_desktop.library.audit import AuditEntry
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.dialogs import bring_to_front
from wce_desktop.workspace import Feature, Workspace


class AuditFeature(Feature):
    """The log is read in a thread: it may have 100,000 lines."""

    own_actions = ("show_audit",)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.window: AuditWindow | None = None
        """Once it was opened."""
        self._reading = FunctionThread(self, returned=workspace.guard(self._show), failed=workspace.show_failure)

    def show_audit(self) -> None:
        """Read the log again and show it, of the open study at first."""
        library = self._session.library
        self._reading.request(lambda _: library.audit.entries())

    def close(self) -> None:
        """End the thread."""
        super().close()
        if self.window is not None:
            self.window.close()

    def _show(self, entries: Sequence[AuditEntry]) -> None:
        if self.window is None:
            self.window = AuditWindow(self._workspace.window)
            self.window.export_requested.connect(self._workspace.guard(self._export))
        library = self._session.library
        studies = (*library.studies.all(), *library.studies.second_readings(), *library.studies.removed())
        names = {study.study_id: study.shown_name for study in studies}
        names |= {model.model_id: model.title or model.model_id for model in library.models.all()}
        names |= {run.run_id: run.title for run in library.runs.all()}
        second = library.studies.second_open  # its reader must not see lines of the first reading
        shown = [entry for entry in entries if second is None or entry.study_id != second.second_of]
        self.window.show_entries(shown, names, self._session.open_id)
        bring_to_front(self.window)

    def _export(self, entries: Sequence[AuditEntry]) -> None:
        parent = self.window or self._workspace.window
        chosen = self._workspace.files.ask_new_file(
            parent, "labels", tr("Export the audit log"), "audit.csv", tr("Table (*.csv)")
        )
        if chosen is not None:
            write_log(entries, chosen)
            self._workspace.show_message(tr("Saved {lines} of the audit log.", lines=counted(len(entries), "line")))
