"""Landmarks: the panel, lines that are dragged on the timeline, and suggestions from other studies."""

from training.errors import NothingToDoError, UserError
from wce_desktop.core.annotation import Edit, Landmark, Region
from wce_desktop.core.annotation.landmark import first_frames
from wce_desktop.core.annotation.landmark_plans import place_landmark, remove_landmark
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.landmarks.landmarks_panel import LandmarksPanel
from wce_desktop.features.landmarks.suggesting import PROPOSED, Found, search
from wce_desktop.session.keys import key_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Connections, Feature, Panel, Workspace


class LandmarksFeature(Feature):
    """Sets, moves and suggests landmarks; the keys that set them belong to reading."""

    own_actions = ("suggest_landmark", "accept_landmark")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.panel = LandmarksPanel(workspace.session, workspace.thumbnails.get)
        self.panels = (Panel(self.panel, "right", to_translate("LANDMARKS"), order=3),)
        self._thread = FunctionThread(
            self,
            returned=workspace.guard(self._show),
            failed=lambda outcome: self.panel.show_sentence(tr(outcome.message)),
        )
        guard, panel = workspace.guard, self.panel
        panel.set_requested.connect(guard(self.set_here))
        panel.remove_requested.connect(guard(self._remove))
        panel.suggest_requested.connect(guard(self.suggest))
        panel.frame_requested.connect(guard(workspace.go_to_frame))
        panel.accept_requested.connect(guard(self.accept_landmark))
        panel.not_reached_requested.connect(guard(self._end_at_last_frame))
        workspace.timeline.landmark_moved.connect(guard(self._move))
        workspace.thumbnails.arrived.connect(self._thumbnail_arrived)
        session = workspace.session
        self._connections = Connections(
            (session.study_opened, self._study_changed),
            (session.study_closed, self._study_changed),
            (session.annotations_changed, self._annotations_changed),
        )

    def set_here(self, region: Region) -> None:
        """Set a landmark to the frame on screen, or move it there."""
        self._place(region, self._workspace.reading.place.frame_index)

    def suggest(self, region: Region) -> None:
        """Look for frames like this landmark of other studies; they are listed when they are found."""
        try:
            find = search(self._session, region)
        except UserError as error:
            self.panel.show_sentence(tr(error))
            return
        self.panel.show_waiting(region)
        self._thread.request(lambda reporter: find(reporter.check))

    def suggest_landmark(self) -> None:
        """Suggest the first of the landmarks that can be proposed and are not set; once all are, the last of them."""
        self._workspace.show_panel("LANDMARKS")
        landmarks = first_frames(self._workspace.reading.entries.landmarks)
        self.suggest(next((region for region in PROPOSED if region not in landmarks), PROPOSED[-1]))
        self.panel.list.setFocus()

    def accept_landmark(self) -> None:
        """Set the landmark to the highlighted suggestion."""
        result, chosen = self.panel.found, self.panel.highlighted
        if result is not None and self.panel.list.count() and chosen is None:
            raise NothingToDoError(
                "No suggestion is highlighted.", "Choose one in LANDMARKS ({key}).", key_of("show_landmarks")
            )
        if result is None or chosen is None:
            raise NothingToDoError(
                "No landmark is suggested.", "Press Suggest beside one in LANDMARKS ({key}).", key_of("show_landmarks")
            )
        self._place(result.region, chosen)
        self.panel.show_found(None)
        self._workspace.player.setFocus()

    def _end_at_last_frame(self) -> None:
        self._place(Region.END, self._workspace.reading.frame_count - 1)

    def _move(self, region: Region, frame_index: int) -> None:
        """A line was dragged; it goes back where the frame is refused."""
        try:
            self._place(region, frame_index)
        finally:
            self._workspace.timeline.set_landmarks(self._workspace.reading.entries.landmarks)

    def _place(self, region: Region, frame_index: int) -> None:
        reading, reader = self._workspace.reading, self._session.library.reader
        landmarks, study_id = reading.entries.landmarks, reading.study.study_id
        plan = place_landmark(landmarks, study_id, region, frame_index, reader=reader)
        self._session.edits.apply_and_say(plan)

    def _remove(self, region: Region) -> None:
        self._session.edits.apply_and_say(remove_landmark(self._workspace.reading.entries.landmarks, region))

    # Slots

    def _show(self, result: Found) -> None:
        if self._session.reading is not None:
            self.panel.show_found(result)

    def _study_changed(self) -> None:
        self._thread.cancel()
        self.panel.show_found(None)
        self.panel.refresh()

    def _annotations_changed(self, edit: Edit | None) -> None:
        if edit is None or edit.touches(Landmark):
            self.panel.refresh()

    def _thumbnail_arrived(self, _: int) -> None:
        if self.panel.found is not None:
            self.panel.show_pictures()
