"""Suggested boxes: drawn from what the overlay shows, accepted or rejected by the reader, and exported."""

from pathlib import Path

from PySide6.QtCore import QObject

from training.errors import UserError
from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.score_text import score_text
from wce_desktop.features.explain.explaining import Explaining
from wce_desktop.features.explain.model.coco_export import export_boxes
from wce_desktop.features.explain.model.weak_boxes import BoxSuggestions
from wce_desktop.session.keys import key_of
from wce_desktop.workspace import Workspace


class BoxActions(QObject):
    """Suggests boxes from explanations and lets the reader accept or reject them."""

    def __init__(self, workspace: Workspace, explaining: Explaining) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._session = workspace.session
        self._explaining = explaining
        self.suggestions = BoxSuggestions(workspace.session)
        line, guard = explaining.panel.boxes, workspace.guard
        line.suggest_requested.connect(guard(self.suggest_boxes))
        line.accept_requested.connect(guard(self.accept_boxes))
        line.reject_requested.connect(guard(self.reject_boxes))
        explaining.map_changed.connect(lambda _: self.show_boxes())
        explaining.shown_anew.connect(self.show_boxes)
        self._session.frame_changed.connect(self.show_boxes)
        self._session.annotations_changed.connect(self.show_boxes)
        self._session.study_closed.connect(self._forget)

    def suggest_boxes(self) -> None:
        """Draw boxes around the strongest evidence on the frame on screen, dashed until accepted or rejected."""
        explaining, frame = self._explaining, self._workspace.reading.place.frame_index
        shown, view, name = explaining.cam_of(frame), explaining.field_of_view, explaining.cams.class_name
        if shown is None or name is None:
            raise UserError(
                "This frame has no explanation yet.",
                "Press {explain_frame} to explain it, then {suggest_boxes} to suggest boxes.",
                key_of("explain_frame"),
                key_of("suggest_boxes"),
            )
        if not explaining.cams.is_of_a_class:
            raise UserError(
                "This explanation shows no class.",
                "Choose another method ({key}) to suggest boxes.",
                key_of("next_method"),
            )
        if view is None:
            raise UserError("The field of view of this study is not known.", "Score the study again.")
        explaining.turn_on()
        level, method = explaining.contour_level, explaining.cams.shown_method(frame)
        found = self.suggestions.suggest(frame, shown.values, view, level=level, name=name, method=method)
        title = self._session.vocabulary.of(name).title_in_sentence
        if not found:
            said = tr("The model finds no evidence of {finding} on this frame.", finding=title)
            self._workspace.show_message(said)
        elif (score := explaining.cams.score(frame, name)) < self._workspace.reading.flags.threshold:
            # CAMs are scaled per frame
            said = tr(
                "The model gives {finding} only {score} here: these boxes are unreliable.",
                finding=title,
                score=score_text(score),
            )
            self._workspace.show_message(said)
        self.show_boxes()

    def accept_boxes(self) -> None:
        """Keep the suggested boxes of the frame on screen."""
        self.suggestions.accept(self._workspace.reading.place.frame_index)
        self.show_boxes()

    def reject_boxes(self) -> None:
        """Take the suggested boxes of the frame on screen away."""
        count = self.suggestions.reject(self._workspace.reading.place.frame_index)
        said = tr_count("{count} suggested box rejected.", "{count} suggested boxes rejected.", count)
        self._workspace.show_message(said)
        self.show_boxes()

    def show_boxes(self) -> None:
        """Show the boxes of the frame on screen, on it and in the panel."""
        reading = self._session.reading
        frame = -1 if reading is None else reading.place.frame_index
        kept = 0 if reading is None else sum(box.frame_index == frame for box in reading.entries.boxes)
        has_map = reading is not None and self._explaining.cam_of(frame) is not None
        can_suggest = has_map and self._explaining.cams.is_of_a_class
        self._explaining.panel.boxes.show_boxes(len(self.suggestions.at(frame)), kept, can_suggest)
        self._workspace.player.refresh_notes()

    def export_coco(self) -> None:
        """Ask for a file and write all boxes of the study."""
        name = f"{self._workspace.reading.study.study_id}-boxes.json"
        window, title = self._workspace.window, tr("Export boxes (COCO)")
        chosen = self._workspace.files.ask_new_file(window, "labels", title, name, "COCO (*.json)")
        if chosen is not None:
            self.export_to(chosen)

    def export_to(self, path: Path) -> None:
        """Write all boxes of the study, kept and suggested, as COCO."""
        frames = self._workspace.player.frame_view.frames
        pictures = [frame.picture for frame in frames if frame.picture is not None]
        if not pictures:
            raise UserError("No frame is on screen.", "Go to a frame that can be read.")
        size = (pictures[0].width(), pictures[0].height())
        level = self._explaining.contour_level
        place = self._session.place_to_save(path)
        summary = export_boxes(self._session, self.suggestions, size, level, place)
        self._workspace.show_message(f"{summary}: {path.name}")

    def _forget(self) -> None:
        self.suggestions.forget()
        self.show_boxes()

    def close(self) -> None:
        """Disconnect from all signals."""
        self._session.frame_changed.disconnect(self.show_boxes, missing_ok=True)
        self._session.annotations_changed.disconnect(self.show_boxes, missing_ok=True)
        self._session.study_closed.disconnect(self._forget, missing_ok=True)
