"""Go on reading: play what nobody looked at, and count down what is left of it."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QProgressBar

from training.errors import UserError
from wce_desktop.core import format_time, tr, tr_count
from wce_desktop.core.blood import next_mark
from wce_desktop.core.dwell import SEEN_UP_TO_FPS, counts_as_seen
from wce_desktop.core.seen import Seen
from wce_desktop.core.visible_mucosa import view_words
from wce_desktop.features.reading.events import next_unread, to_read
from wce_desktop.session.keys import key_of
from wce_desktop.widgets.plain_text import plain
from wce_desktop.workspace import Connections, Part, Workspace

if TYPE_CHECKING:
    from wce_desktop.features.reading.views import ReadingViews

BAR_HEIGHT_PX = 18


class GoingOn(Part):
    """Plays the frames not seen of the small bowel, or of the study where its landmarks are not set."""

    own_actions = ("go_on_reading", "next_unread", "next_blood")

    def __init__(self, workspace: Workspace, views: "ReadingViews") -> None:
        super().__init__(workspace, views)
        self._views, self._player = views, workspace.player
        self._left_at_start: int | None = None  # while going on
        self._is_upright = False
        self.bar = QProgressBar()
        self.bar.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.bar.setStyleSheet(f"min-height: {BAR_HEIGHT_PX}px; max-height: {BAR_HEIGHT_PX}px")  # with its text
        self.bar.setAccessibleName(tr("Frames left to read"))
        self.bar.hide()
        self._player.put_below_tools(self.bar)
        self._player.upright_changed.connect(self._set_upright)
        self._stopped = QTimer(self, singleShot=True, interval=0)  # what was on screen last is counted first
        self._stopped.timeout.connect(workspace.guard(self._go_round))
        self._player.state_changed.connect(self._state_changed)
        self._connections = Connections(
            (self._session.study_closed, self._close_bar),
            (self._session.seen_changed, self._seen_changed),
            (self._session.settings_changed, self._show_left),
        )

    def _set_upright(self, is_upright: bool) -> None:
        self._is_upright = is_upright
        self._show_left()

    def next_unread(self) -> None:
        """Go to where the next stretch begins that nobody looked at."""
        reading = self._workspace.reading
        within, name = to_read(reading.entries.landmarks, reading.frame_count)
        frame = next_unread(reading.unread, self._player.position, within)
        if frame is None:
            self._workspace.show_message(_nothing_left(reading.seen_in(within), name))
            return
        words = tr("{percent} of {part} seen.", percent=reading.seen_in(within).text, part=name)
        self._workspace.show_message(
            " ".join(filter(None, (words, view_words(reading.flags.visible_mucosa, reading.flags.has_view))))
        )
        self._workspace.go_to_frame(frame)

    def next_blood(self) -> None:
        """Go to the next frames that the blood indicator marks."""
        reading = self._workspace.reading
        marked = reading.marked_as_blood
        if marked is None:
            raise UserError("This study has no blood indicator yet.", "Score it again ({key}).", key_of("score_study"))
        frame = next_mark(marked, reading.place.frame_index)
        if frame is None:
            self._workspace.show_message(tr("The blood indicator marks no frame."))
            return
        count = int(np.count_nonzero(marked))
        self._workspace.show_message(
            tr_count(
                "Marked by colour alone, {count} frame in all. Blood can be missed, and folds or foam marked.",
                "Marked by colour alone, {count} frames in all. Blood can be missed, and folds or foam marked.",
                count,
            )
        )
        self._workspace.go_to_frame(frame)

    def go_on_reading(self) -> None:
        """Play on at the reader's speed from the frame on screen, or the next one that was not seen; again: pause."""
        if self._left_at_start is not None and self._player.playback.is_playing:
            self._player.pause()
            return
        reading = self._workspace.reading
        within, name = to_read(reading.entries.landmarks, reading.frame_count)
        unread = np.zeros(reading.frame_count, dtype=bool)
        unread[within.start : within.stop] = reading.unread[within.start : within.stop]
        frames = np.flatnonzero(unread)
        if not len(frames):
            self._workspace.show_message(_nothing_left(reading.seen_in(within), name))
            return
        self.bar.show()
        self._show_left()
        here = reading.place.frame_index
        first = int(frames[np.searchsorted(frames, here) % len(frames)])
        self._player.pause()
        self._views.play_only(unread)
        if first != here:
            self._workspace.go_to_frame(first)
        self._left_at_start = len(frames)
        self._player.toggle()
        if not self._player.playback.is_playing:  # nothing comes after this frame: over once it stayed on screen
            self._stopped.stop()

    def _state_changed(self, is_playing: bool, _: int) -> None:
        self._show_left()
        if self._left_at_start is not None and not is_playing:
            self._stopped.start()

    def _seen_changed(self) -> None:
        self._state_changed(self._player.playback.is_playing, 0)

    def _go_round(self) -> None:
        """Playing has stopped: begin again before where it began, if it came to the end and frames there are left."""
        before, self._left_at_start = self._left_at_start, None
        reading = self._session.reading
        if before is None or reading is None:
            return
        came_to_end = not self._player.playback.upcoming(1)
        self._views.play_only(None)
        if not came_to_end:
            return
        within, name = to_read(reading.entries.landmarks, reading.frame_count)
        unread = reading.unread[within.start : within.stop]
        left = reading.seen_in(within).left
        if 0 < left < before and unread[: max(0, reading.place.frame_index - within.start)].any():
            self.go_on_reading()
        elif left:
            self._workspace.show_message(
                tr_count(
                    "The end of {part} is reached; {count} frame is not seen.",
                    "The end of {part} is reached; {count} frames are not seen.",
                    left,
                    part=name,
                )
            )
        else:
            self._workspace.show_message(_nothing_left(reading.seen_in(within), name))
            self.bar.hide()

    def _close_bar(self) -> None:
        self._left_at_start = None
        self._stopped.stop()
        self._views.play_only(None)
        self.bar.hide()

    def _show_left(self) -> None:
        """Show how many frames are left, and how long they take at this speed; advise where it is too fast."""
        reading, playback = self._session.reading, self._player.playback
        if reading is None or self.bar.isHidden():
            return
        within, name = to_read(reading.entries.landmarks, reading.frame_count)
        seen = reading.seen_in(within)
        left = seen.left
        self.bar.setRange(0, max(seen.frames, 1))
        self.bar.setValue(max(seen.frames, 1) - left)
        rate = playback.rate_fps * playback.views
        time = format_time(left / rate)
        text = tr_count(
            "{count} frame of {part} left: {time} at {rate} frames/s",
            "{count} frames of {part} left: {time} at {rate} frames/s",
            left,
            part=name,
            time=time,
            rate=rate,
        )
        if not left:
            text = _nothing_left(seen, name)
        elif not counts_as_seen(playback.rate_fps, playback.views):
            text += " – " + tr("more lesions are missed above {rate}", rate=SEEN_UP_TO_FPS * min(playback.views, 2))
        short = tr("{count} left, {time}", count=left, time=time) if left else tr("{percent} seen", percent=seen.text)
        shown = short if self._is_upright else text
        self.bar.setFormat(shown)
        self.bar.setToolTip(plain(text))


def _nothing_left(seen: Seen, part: str) -> str:
    """ "Nothing of the small bowel is left to read: 99 % seen. 2 frames do not count ..."."""
    first = tr("Nothing of {part} is left to read: {percent} seen.", part=part, percent=seen.text)
    return f"{first} {seen.reason}".strip()
