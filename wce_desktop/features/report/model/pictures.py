"""Frames for reports: masked outside the field of view, cut to it, and kept as JPEG."""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.runs.reporter import Reporter
from training.video import FieldOfView, FrameMissing, FrameSource, open_source, study_field_of_view
from wce_desktop.session.frame_facts import FramePlace

CACHE_BYTES = 8 * 2**20
JPEG_QUALITY = 90
MISSING = b""
"""Stands for a frame that cannot be decoded."""
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


class MaskedFrames:
    """The frames of a study as they may leave the program; opened like a file.

    Raises:
        UserError: the video cannot be read.
    """

    def __init__(self, place: FramePlace) -> None:
        self._source: FrameSource = open_source(place.path, index=place.index, cache_bytes=CACHE_BYTES)
        try:
            self.view: FieldOfView = place.field_of_view or study_field_of_view(self._source)
        except BaseException:
            self._source.close()
            raise

    def __enter__(self) -> MaskedFrames:
        return self

    def __exit__(self, *_: object) -> None:
        self._source.close()

    def read(self, frame_index: int) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 RGB, black outside the field of view and cut to it.

        Raises:
            FrameMissing: the frame cannot be decoded.
        """
        frame = self._source.read(frame_index)
        height, width = frame.shape[:2]
        inside = self.view.mask(height, width)
        masked = np.where(inside[:, :, None], frame, np.uint8(0))
        x, y, side = self.view.box
        scale_x, scale_y = width / self.view.width_px, height / self.view.height_px
        left, top = max(int(x * scale_x), 0), max(int(y * scale_y), 0)
        right, bottom = min(round((x + side) * scale_x), width), min(round((y + side) * scale_y), height)
        return np.ascontiguousarray(masked[top:bottom, left:right])


class PictureStore:
    """Reads the frames of one study once; may be used from several threads."""

    def __init__(self, place: FramePlace) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._jpeg: dict[int, bytes] = {}
        self._is_masked = True

    def known(self, frames: Iterable[int]) -> Pictures:
        """What has been read of these frames."""
        return Pictures({frame: self._jpeg[frame] for frame in frames if frame in self._jpeg}, self._is_masked)

    def load(self, frames: Iterable[int], reporter: Reporter) -> Pictures:
        """The pictures of these frames; a video that cannot be read, and frames that do not decode, are said."""
        wanted = sorted(set(frames))
        with self._lock:
            try:
                self._read([frame for frame in wanted if frame not in self._jpeg], reporter)
            except UserError as error:
                return Pictures({}, self._is_masked, f"The pictures are missing: {error.message}")
        pictures = self.known(wanted)
        missing = [f"{frame + 1:,}" for frame, jpeg in pictures.jpeg.items() if jpeg == MISSING]
        verb = "Frame {} cannot be decoded" if len(missing) == 1 else "Frames {} cannot be decoded"
        problem = verb.format(", ".join(missing)) + "; its picture is left out." if missing else ""
        return Pictures(pictures.jpeg, self._is_masked, problem)

    def _read(self, frames: list[int], reporter: Reporter) -> None:
        if not frames:
            return
        with MaskedFrames(self._place) as source:
            self._place = replace(self._place, field_of_view=source.view)  # it is not searched for again
            self._is_masked = source.view.kind != "full"
            for frame in frames:
                reporter.check()
                try:
                    self._jpeg[frame] = encode_jpeg(source.read(frame))
                except (FrameMissing, IndexError):
                    self._jpeg[frame] = MISSING


def encode_jpeg(frame: NDArray[np.uint8]) -> bytes:
    """(H, W, 3) uint8 RGB as JPEG without metadata."""
    import cv2

    is_done, coded = cv2.imencode(".jpg", frame[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_done:
        raise ValueError(f"a picture of {frame.shape} cannot be encoded")
    return coded.tobytes()


def with_embedded(html: str, jpeg: Mapping[int, bytes]) -> str:
    """A page with its pictures inside, so that it is one file; pictures that are missing show their words."""

    def embedded(found: re.Match[str]) -> str:
        content = jpeg.get(int(found[1]), MISSING)
        return f'src="data:image/jpeg;base64,{base64.b64encode(content).decode()}"' if content else 'src=""'

    return _SRC.sub(embedded, html)
