"""Shows the audit log, and exports it."""

from collections.abc import Callable, Mapping, Sequence

from wce_desktop.core.clock import counted
from wce_desktop.core.language import tr
from wce_desktop.features.audit.audit_window import AuditWindow, write_log
from wce_desktop.library.audit import AuditEntry
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.dialogs import bring_to_front
from wce_desktop.workspace import Feature, Workspace, methods


class AuditFeature(Feature):
    """The log is read in a thread: it may have 100,000 lines."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._session = workspace, workspace.session
        self._window: AuditWindow | None = None
        self._reading = FunctionThread(self)
        self._reading.returned.connect(workspace.guard(self._show))
        self._reading.failed.connect(lambda outcome: workspace.show_error(outcome.message, outcome.hint))

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return methods(self, ("show_audit",))

    @property
    def is_busy(self) -> bool:
        """True while the log is read."""
        return self._reading.is_busy

    @property
    def window(self) -> AuditWindow | None:
        """The window, once it was opened."""
        return self._window

    def show_audit(self) -> None:
        """Read the log again and show it, of the open study at first."""
        library = self._session.library
        self._reading.request(lambda _: library.audit.entries())

    def close(self) -> None:
        """End the thread."""
        self._reading.close()
        if self._window is not None:
            self._window.close()

    def _show(self, entries: Sequence[AuditEntry]) -> None:
        if self._window is None:
            self._window = AuditWindow(self._workspace.window)
            self._window.export_requested.connect(self._workspace.guard(self._export))
        library, reading = self._session.library, self._session.reading
        names = {study.study_id: study.name for study in (*library.studies.all(), *library.studies.second_readings())}
        names |= {model.model_id: model.title or model.model_id for model in library.models.all()}
        names |= {run.run_id: run.title for run in library.runs.all()}
        self._window.show_entries(self._visible(entries), names, reading.study.study_id if reading else "")
        bring_to_front(self._window)

    def _visible(self, entries: Sequence[AuditEntry]) -> Sequence[AuditEntry]:
        """All lines; in a second reading not those of the first one."""
        second = self._session.library.studies.second_open
        return entries if second is None else [entry for entry in entries if entry.study_id != second.second_of]

    def _export(self, entries: Sequence[AuditEntry]) -> None:
        parent = self._window or self._workspace.window
        chosen = self._workspace.files.ask_new_file(
            parent, "labels", tr("Export the audit log"), "audit.csv", tr("Table (*.csv)")
        )
        if chosen is not None:
            write_log(entries, chosen)
            self._workspace.show_message(tr("Saved {lines} of the audit log.", lines=counted(len(entries), "line")))
