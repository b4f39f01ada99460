"""Frames of a video file, exact by number."""

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from training.video import frame_decoder, shape
from training.video.packets.table import PacketTable
from training.video.source import FrameCache, FrameSource, Picture

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

_GIVE_UP_AFTER = 32  # later frames that may come out before a frame that was waited for counts as missing
_SKIP_AHEAD = 8  # packets that are decoded rather than seeked over


class VideoSource(FrameSource):
    """A video file read through its index.

    Decoded frames are kept as the decoder gave them (half the bytes of RGB) and turned into RGB when asked for. A read
    that must start at a key frame keeps all that it decodes on the way, so that the steps back from there cost nothing.
    """

    def _open(self) -> None:
        if self.index.packets is None:
            raise ValueError(f"the index of {self.path.name} is not one of a video")
        self._table: PacketTable = self.index.packets
        self._decoder = frame_decoder.FrameDecoder(self.path, self._table)
        self.height_px, self.width_px = self.index.shape.size(*self._decoder.size)
        self._cache: FrameCache[VideoFrame] = FrameCache(self._cache_bytes, shape.frame_bytes)
        self._to_rgb = self._converter()
        self._running: Iterator[tuple[int, VideoFrame | None]] | None = None
        self._last = -1  # the frame that the running decoder gave last
        self._group = -1  # the key packet of the group that was jumped into last

    def _converter(self) -> shape.RgbConverter:
        return shape.RgbConverter(*self._decoder.size, self.index.shape)

    def close(self) -> None:
        """Let go of file and decoder; the source cannot be read afterwards."""
        self._running = None
        self._cache.clear()
        self._decoder.close()

    def _read_or_none(self, frame_index: int) -> Picture | None:
        frame = self._cache.get(frame_index)
        if frame is None and frame_index not in self._missing:
            frame = self._decode(frame_index)
        return None if frame is None else self._to_rgb(frame)

    def _decode(self, frame_index: int) -> "VideoFrame | None":
        """Decode from where the decoder stands, or from the frame's key packet; in doubt, from further back."""
        start = self._start_row(frame_index)
        is_ahead = frame_index > self._last and start <= self._decoder.row + _SKIP_AHEAD
        if self._running is not None and is_ahead:
            frame = self._decode_until(frame_index)
            if frame is not None or frame_index in self._missing:
                return frame
        key = int(self._table.key_rows.searchsorted(start))
        if start != self._group:
            self._running, self._group = None, start
            if (frame := self._jump(frame_index)) is not None:
                return frame
        # A key packet may be one in name only (its recovery takes some frames): hence the tries from further back.
        for row in dict.fromkeys(int(self._table.key_rows[max(key - back, 0)]) for back in (0, 1, 4)):
            self._running = self._decoder.frames_from(row)
            self._last = -1
            frame = self._decode_until(frame_index)
            if frame is not None or frame_index in self._missing:
                return frame
        self._missing.add(frame_index)
        return None

    def _jump(self, frame_index: int) -> "VideoFrame | None":
        """The frame, with all that its group begins with kept; None where something is odd.

        The next read of the group decodes it again, to go on from there.
        """
        frames = self._decoder.group_until(int(self._table.packet_of_frame[frame_index])) or {}
        for number, frame in frames.items():
            if number not in self._missing:
                self._cache.put(number, frame)
        return frames.get(frame_index)

    def _start_row(self, frame_index: int) -> int:
        return int(self._table.start_row[self._table.packet_of_frame[frame_index]])

    def _decode_until(self, frame_index: int) -> "VideoFrame | None":
        later = 0
        for number, frame in self._running or ():
            self._last = max(self._last, number)
            if frame is None or number in self._missing:
                self._missing.add(number)
            else:
                self._cache.put(number, frame)
            if number == frame_index:
                return None if number in self._missing else frame
            later += number > frame_index
            if later > _GIVE_UP_AFTER:
                return None
        self._running = None
        return None

    def _iterate(self, start: int, stop: int, step: int) -> Iterator[tuple[int, Picture | None]]:
        wanted = range(start, stop, step)
        if not wanted:
            return
        to_rgb = self._converter()
        with closing(frame_decoder.FrameDecoder(self.path, self._table)) as decoder:
            frames = decoder.frames_from(self._start_row(start))
            for number, frame in in_order(frames, wanted, frozenset(self._missing)):
                if frame is None:
                    self._missing.add(number)
                yield number, None if frame is None else to_rgb(frame)


class RepeatedFrames(FrameSource):
    """A video in which some frames show the picture before them once more, because the recorder dropped theirs.

    Read from the source of its pictures; the index has `repeated`.
    """

    def _open(self) -> None:
        self._pictures = VideoSource(self.path, self.index.of_pictures(), self._cache_bytes)
        self.height_px, self.width_px = self._pictures.height_px, self._pictures.width_px

    def close(self) -> None:
        """Let go of file and decoder; the source cannot be read afterwards."""
        self._pictures.close()

    @property
    def missing(self) -> list[int]:
        """See `FrameSource.missing`."""
        return np.flatnonzero(np.isin(self.index.pictures, self._pictures.missing)).tolist()

    def _read_or_none(self, frame_index: int) -> Picture | None:
        return self._pictures._read_or_none(int(self.index.pictures[frame_index]))

    def _iterate(self, start: int, stop: int, step: int) -> Iterator[tuple[int, Picture | None]]:
        frames = range(start, stop, step)
        if not frames:
            return
        numbers = self.index.pictures[np.asarray(frames)].tolist()
        pictures: Any = self._pictures.iterate(numbers[0], numbers[-1] + 1)  # a generator
        with closing(pictures):
            number, picture = next(pictures)
            for frame_index, wanted in zip(frames, numbers, strict=True):
                while number < wanted:
                    number, picture = next(pictures)
                yield frame_index, None if picture is None else picture.copy()


def in_order(
    frames: "Iterator[tuple[int, VideoFrame | None]]", wanted: range, missing: frozenset[int] = frozenset()
) -> "Iterator[tuple[int, VideoFrame | None]]":
    """The wanted frames by ascending number, None for a missing one; `frames` may come slightly out of order."""
    waiting: dict[int, VideoFrame | None] = {}
    queue = iter(wanted)
    expected = next(queue, None)
    for number, frame in frames:
        if number in wanted and expected is not None and number >= expected:
            waiting[number] = None if number in missing else frame
        while expected is not None and (expected in waiting or expected in missing or len(waiting) > _GIVE_UP_AFTER):
            yield expected, waiting.pop(expected, None)
            expected = next(queue, None)
        if expected is None:
            return
    while expected is not None:
        yield expected, waiting.pop(expected, None)
        expected = next(queue, None)
