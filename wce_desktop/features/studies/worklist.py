"""The worklist: all studies of the library with the state of their reading, to choose what to read next."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from training.errors import UserError
from training.runs.reporter import Reporter
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.language import tr_count
from wce_desktop.core.study import Study
from wce_desktop.features.studies.worklist_window import WorklistWindow
from wce_desktop.session.completeness.reading_facts import ReadingFacts, reading_facts
from wce_desktop.session.removing import bring_back
from wce_desktop.session.session import Session
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import dialogs
from wce_desktop.workspace import Connections, Part, Workspace

AT_ONCE = 50
"""Studies whose flags are counted before the table shows them."""


class Worklist(Part):
    """Shows the window; flags are counted in another thread while it is open."""

    def __init__(
        self, workspace: Workspace, owner: QObject, add_folder: Callable[[], object], rename: Callable[[Study], object]
    ) -> None:
        super().__init__(workspace, owner)
        self._add_folder, self._rename = add_folder, rename
        self._next = ("", "")  # the study that is being opened, and the action that is wanted then
        self._window: WorklistWindow | None = None
        self._stale: set[str] = set()  # studies to be counted again
        self._counting = FunctionThread(self, returned=workspace.guard(self._take_counts))
        session = self._session
        self._connections = Connections(
            (session.studies_changed, self._refresh),
            (session.present_changed, self._show_present),
            (session.seen_saved, self._refresh_open),
            (session.model_changed, self._count_anew),
            (session.study_opened, self._study_opened),
        )

    @property
    def is_busy(self) -> bool:
        """Counting flags goes on beside anything else."""
        return False

    @property
    def window(self) -> WorklistWindow:
        """The window, made when first needed."""
        if self._window is None:
            undo = self._workspace.share_undo(self, lambda message: self.window.show_message(message), (Record,))
            self._dialog = self._window = WorklistWindow(self._add_folder, undo, self._workspace.window)
            self._window.model.read_now_by = self._session.read_now_by
            self._window.requested.connect(self._workspace.guard(self._do))
            self._window.finished.connect(self._counting.cancel)
        return self._window

    def show_worklist(self) -> None:
        """Show the worklist, with the keyboard in its search field."""
        dialogs.bring_to_front(self.window)
        self.window.status.setCurrentIndex(0 if self.window.shows_removed else self.window.status.currentIndex())
        self._count_anew()
        self.window.search()

    def show_removed(self) -> None:
        """Show the removed studies."""
        self.show_worklist()
        self.window.status.setCurrentIndex(self.window.status.findData("removed"))
        self.window.go_to_table()

    def _refresh(self) -> None:
        """Show what the library has now."""
        if self._window is None or not self._window.isVisible():
            return
        rows = self._session.library.studies.worklist(self._session.model_id)
        self._window.show_rows(rows, self._session.open_id or self._session.settings["last_study"])
        self._count()

    def _show_present(self) -> None:
        if self._window is not None:
            self._window.model.note_present()

    def _refresh_open(self) -> None:
        """More of the open study was seen."""
        if self._window is not None and self._session.open_id:
            self._stale.add(self._session.open_id)
            self._refresh()

    def _count_anew(self) -> None:
        """Read everything again: another model, or edits since the window was shown."""
        if self._window is not None:
            self._window.model.facts.clear()
            self._refresh()

    def _study_opened(self) -> None:
        (wanted, action_id), self._next = self._next, ("", "")
        if action_id and wanted == self._session.open_id:
            self._workspace.menus.run(action_id)

    # Flags left, frames read, blood

    def _count(self) -> None:
        """Count the next studies that were scored, those in the table first."""
        model = self.window.model
        waiting = {row.study_id: row for row in (*model.shown, *model.rows) if row.is_scored and not row.removed_utc}
        missing = [each for each in waiting if each not in model.facts or each in self._stale]
        if missing:
            self._counting.request(partial(_count, self._session, missing[:AT_ONCE]))

    def _take_counts(self, facts: Sequence[tuple[str, ReadingFacts | None]]) -> None:
        self._stale -= {study_id for study_id, _ in facts}
        self.window.note_facts(facts)
        if self.window.isVisible():
            self._count()

    # What is done with the chosen studies

    def _do(self, what: str, study_ids: Sequence[str]) -> None:
        if not study_ids:
            return
        if what == "edit_record":
            self._workspace.edit_records(study_ids)
        elif what == "remove":
            with self._showing_messages():
                self._workspace.remove_studies(study_ids, self.window)
        elif what == "bring_back":
            bring_back(self._session, study_ids)
            self.window.show_message(tr_count("{count} study is back.", "{count} studies are back.", len(study_ids)))
        elif what == "rename_study":
            self._rename(self._session.library.studies.get(study_ids[0]))
        elif what == "files":
            _show_in_files(self._session.library.studies.get(study_ids[0]))
        else:
            self._open(study_ids[0], "" if what == "open" else what)

    @contextmanager
    def _showing_messages(self) -> Iterator[None]:
        """Show here what the main window says meanwhile, which this window may cover."""
        shown = self._workspace.messages.message_shown.connect(lambda message, _: self.window.show_message(message))
        try:
            yield
        finally:
            self._workspace.messages.message_shown.disconnect(shown)

    def _open(self, study_id: str, action_id: str) -> None:
        self._next = study_id, action_id
        self.window.close()
        dialogs.bring_to_front(self._workspace.window)
        is_open = study_id == self._session.open_id
        self._workspace.open_study(self._session.library.studies.get(study_id))
        if is_open:
            self._study_opened()


def _show_in_files(study: Study) -> None:
    folder = study.path.parent
    if not folder.is_dir():
        raise UserError("“{path}” was not found.", "Locate it: Study, Find a moved video.", study.path)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _count(session: Session, study_ids: Sequence[str], reporter: Reporter) -> list[tuple[str, ReadingFacts | None]]:
    counts: list[tuple[str, ReadingFacts | None]] = []
    for study_id in study_ids:
        reporter.check()
        try:
            counts.append((study_id, reading_facts(session, study_id)))
        except (KeyError, UserError):  # removed meanwhile, or damaged: opening it says why
            counts.append((study_id, None))
    return counts
