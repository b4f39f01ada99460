"""Suggested boxes: drawn from what the overlay shows, accepted or rejected by the reader, and exported as COCO."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets.annotations.coco import coco_document, frame_name, write_coco
from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage
from training.errors import NothingToDoError, UserError
from training.inference.explanation import TITLES, Method, above, weak_boxes
from training.video import FieldOfView, paste_map
from wce_desktop.core import counted, in_english, score_text, tr, tr_count
from wce_desktop.core.boxes import SuggestedBox, accept_boxes, suggested_by
from wce_desktop.features.explain.explaining import Explaining
from wce_desktop.session import keys, model_notes
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.workspace import Connections, Part, Workspace


class BoxSuggestions:
    """Suggested boxes by frame; they are not labels, are not stored, and are dropped when the study is closed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._boxes: dict[int, tuple[SuggestedBox, ...]] = {}

    def at(self, frame_index: int) -> tuple[SuggestedBox, ...]:
        """What is suggested on a frame."""
        return self._boxes.get(frame_index, ())

    @property
    def frames(self) -> tuple[int, ...]:
        """The frames that have suggestions, in order."""
        return tuple(sorted(self._boxes))

    def suggest(
        self, frame_index: int, values: NDArray[np.floating], view: FieldOfView, level: float, name: str, method: Method
    ) -> int:
        """Suggest boxes around areas above `level` of a CAM's maximum, in (0, 1] as the line; returns how many.

        `values` (h, w): raw map over the square that the model saw; boxes come in pixels of the frames of `view`.
        """
        overlay = paste_map(above(values, 0), view, view.height_px, view.width_px)
        model_id = self._session.model_id
        boxes = tuple(
            SuggestedBox(frame_index, *box.corners, name, box.strength, method, model_id)
            for box in weak_boxes(overlay, threshold=level)
        )
        if boxes:
            self._boxes[frame_index] = boxes
        else:
            self._boxes.pop(frame_index, None)
        return len(boxes)

    def accept(self, reading: Reading) -> None:
        """Keep what is suggested on the frame on screen with the labels, as one edit.

        Raises:
            UserError: nothing is suggested there.
        """
        suggested, reader = self._suggested(reading.place.frame_index), self._session.library.reader
        plan = accept_boxes(suggested, reading.entries.findings, reading.study.study_id, reader)
        self._session.edits.apply(plan.title, plan.changes, model_id=suggested[0].model_id)
        self._boxes.pop(reading.place.frame_index, None)  # not before they are kept

    def take(self, frame_index: int) -> tuple[SuggestedBox, ...]:
        """Take the suggestions of a frame away, and return them.

        Raises:
            UserError: nothing is suggested there.
        """
        suggested = self._suggested(frame_index)
        del self._boxes[frame_index]
        return suggested

    def _suggested(self, frame_index: int) -> tuple[SuggestedBox, ...]:
        if frame_index not in self._boxes:
            raise NothingToDoError(
                "No box is suggested on this frame.", "Press {key} to suggest boxes.", keys.key_of("suggest_boxes")
            )
        return self._boxes[frame_index]


def export_boxes(session: Session, suggestions: BoxSuggestions, size: tuple[int, int], level: float, path: Path) -> str:
    """Write a JSON file; returns a description of its content. It contains no patient name.

    `size`: (width, height) of the open study's frames in px; `level`: share of a map's maximum at which boxes were
    suggested, for the file's `info`.

    Raises:
        UserError: no study is open, it has no box, or the file cannot be written.
    """
    reading = session.reading
    if reading is None:
        raise NothingToDoError("No study is open.", "Open a study first.")
    images = _images(reading, suggestions, size)
    boxes = [box for image in images for box in image.boxes]
    if not boxes:
        raise UserError(
            "This study has no boxes.", "Press {key} to suggest boxes on this frame.", keys.key_of("suggest_boxes")
        )
    with in_english():  # a file stays English
        note = model_notes.score_note(session)
    methods = {suggestion.method for frame in suggestions.frames for suggestion in suggestions.at(frame)}
    methods |= {suggested_by(box) for box in reading.entries.boxes if suggested_by(box)}
    document = coco_document(
        images,
        model_id=session.model_id,
        method="; ".join(sorted(TITLES.get(method, method) for method in methods)),
        settings={"threshold": round(level, 3)} | ({"note": note} if note else {}),
        categories=[name for name in session.vocabulary.names if any(box.name == name for box in boxes)],
    )
    write_coco(path, document)
    suggested = sum(box.source == "suggestion" for box in boxes)
    return tr(
        "{boxes} on {frames}, {suggested} of them only suggested",
        boxes=counted(len(boxes), "box"),
        frames=counted(len(images), "frame"),
        suggested=suggested,
    )


