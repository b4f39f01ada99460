"""The frame on screen to the clipboard, into a file or into the report, with what a reader draws on it."""

import re
from collections.abc import Callable

from PySide6.QtGui import QGuiApplication, QImage

from training.errors import NothingToDoError
from training.runs.reporter import Reporter
from training.video import FieldOfView, open_source, study_field_of_view
from wce_desktop.core import format_frame, format_time, to_translate, tr
from wce_desktop.features.capture.drawing import Drawing, drawing_change
from wce_desktop.features.capture.frame_picture import ShownPicture, frame_picture
from wce_desktop.session.frame_facts import place_of
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import score_note
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.player.frame_view import ShownFrame
from wce_desktop.widgets.player.pictures import save_png
from wce_desktop.workspace import Connections, Feature, Workspace, methods

NOT_MASKED = to_translate("The field of view fills the whole frame, so nothing was masked: look for names in it.")


class CaptureFeature(Feature):
    """Pictures of the frame on screen; no file and no copy names the patient."""

    own_actions = ("picture_to_report", "copy_picture", "save_picture")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.drawing = Drawing(workspace, self)
        workspace.player.put_below_tools(self.drawing.bar)
        self._then: Callable[[FieldOfView], None] | None = None
        """What is done once the field of view is found."""
        self._searching = FunctionThread(
            self, returned=workspace.guard(self._view_found), failed=workspace.show_failure
        )
        self._connections = Connections(
            (self._session.frame_changed, self._show_state),
            (self._session.annotations_changed, self._show_state),
            (self._session.study_opened, self._show_state),
            (self._session.study_closed, self._searching.cancel),
        )

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """See `session.actions`."""
        return {**methods(self, self.own_actions), "draw_on_frame": self.drawing.draw_on_frame}

    def picture_to_report(self) -> None:
        """Show the frame on screen in the report, or no longer."""
        reading, frame = self._workspace.reading, self._frame_on_screen().frame_index
        drawings = reading.entries.drawings.toggled(frame)
        is_in = frame in drawings.in_report
        title = (
            to_translate("Put a picture into the report") if is_in else to_translate("Take a picture out of the report")
        )
        self._session.edits.apply(title, [drawing_change(self._session, drawings)])
        words = tr("Frame {frame} is no longer a picture of the report.", frame=format_frame(frame + 1))
        if is_in:
            key = key_of("picture_to_report")
            words = tr(
                "Frame {frame} is a picture of the report. {key} takes it out.", frame=format_frame(frame + 1), key=key
            )
        self._workspace.show_message(words)

    def copy_picture(self) -> None:
        """Put the picture into the clipboard."""
        self._with_view(self._copy)

    def save_picture(self) -> None:
        """Ask for a file and write the picture."""
        self._with_view(self._ask_and_save)

    def _copy(self, view: FieldOfView) -> None:
        QGuiApplication.clipboard().setImage(self._picture(view))
        frame = format_frame(self._frame_on_screen().frame_index + 1)
        self._remark(tr("Frame {frame} was copied.", frame=frame), view)

    def _ask_and_save(self, view: FieldOfView) -> None:
        picture, shown = self._picture(view), self._shown(view)
        source = "" if shown.layer is None else re.sub(r"[^a-z0-9]+", "-", shown.layer.source.lower()).strip("-")
        number = f"{self._frame_on_screen().frame_index + 1:06d}"
        name = f"explanation-frame-{number}-{source[:60]}.png" if source else f"frame-{number}.png"
        window, kinds = self._workspace.window, tr("Picture (*.png)")
        path = self._workspace.files.ask_new_file(window, "pictures", tr("Save the picture"), name, kinds)
        if path is not None:
            self._session.place_to_save(path)
            save_png(picture, path)
            self._remark(tr("Exported: {name}", name=path.name), view)

    def _remark(self, words: str, view: FieldOfView) -> None:
        self._workspace.show_message(f"{words} {tr(NOT_MASKED)}" if view.kind == "full" else words)

    def _with_view(self, then: Callable[[FieldOfView], None]) -> None:
        """Do it with the field of view of the study: that of its scores, or as searched for in its frames."""
        reading = self._workspace.reading
        self._frame_on_screen()
        view = reading.flags.field_of_view or self._workspace.player.frame_view.overlay.field_of_view
        if view is not None:
            then(view)
            return
        self._then, place = then, place_of(reading)

        def search(_: Reporter) -> FieldOfView:
            with open_source(place.path, index=place.index) as source:
                return study_field_of_view(source)

        self._searching.request(search)

    def _view_found(self, view: FieldOfView) -> None:
        then, self._then = self._then, None
        if then is not None and self._session.reading is not None:
            then(view)

    def _frame_on_screen(self) -> ShownFrame:
        frames = self._workspace.player.frame_view.frames
        if not frames or frames[0].picture is None:
            raise NothingToDoError("No frame is on screen.", "Go to a frame that can be read.")
        return frames[0]

    def _picture(self, view: FieldOfView) -> QImage:
        return frame_picture(self._shown(view))

    def _shown(self, view: FieldOfView) -> ShownPicture:
        shown, frame, reading = self._workspace.player.frame_view, self._frame_on_screen(), self._workspace.reading
        assert frame.picture is not None
        layer = shown.overlay.layer(frame.frame_index) if shown.overlay.is_visible else None
        time = format_time(float(reading.index.video_seconds[frame.frame_index]))
        return ShownPicture(
            frame=frame.picture,
            view=view,
            overlay=shown.overlay,
            layer=layer,
            notes=shown.notes(frame.frame_index),
            title=tr("Frame {frame} at {time}", frame=format_frame(frame.frame_index + 1), time=time),
            is_beside=shown.is_beside and layer is not None,
            training_note=score_note(self._session) if layer is not None else "",
        )

    def _show_state(self, _: object = None) -> None:
        reading = self._session.reading
        is_in = reading is not None and reading.place.frame_index in reading.entries.drawings.in_report
        self._workspace.menus.check({"picture_to_report": is_in})
