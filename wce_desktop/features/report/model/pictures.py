"""Frames for reports: masked outside the field of view, cut to it, with marks drawn into them, and kept as JPEG."""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.runs.reporter import Reporter
from training.video import FieldOfView, FrameMissing, open_source
from training.video.small_picture import small_picture
from wce_desktop.core.drawings import Shape
from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.core.similar import look_the_same
from wce_desktop.features.report.model.marks import NOTHING, Marks, draw
from wce_desktop.library.exchange.study_pictures import MaskedSource, encoded
from wce_desktop.session.frame_facts import FramePlace

CACHE_BYTES = 8 * 2**20
JPEG_QUALITY = 90
CELL_MEAN, CELL_MOST = 5.0, 40.0
"""Levels up to which two key frames of a finding look the same in print (ours): more than while playing, where a small
change may be what a reader looks for. In the demo study a fourth of all successive frames differ by less."""
NOT_MASKED = to_translate(
    "The field of view fills the whole frame, so nothing was masked: look for names in the pictures."
)
MISSING = b""
"""Stands for a frame that cannot be decoded."""
DrawShapes = Callable[[NDArray[np.uint8], Sequence[Shape], tuple[int, int]], NDArray[np.uint8]]
"""A picture cut out of a frame, shapes in pixels of the frame, and where the picture lies in it."""
_SRC = re.compile(r'src="picture:(\d+)"')


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a report.

    Attributes:
        jpeg: frame index -> JPEG; `MISSING` for frames that cannot be decoded.
        is_masked: False where the field of view is the whole frame, so that nothing was masked.
        problem: why there are none at all, or which frames are missing; empty if all are there.
    """

    jpeg: Mapping[int, bytes]
    is_masked: bool = True
    problem: str = ""


class MaskedFrames(MaskedSource):
    """The frames of a study as they may leave the program, cut to the field of view; opened like a file."""

    def __init__(self, place: FramePlace) -> None:
        super().__init__(open_source(place.path, index=place.index, cache_bytes=CACHE_BYTES), place.field_of_view)

    def read(self, frame_index: int) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 RGB, black outside the field of view and cut to it.

        Raises:
            FrameMissing: the frame cannot be decoded.
        """
        return self.cut(self.whole(frame_index))

    def cut(self, frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The same of a whole frame."""
        height, width = frame.shape[:2]
        left, top = corner_of(self.view, (height, width))
        x, y, side = self.view.box
        scale_x, scale_y = width / self.view.width_px, height / self.view.height_px
        right, bottom = min(round((x + side) * scale_x), width), min(round((y + side) * scale_y), height)
        return np.ascontiguousarray(self.masked(frame)[top:bottom, left:right])


def corner_of(view: FieldOfView, frame_size: tuple[int, int]) -> tuple[int, int]:
    """x and y of what is cut out of a frame of this height and width."""
    x, y, _ = view.box
    height, width = frame_size
    return max(int(x * width / view.width_px), 0), max(int(y * height / view.height_px), 0)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A picture without marks, the size of its frame, and what it is compared by; `MISSING` has neither."""

    jpeg: bytes = MISSING
    frame_size: tuple[int, int] = (0, 0)
    small: NDArray[np.int16] | None = None


class PictureStore:
    """Reads the frames of one study once; may be used from several threads."""

    def __init__(self, place: FramePlace, draw_shapes: DrawShapes | None = None) -> None:
        """`draw_shapes` draws what a reader drew on frames; without it that is left out."""
        self._place, self._draw_shapes = place, draw_shapes
        self._lock = threading.Lock()
        self._kept: dict[int, _Kept] = {}
        self._drawn: dict[int, tuple[Marks, bytes]] = {}
        self._is_masked = True

    def known(self, frames: Iterable[int], marks: Mapping[int, Marks] = {}) -> Pictures:
        """What has been read of these frames, with their marks."""
        there = (frame for frame in frames if frame in self._kept)
        return Pictures({frame: self._marked(frame, marks.get(frame, NOTHING)) for frame in there}, self._is_masked)

    def are_similar(self, frame: int, other: int) -> bool:
        """Whether two frames that were read are near-identical."""
        first, second = (self._kept[one].small if one in self._kept else None for one in (frame, other))
        return first is not None and second is not None and look_the_same(first, second, CELL_MEAN, CELL_MOST)

    def _marked(self, frame: int, marks: Marks) -> bytes:
        kept, view = self._kept[frame], self._place.field_of_view
        if marks.is_empty or kept.jpeg == MISSING or view is None:
            return kept.jpeg
        before = self._drawn.get(frame)
        if before is None or before[0] != marks:
            corner = corner_of(view, kept.frame_size)
            drawn = draw(decode_jpeg(kept.jpeg), marks, view, kept.frame_size, corner)
            if marks.shapes and self._draw_shapes is not None:
                drawn = self._draw_shapes(drawn, marks.shapes, corner)
            before = self._drawn[frame] = marks, encode_jpeg(drawn)
        return before[1]

    def load(
        self,
        frames: Iterable[int],
        reporter: Reporter,
        marks: Mapping[int, Marks] = {},
    ) -> Pictures:
        """The pictures of these frames; a video that cannot be read, and frames that do not decode, are said."""
        wanted = sorted(set(frames))
        with self._lock:
            try:
                self._read([frame for frame in wanted if frame not in self._kept], reporter)
            except UserError as error:
                return Pictures({}, self._is_masked, tr("The pictures are missing: {reason}", reason=error.message))
        pictures = self.known(wanted, marks)
        missing = [number_text(frame + 1) for frame, jpeg in pictures.jpeg.items() if jpeg == MISSING]
        return Pictures(pictures.jpeg, self._is_masked, _left_out(missing))

    def _read(self, frames: list[int], reporter: Reporter) -> None:
        if not frames:
            return
        with MaskedFrames(self._place) as source:
            self._place = replace(self._place, field_of_view=source.view)  # it is not searched for again
            self._is_masked = not source.is_whole
            for frame in frames:
                reporter.check()
                try:
                    jpeg, whole = encode_jpeg(source.read(frame)), source.whole(frame)  # decoded once
                    self._kept[frame] = _Kept(jpeg, (whole.shape[0], whole.shape[1]), small_picture(whole, source.view))
                except (FrameMissing, IndexError):
                    self._kept[frame] = _Kept()


def _left_out(missing: Sequence[str]) -> str:
    """A sentence about frames of these numbers that cannot be decoded; empty for none."""
    if not missing:
        return ""
    if len(missing) == 1:
        return tr("Frame {number} cannot be decoded; its picture is left out.", number=missing[0])
    return tr("Frames {numbers} cannot be decoded; their pictures are left out.", numbers=", ".join(missing))


def encode_jpeg(frame: NDArray[np.uint8]) -> bytes:
    """(H, W, 3) uint8 RGB as JPEG without metadata."""
    return encoded(frame, ".jpg", JPEG_QUALITY)


def decode_jpeg(content: bytes) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 RGB of what `encode_jpeg` made."""
    import cv2

    decoded = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    return np.ascontiguousarray(np.asarray(decoded, np.uint8)[:, :, ::-1])


def with_embedded(html: str, jpeg: Mapping[int, bytes]) -> str:
    """A page with its pictures inside, so that it is one file; pictures that are missing show their words."""

    def embedded(found: re.Match[str]) -> str:
        content = jpeg.get(int(found[1]), MISSING)
        return f'src="data:image/jpeg;base64,{base64.b64encode(content).decode()}"' if content else 'src=""'

    return _SRC.sub(embedded, html)
