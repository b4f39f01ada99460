"""The grid of selected frames: label all, add to a finding, export, ask for more like these."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from training.runs.events import Outcome
from wce_desktop.core import counted, format_frame_stored, format_time, tr
from wce_desktop.core.annotation import NORMAL, Finding, Label
from wce_desktop.features.neighbours import bulk_labelling, frame_export, neighbour_query
from wce_desktop.features.neighbours.frame_access import FrameAccess
from wce_desktop.features.neighbours.frame_grid import GridWindow
from wce_desktop.session.frame_facts import FramePlaces
from wce_desktop.session.keys import key_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import frame_tile
from wce_desktop.widgets.dialogs import bring_to_front
from wce_desktop.widgets.inputs import INDENT, class_choices
from wce_desktop.workspace import Part, Workspace


class SelectionGrid(Part):
    """Shows the session's selection; the window is made when it is first asked for."""

    def __init__(self, workspace: Workspace, shared: FrameAccess) -> None:
        super().__init__(workspace, shared)
        self._shared = shared
        self.window: GridWindow | None = None
        self._frames: list[tuple[str, int]] = []
        self._thread = FunctionThread(self, self._show_written, self._show_failed)

    def show(self) -> GridWindow:
        """Show the selected frames in a separate window, or bring it to the front."""
        window = self.window or self._make()
        self.window = window
        bring_to_front(window)
        self.refresh()
        window.tiles.setFocus(Qt.FocusReason.TabFocusReason)
        return window

    def refresh(self) -> None:
        """The selection has changed; nothing is done while the window is closed."""
        if self.window is not None and self.window.isVisible():
            self._frames = list(self._session.selection)
            self.window.show_frames(tr("Selected frames"), self._frames, self._tile)

    def labels_changed(self) -> None:
        """Show labels as they are now."""
        if self.window is not None:
            self.window.tiles.make_again()

    def repaint(self) -> None:
        """A picture has arrived."""
        if self.window is not None and self.window.isVisible():
            self.window.tiles.viewport().update()

    def _new_window(self) -> GridWindow:
        return GridWindow(self._session.vocabulary, self._shared.pictures.get, self._workspace.window)

    def _make(self) -> GridWindow:
        window = self._new_window()
        grid, guard = window, self._guard
        grid.tiles.opened.connect(guard(self._open))
        grid.label_requested.connect(guard(self.label))
        grid.finding.clicked.connect(guard(self.ask_finding))
        grid.like.clicked.connect(guard(self.ask_like))
        grid.csv.triggered.connect(lambda: guard(self.ask_csv)())
        grid.sheet.triggered.connect(lambda: guard(self.ask_sheet)())
        window.addActions(self._workspace.share_undo(self, window.show_message, (Label, Finding)))
        self._thread.progressed.connect(window.show_progress)
        window.stop.clicked.connect(self._stop)
        return window

    def _open(self, study_id: str, frame_index: int) -> None:
        self._shared.open_frame(study_id, frame_index)

    def _guard(self, step: Callable[..., object]) -> Callable[..., None]:
        return self._shared.guarded_in(lambda: self.window, step)

    def _tile(self, row: int) -> frame_tile.FrameTile:
        fact = self._shared.facts.of(*self._frames[row])
        return self._shared.tile(fact, fact.caption, fact.sentence, "")

    @property
    def _grid_window(self) -> GridWindow:
        assert self.window is not None, "only the grid's own buttons and keys come here"
        return self.window

    # What can be done with frames

    def label(self, name: str) -> None:
        """Label the chosen frames, or all, as one edit."""
        if chosen := self._grid_window.chosen:
            self._grid_window.show_message(bulk_labelling.label_selection(self._session, chosen, name))

    def ask_finding(self) -> None:
        """Ask which finding the frames belong to: one of their studies, or a new one."""
        chosen = self._grid_window.chosen
        if not chosen:
            return
        menu = QMenu(self._grid_window)
        new = menu.addMenu(tr("New finding"))
        for kind in class_choices(self._session.vocabulary, without=(NORMAL,)):
            new.addAction(INDENT * kind.depth + kind.title).triggered.connect(
                self._guard(lambda *_, kind=kind.value: self.make_finding(kind))
            )
        for study_id in chosen.study_ids:
            for finding in self._session.library.annotations.findings(study_id):
                menu.addAction(self._finding_title(finding)).triggered.connect(
                    self._guard(lambda *_, finding=finding: self.add_to(finding))
                )
        menu.exec(QCursor.pos())

    def make_finding(self, kind: str) -> None:
        """Make a finding of the chosen frames, one for each study."""
        created = bulk_labelling.new_findings(self._session, self._grid_window.chosen, kind)
        findings = counted(len(created), "new finding")
        self._grid_window.show_message(
            tr("{findings}: {kind}. {key} undoes it.", findings=findings, kind=kind, key=key_of("undo"))
        )

    def add_to(self, finding: Finding) -> None:
        """Let a finding cover the chosen frames of its study."""
        bulk_labelling.add_to_finding(self._session, self._grid_window.chosen, finding)
        title = self._finding_title(finding)
        self._grid_window.show_message(tr("Added to {finding}. {key} undoes it.", finding=title, key=key_of("undo")))

    def ask_like(self) -> None:
        """Ask for frames like the mean of the chosen ones."""
        if chosen := self._grid_window.chosen:
            self._shared.pin(neighbour_query.selection_query(self._shared.facts, chosen))
            self._workspace.window.activateWindow()

    def ask_csv(self) -> None:
        """Ask for a file, and write the chosen frames with their labels."""
        window, name = self._grid_window, "frames.csv"
        path = self._workspace.files.ask_new_file(window, "labels", tr("Frames and labels"), name, "CSV (*.csv)")
        if path is not None:
            place = self._session.place_to_save(path)
            rows = frame_export.write_frames_csv(place, self._grid_window.chosen, self._shared.facts)
            self._grid_window.show_message(tr("{rows} written to {path}.", rows=counted(rows, "row"), path=path))

    def ask_sheet(self) -> None:
        """Ask for a file, and write a contact sheet of the chosen frames."""
        window, name = self._grid_window, "frames.png"
        path = self._workspace.files.ask_new_file(window, "pictures", tr("Contact sheet"), name, tr("Pictures (*.png)"))
        if path is not None:
            self.write_sheet(self._session.place_to_save(path))

    def write_sheet(self, path: Path) -> None:
        """Write a contact sheet of the chosen frames, in a thread."""
        frames = list(self._grid_window.chosen)
        captions = {address: self._sheet_caption(*address) for address in frames}
        places = FramePlaces(self._session)
        most = f", {frame_export.MOST_FRAMES} of them, evenly spaced" if len(frames) > frame_export.MOST_FRAMES else ""
        count = f"{len(frames):,} frame{'' if len(frames) == 1 else 's'}"  # a file stays English
        foot = f"{count}{most} · research use only, not for diagnosis"
        self._thread.request(
            lambda reporter: (path, frame_export.write_contact_sheet(path, frames, captions, places, foot, reporter))
        )

    def _sheet_caption(self, study_id: str, frame_index: int) -> tuple[str, str]:
        """Uses the study id: the name may be the patient's."""
        fact = self._shared.facts.of(study_id, frame_index)
        return f"{study_id}  {format_time(fact.video_seconds)}", (
            f"frame {format_frame_stored(frame_index + 1)}  {', '.join(fact.labels)}".strip()
        )

    def _finding_title(self, finding: Finding) -> str:
        fact = self._shared.facts.of(finding.study_id, finding.span.start)
        return tr(
            "{finding} at {time}, {study}",
            finding=self._session.vocabulary.of(finding.kind).shown_title,
            time=format_time(fact.video_seconds),
            study=fact.study_name,
        )

    def _show_written(self, written: tuple[Path, int]) -> None:
        if self.window is not None:
            self.window.show_progress(None)
            frames = counted(written[1], "frame")
            self.window.show_message(tr("{frames} written to {path}.", frames=frames, path=written[0]))

    def _show_failed(self, outcome: Outcome) -> None:
        if self.window is not None:
            self.window.show_progress(None)
            self.window.show_message(tr(str(outcome)), is_error=True)

    def _stop(self) -> None:
        self._thread.cancel()
        self._grid_window.show_progress(None)
        self._grid_window.show_message(tr("Stopped; nothing was exported."))

    def close(self) -> None:
        """End the thread, and the window with it."""
        super().close()
        if self.window is not None:
            self.window.close()
