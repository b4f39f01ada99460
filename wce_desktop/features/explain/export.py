"""Exports the shown explanation as an image."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QPixmap

from training.errors import UserError
from training.files.outputs import written_beside
from training.texts import Text
from wce_desktop.core.clock import format_frame, format_time
from wce_desktop.core.language import tr
from wce_desktop.features.explain.explaining import Explaining
from wce_desktop.features.explain.view.picture import ShownExplanation, explanation_picture
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import score_note
from wce_desktop.widgets.player.annotation_painter import FrameNotes
from wce_desktop.workspace import Workspace


class ExplanationExport(QObject):
    """One picture of the frame on screen; method and model stand in it, patient and file never."""

    def __init__(self, workspace: Workspace, explaining: Explaining, notes_of: Callable[[int], FrameNotes]) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._session = workspace.session
        self._explaining, self._notes_of = explaining, notes_of

    def export_explanation(self) -> None:
        """Ask for a file and write the picture."""
        seen = self._seen()
        reading = self._session.reading
        assert reading is not None
        words = re.sub(r"[^a-z0-9]+", "-", seen.layer.source.lower()).strip("-")
        name = f"explanation-frame-{reading.place.frame_index + 1:06d}-{words[:60]}.png"
        window, title = self._workspace.window, tr("Export the explanation")
        chosen = self._workspace.files.ask_new_file(window, "pictures", title, name, tr("Picture (*.png)"))
        if chosen is not None:
            self._write(seen, chosen)

    def export_to(self, path: Path) -> None:
        """Write the picture.

        Raises:
            UserError: there is no explanation or field of view, or the file cannot be written.
        """
        self._write(self._seen(), path)

    def _write(self, seen: ShownExplanation, path: Path) -> None:
        """Write to a temporary file and rename it, so that a full disk leaves no partial image."""
        self._session.place_to_save(path)
        try:
            with written_beside(path, clean=True) as beside:
                if not QPixmap.fromImage(explanation_picture(seen)).save(str(beside), "PNG"):
                    raise OSError(Text("the disk is full or the folder does not exist"))
        except OSError as error:
            reason = error.strerror or error
            raise UserError(
                "The picture {path} cannot be written ({reason}).", "Choose another folder.", path, reason
            ) from error
        self._workspace.show_message(tr("Exported: {name}", name=path.name))

    def _seen(self) -> ShownExplanation:
        reading, player = self._session.reading, self._workspace.player
        frames = player.frame_view.frames
        if reading is None or not frames or frames[0].picture is None:
            raise UserError("No frame is on screen.", "Go to a frame that can be read.")
        frame_index = frames[0].frame_index
        layer = player.frame_view.overlay.layer(frame_index)
        if layer is None:
            raise UserError("This frame has no explanation yet.", "Press {key} to explain it.", key_of("explain_frame"))
        view = self._explaining.field_of_view
        if view is None:  # the picture might then show the patient's name
            raise UserError("The field of view of this study is not known.", "Score the study again.")
        notes = self._notes_of(frame_index)
        time = format_time(float(reading.index.video_seconds[frame_index]))
        return ShownExplanation(
            frame=frames[0].picture,
            view=view,
            overlay=player.frame_view.overlay,
            layer=layer,
            outlines=notes.outlines,
            title=tr("Frame {frame} at {time}", frame=format_frame(frame_index + 1), time=time),
            score=notes.score_text,
            is_beside=self._explaining.is_beside,
            training_note=score_note(self._session),
        )
