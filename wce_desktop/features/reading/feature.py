"""The Reading menu: playing, stepping, events, labels, findings, landmarks, undo."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

from training.errors import UserError
from wce_desktop.core.clock import FrameAddress, format_time, parse_position
from wce_desktop.core.event import Event
from wce_desktop.core.landmark import Region
from wce_desktop.features.reading.model import annotating
from wce_desktop.features.reading.model.navigation import next_event

if TYPE_CHECKING:
    from wce_desktop.session.reading import Reading
    from wce_desktop.shell.main_window import MainWindow

THRESHOLD_STEP = 0.05
JUMP_FRAMES = 10


class ReadingController(QObject):
    """Turns keys into movements and edits."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._player = window.player

    @property
    def _reading(self) -> "Reading":
        reading = self._session.reading
        if reading is None:
            raise UserError("No study is open.", "Open one with Ctrl+O.")
        return reading

    # Playing and moving

    def toggle_play(self) -> None:
        """Play or pause."""
        self._player.toggle()

    def play_back(self) -> None:
        """Play towards the start, or pause."""
        self._player.toggle(-1)

    def go_to_frame(self, frame_index: int) -> None:
        """Show a frame; playing pauses."""
        self._player.show_frame(int(np.clip(frame_index, 0, self._reading.frame_count - 1)))

    def _step(self, frames: int) -> None:
        self._player.step(frames)

    def step_forward(self) -> None:
        """One frame on."""
        self._step(1)

    def step_back(self) -> None:
        """One frame back."""
        self._step(-1)

    def jump_forward(self) -> None:
        """Ten frames on."""
        self._step(JUMP_FRAMES)

    def jump_back(self) -> None:
        """Ten frames back."""
        self._step(-JUMP_FRAMES)

    def go_first(self) -> None:
        """First frame."""
        self.go_to_frame(0)

    def go_last(self) -> None:
        """Last frame."""
        self.go_to_frame(self._reading.frame_count - 1)

    def faster(self) -> None:
        """Play faster."""
        self._player.faster()

    def slower(self) -> None:
        """Play slower."""
        self._player.slower()

    def go_to(self) -> None:
        """Ask for a frame number or a time."""
        text, is_given = QInputDialog.getText(self._window, "Go to", "Frame (31,204) or time (1:44:01):")
        if is_given and text.strip():
            self.go_to_text(text)

    def go_to_text(self, text: str) -> None:
        """Go to a frame number counted from 1, or to a time."""
        reading = self._reading
        try:
            address = parse_position(text)
        except ValueError as error:
            raise UserError(str(error)) from error
        if isinstance(address, FrameAddress):
            if address.frame_index >= reading.frame_count:
                raise UserError(f"The study ends at frame {reading.frame_count:,}.", "Give a smaller number.")
            self.go_to_frame(address.frame_index)
            return
        seconds = reading.index.video_seconds
        if address.seconds > seconds[-1]:
            raise UserError(f"The study ends at {format_time(float(seconds[-1]))}.", "Give an earlier time.")
        self.go_to_frame(int(np.searchsorted(seconds, address.seconds, side="left")))

    # Events

    def _go_to_next(self, *, backwards: bool, is_only_unseen: bool) -> None:
        reading = self._reading
        wanted = reading.unseen_events if is_only_unseen else None
        event = next_event(reading.events, reading.frame_index, backwards=backwards, wanted=wanted)
        if event is None:
            self._window.tell("Every event has been seen. Shift+N goes through all of them.")
        else:
            self.go_to_event(event)

    def go_to_event(self, event: Event) -> None:
        """Show the frame for which an event was flagged, with its class explained."""
        self._session.choose_event(event)
        self._window.view.explain_class(event.name)
        self.go_to_frame(event.peak_frame)

    def next_unseen_event(self) -> None:
        """Next event not seen yet."""
        self._go_to_next(backwards=False, is_only_unseen=True)

    def previous_unseen_event(self) -> None:
        """Previous event not seen yet."""
        self._go_to_next(backwards=True, is_only_unseen=True)

    def next_event(self) -> None:
        """Next event."""
        self._go_to_next(backwards=False, is_only_unseen=False)

    def previous_event(self) -> None:
        """Previous event."""
        self._go_to_next(backwards=True, is_only_unseen=False)

    def play_flagged(self) -> None:
        """Play flagged frames only, or everything again."""
        self._window.is_flagged_only = not self._window.is_flagged_only
        self._window.update_flagged_spans()

    def lower_threshold(self) -> None:
        """Show more flags."""
        self._session.set_threshold(self._reading.threshold - THRESHOLD_STEP)

    def raise_threshold(self) -> None:
        """Show fewer flags."""
        self._session.set_threshold(self._reading.threshold + THRESHOLD_STEP)

    # Labels, findings, landmarks

    def label(self, name: str) -> None:
        """Label the marked span or the frame on screen."""
        annotating.label_here(self._session, name)

    def __getattr__(self, action_id: str) -> object:
        """The handlers `label_0` to `label_9`, one for each key of the vocabulary."""
        digit = action_id.removeprefix("label_")
        known = self._session.vocabulary.by_key(digit) if action_id.startswith("label_") else None
        if known is None:
            raise AttributeError(action_id)
        return lambda: self.label(known.name)

    def mark_start(self) -> None:
        """Start of the span to label."""
        annotating.mark_start(self._session)

    def mark_stop(self) -> None:
        """End of the span to label."""
        annotating.mark_stop(self._session)

    def clear_span(self) -> None:
        """Label single frames again, close a message, and end what is computed for the frame."""
        self._window.banner.dismiss()
        self._window.explaining.stop()
        if self._session.reading is not None:
            self._session.mark_span(None, None)

    def _event_here(self) -> Event:
        """The event that is highlighted in the list, also while its frame is on its way."""
        event = self._window.flags.highlighted or self._reading.event_here()
        if event is None:
            raise UserError("No event is flagged on this frame.", "N goes to the next event.")
        return event

    def accept_event(self) -> None:
        """Label the event's frames with the suggested class."""
        annotating.accept_event(self._session, self._event_here())

    def reject_event(self) -> None:
        """Label the event's frames as normal."""
        annotating.reject_event(self._session, self._event_here())

    def new_finding(self) -> None:
        """Make a finding of the span, event or frame here and put the cursor into its comment."""
        finding = annotating.new_finding(self._session)
        self._window.view.show_findings()
        self._window.findings.choose(finding)

    def landmark_stomach(self) -> None:
        """First frame of the stomach."""
        annotating.set_landmark(self._session, Region.STOMACH)

    def landmark_small_bowel(self) -> None:
        """First frame of the small bowel."""
        annotating.set_landmark(self._session, Region.SMALL_BOWEL)

    def landmark_colon(self) -> None:
        """First frame of the colon."""
        annotating.set_landmark(self._session, Region.COLON)

    def undo(self) -> None:
        """Take the last edit back."""
        self._session.undo()

    def redo(self) -> None:
        """Do the edit again."""
        self._session.redo()
