"""The strip of explanations over the event on screen: which frames it shows, and computing what they lack."""

from typing import Protocol

import numpy as np
from PySide6.QtCore import Qt

from training.errors import NothingToDoError, UserError
from training.inference.explanation import Method
from wce_desktop.core.clock import counted, format_time, score_text
from wce_desktop.core.language import tr
from wce_desktop.core.span import Span, spread_frames
from wce_desktop.features.explain.event_strip import EventStrip, Tile
from wce_desktop.features.explain.explaining import Explaining
from wce_desktop.features.explain.frame_cams import explain_method
from wce_desktop.session.keys import key_of
from wce_desktop.workspace import Connections, Part, Workspace

MOST_TILES = 16
LEAST_FRAME_PX = 220
ROOM_FOR_TWO_PX = 880  # height of a window that holds two strips and a frame worth looking at


class StripBelow(Protocol):
    """Another strip below the frame."""

    @property
    def is_shown(self) -> bool:
        """Whether it is shown."""

    def fold(self, is_folded: bool) -> None:
        """Hide or show it."""


def strip_method(method: Method) -> Method:
    """How a strip is explained: exact Score-CAM would take its seconds for every frame."""
    return "quick" if method == "score-cam" else method


class EventExplaining(Part):
    """Shows explanations along an event; frames are explained one after the other."""

    def __init__(self, workspace: Workspace, owner: Part, explaining: Explaining, below: StripBelow) -> None:
        super().__init__(workspace, owner)
        self._explaining, self._below = explaining, below
        self.strip = EventStrip(workspace.player.frame_view.overlay, workspace.thumbnails.get)
        self._span: Span | None = None
        self._title = ""
        self._peak: int | None = None
        self._frames: tuple[int, ...] = ()
        guard = workspace.guard
        self.strip.tiles.frame_chosen.connect(guard(workspace.go_to_frame))
        self.strip.close_button.clicked.connect(self.fold)
        self.strip.tiles.room_changed.connect(self._fill)
        self._explaining.map_changed.connect(lambda _: self._show_state())
        self._explaining.queue.changed.connect(self._show_state)
        self._explaining.shown_anew.connect(self._ask)
        workspace.thumbnails.arrived.connect(lambda _: self.strip.tiles.update())
        workspace.player.frame_view.resized.connect(self._hide_if_low, Qt.ConnectionType.QueuedConnection)
        self._connections = Connections(
            (self._session.frame_changed, self.strip.set_current), (self._session.study_closed, self.fold)
        )

    def explain_event(self) -> None:
        """Show or hide the explanations along the event on screen."""
        if not self.strip.isHidden():
            self.fold()
            return
        reading = self._session.reading
        assert reading is not None, "the action table offers this only while a study is open"
        event = reading.event_here()
        if event is not None and not reading.place.is_span_marked:
            if event.name not in reading.flags.pathology_names and reading.flags.live is not None:
                raise UserError(
                    "Only the live scores know this class; the model in use cannot explain it.",
                    "Keep the live scores as a model ({key}) and use it.",
                    key_of("keep_live_model"),
                )
            self._session.explain(event.name)
            title = self._session.vocabulary.of(event.name).shown_title
            self._open(event.span, event.peak_frame, title)
        elif reading.place.is_span_marked:
            self._open(reading.place.span_to_label(), reading.place.frame_index, tr("Marked span"))
        else:
            raise NothingToDoError(
                "No event is flagged on this frame.",
                "Go to an event ({next_unseen_event}), or mark a span ({mark_start}, {mark_stop}).",
                key_of("next_unseen_event"),
                key_of("mark_start"),
                key_of("mark_stop"),
            )

    def _hide_if_low(self, frame_height: int) -> None:
        """Hide this strip where the neighbour strip is shown too and little room is left for the frame."""
        if frame_height < LEAST_FRAME_PX and self._below.is_shown and not self.strip.isHidden():
            self.fold()

    def _open(self, span: Span, peak: int, title: str) -> None:
        reading = self._session.reading
        assert reading is not None
        self._span, self._peak = span, peak if peak in span else None
        start = format_time(float(reading.index.video_seconds[span.start]))
        frames = counted(len(span), "frame")
        self._title = tr("{title}, {frames}, at {time}", title=title, frames=frames, time=start)
        if self._below.is_shown and self._workspace.window.height() < ROOM_FOR_TWO_PX:
            self._below.fold(True)
        self.strip.show()
        self.strip.set_current(reading.place.frame_index)
        self._fill()

    def fold(self) -> None:
        """Hide the strip and cancel its requests."""
        self._span = None
        self._frames = ()
        self.strip.hide()
        self._explaining.queue.ask_later(())

    def _fill(self) -> None:
        """Choose as many frames as fit."""
        reading = self._session.reading
        if self._span is None or reading is None:
            return
        frames = spread_frames(self._span, min(MOST_TILES, self.strip.tiles.room), self._peak)
        if frames != self._frames:
            self._frames = frames
            self.strip.show_tiles([Tile(frame, self._words(frame)) for frame in frames])
            self._ask()

    def _words(self, frame_index: int) -> str:
        """Time and score of a frame."""
        reading, name = self._session.reading, self._explaining.cams.class_name
        assert reading is not None
        time = format_time(float(reading.index.video_seconds[frame_index]))
        score = np.nan
        if name in reading.flags.pathology_names:
            score = float(reading.flags.track(name or "")[frame_index])
        return time if np.isnan(score) else f"{time}  {score_text(score)}"

    def _ask(self) -> None:
        """Request missing explanations; a strip uses the quick method, E computes one frame exactly."""
        cams = self._explaining.cams
        if self._span is None:
            return
        self.strip.show_tiles([Tile(frame, self._words(frame)) for frame in self._frames])
        missing = () if cams.is_from_scores else [frame for frame in self._frames if cams.explanation(frame) is None]
        asked = (cams.request(frame, strip_method(cams.method)) for frame in missing)
        requests = [request for request in asked if request is not None]
        self._explaining.queue.ask_later(requests)
        self._show_state()

    def _show_state(self) -> None:
        if self._span is None:
            return
        waiting = self._explaining.queue.waiting_count
        method = tr(explain_method(strip_method(self._explaining.cams.method)).title)
        done = len(self._frames) - waiting
        how_far = tr("explaining, {done} of {count}", done=done, count=len(self._frames)) if waiting else ""
        self.strip.title.setText("   ".join(filter(None, (self._title, method, how_far))))
        self.strip.tiles.update()
