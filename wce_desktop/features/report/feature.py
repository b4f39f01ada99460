"""The report of the open study; its window is made when it is opened first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from training.errors import UserError
from training.runs.events import Outcome
from wce_desktop.core.language import tr
from wce_desktop.features.report.model.clips import Exported, export_findings
from wce_desktop.features.report.model.gathering import numbered
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.features.report.shown_report import ShownReport
from wce_desktop.session.frame_facts import FramePlace
from wce_desktop.session.reading import Reading
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Feature, Workspace, methods


class ReportFeature(Feature):
    """Opens the report, and saves clips of the finding on screen."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._session = workspace, workspace.session
        self._shown: ShownReport | None = None
        self._saving = FunctionThread(self)
        self._saving.returned.connect(self._saved)
        self._saving.failed.connect(self._fail)

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return methods(self, ("show_report", "save_clips"))

    @property
    def is_busy(self) -> bool:
        """True while a report is made or something is saved."""
        return self._saving.is_busy or (self._shown is not None and self._shown.is_busy)

    @property
    def window(self) -> ReportWindow | None:
        """The window, once it was opened."""
        return self._shown.window if self._shown is not None else None

    def show_report(self) -> None:
        """Open the report of the open study."""
        assert self._workspace.reading is not None
        self._session.save_seen()
        if self._shown is None:
            self._shown = ShownReport(self._workspace, self)
        self._shown.open()

    def save_clips(self) -> None:
        """Save a clip and the key frames of the findings on screen."""
        reading = self._workspace.reading
        here = [pair for pair in numbered(reading) if reading.place.frame_index in pair[1].span]
        if not here:
            raise UserError("There is no finding on this frame.", "Go to a finding, then save its clip.")
        title = tr("Save clip and stills into this folder")
        chosen = self._workspace.files.ask_folder(self._workspace.window, "reports", title)
        if chosen is not None:
            place = place_of(reading)
            self._saving.request(lambda reporter: export_findings(chosen, place, here, reporter))

    def close(self) -> None:
        """End the threads."""
        self._saving.close()
        if self._shown is not None:
            self._shown.close()

    def _saved(self, exported: Exported) -> None:
        self._workspace.show_message(exported.sentence)

    def _fail(self, outcome: Outcome) -> None:
        self._workspace.show_error(outcome.message, outcome.hint)


def place_of(reading: Reading) -> FramePlace:
    """Where the frames of the open study are read."""
    return FramePlace(reading.study, reading.index, reading.flags.field_of_view)
