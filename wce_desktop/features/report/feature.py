"""The report of the open study; its window is made when it is opened first."""

from __future__ import annotations

from training.errors import NothingToDoError
from wce_desktop.core.language import tr
from wce_desktop.features.report.model.clips import export_findings
from wce_desktop.features.report.model.gathering import numbered
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.features.report.shown_report import ShownReport
from wce_desktop.session.frame_facts import place_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Feature, Workspace


class ReportFeature(Feature):
    """Opens the report, and saves clips of the finding on screen."""

    own_actions = ("show_report", "save_clips")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._shown: ShownReport | None = None
        self._saving = FunctionThread(
            self,
            returned=lambda exported: workspace.show_message(exported.sentence),
            failed=workspace.show_failure,
        )

    @property
    def window(self) -> ReportWindow | None:
        """The window, once it was opened."""
        return self._shown.window if self._shown is not None else None

    def show_report(self) -> None:
        """Open the report of the open study."""
        self._session.save_seen()
        if self._shown is None:
            self._shown = ShownReport(self._workspace, self)
        self._shown.open()

    def save_clips(self) -> None:
        """Save a clip and the key frames of the findings on screen."""
        reading = self._workspace.reading
        here = [pair for pair in numbered(reading) if reading.place.frame_index in pair[1].span]
        if not here:
            raise NothingToDoError("There is no finding on this frame.", "Go to a finding, then save its clip.")
        title = tr("Save clip and stills into this folder")
        chosen = self._workspace.files.ask_folder(self._workspace.window, "reports", title)
        if chosen is not None:
            place = place_of(reading)
            self._saving.request(lambda reporter: export_findings(chosen, place, here, reporter))