def _images(reading: Reading, suggestions: BoxSuggestions, size: tuple[int, int]) -> list[AnnotatedImage]:
    """The frames with boxes: those of the reader first, then those that are only suggested."""
    boxes: dict[int, list[AnnotatedBox]] = {}
    for box in reading.entries.boxes:
        method = suggested_by(box)
        corners = box.x_min, box.y_min, box.x_max, box.y_max
        result = AnnotatedBox(box.name, *corners, source="accepted" if method else "drawn", method=method)
        boxes.setdefault(box.frame_index, []).append(result)
    for frame in suggestions.frames:
        for each in suggestions.at(frame):
            corners = each.x_min, each.y_min, each.x_max, each.y_max
            score = round(min(1.0, each.strength), 4)
            boxes.setdefault(frame, []).append(AnnotatedBox(each.name, *corners, source="suggestion", score=score))
    study_id, seconds = reading.study.study_id, reading.index.video_seconds
    return [
        AnnotatedImage(
            frame_name(study_id, frame), *size, study_id, frame, round(float(seconds[frame]), 3), boxes=boxes[frame]
        )
        for frame in sorted(boxes)
    ]


class BoxActions(Part):
    """Suggests boxes from explanations and lets the reader accept or reject them."""

    def __init__(self, workspace: Workspace, owner: Part, explaining: Explaining) -> None:
        super().__init__(workspace, owner)
        self._explaining = explaining
        self.suggestions = BoxSuggestions(workspace.session)
        line, guard = explaining.panel.boxes, workspace.guard
        line.suggest.clicked.connect(guard(self.suggest_boxes))
        line.accept.clicked.connect(guard(self.accept_boxes))
        line.reject.clicked.connect(guard(self.reject_boxes))
        explaining.map_changed.connect(lambda _: self.show_boxes())
        explaining.shown_anew.connect(self.show_boxes)
        self._connections = Connections(
            (self._session.frame_changed, self.show_boxes),
            (self._session.annotations_changed, self.show_boxes),
            (self._session.study_closed, self._forget),
        )

    def suggest_boxes(self) -> None:
        """Draw boxes around the strongest evidence on the frame on screen, dashed until accepted or rejected."""
        explaining, frame = self._explaining, self._workspace.reading.place.frame_index
        shown, view, name = explaining.cams.of(frame), explaining.field_of_view, explaining.cams.class_name
        if shown is None or name is None:
            raise UserError(
                "This frame has no explanation yet.",
                "Press {explain_frame} to explain it, then {suggest_boxes} to suggest boxes.",
                keys.key_of("explain_frame"),
                keys.key_of("suggest_boxes"),
            )
        if not explaining.cams.is_of_a_class:
            raise UserError(
                "This explanation shows no class.",
                "Choose another method ({key}) to suggest boxes.",
                keys.key_of("next_method"),
            )
        if view is None:
            raise UserError("The field of view of this study is not known.", "Score the study again.")
        explaining.turn_on()
        level, method = explaining.contour_level, explaining.cams.shown_method(frame)
        count = self.suggestions.suggest(frame, shown.values, view, level, name, method)
        title = self._session.vocabulary.of(name).title_in_sentence
        if not count:
            self._workspace.show_message(tr("The model finds no evidence of {finding} on this frame.", finding=title))
        elif (score := explaining.cams.score(frame, name)) < self._workspace.reading.flags.threshold:
            # CAMs are scaled per frame
            message = tr(
                "The model gives {finding} only {score} here: these boxes are unreliable.",
                finding=title,
                score=score_text(score),
            )
            self._workspace.show_message(message)
        self.show_boxes()

    def accept_boxes(self) -> None:
        """Keep the suggested boxes of the frame on screen."""
        self.suggestions.accept(self._workspace.reading)
        self.show_boxes()

    def reject_boxes(self) -> None:
        """Take the suggested boxes of the frame on screen away."""
        count = len(self.suggestions.take(self._workspace.reading.place.frame_index))
        message = tr_count("{count} suggested box rejected.", "{count} suggested boxes rejected.", count)
        self._workspace.show_message(message)
        self.show_boxes()

    def show_boxes(self) -> None:
        """Show the boxes of the frame on screen, on it and in the panel."""
        reading = self._session.reading
        frame = -1 if reading is None else reading.place.frame_index
        kept = 0 if reading is None else sum(box.frame_index == frame for box in reading.entries.boxes)
        has_map = reading is not None and self._explaining.cams.of(frame) is not None
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
            raise NothingToDoError("No frame is on screen.", "Go to a frame that can be read.")
        size = (pictures[0].width(), pictures[0].height())
        level = self._explaining.contour_level
        place = self._session.place_to_save(path)
        summary = export_boxes(self._session, self.suggestions, size, level, place)
        self._workspace.show_message(f"{summary}: {path.name}")

    def _forget(self) -> None:
        self.suggestions = BoxSuggestions(self._session)
        self.show_boxes()
