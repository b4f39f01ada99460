"""Frames of a folder of images."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.video.dicom.elements import is_dicom
from training.video.formats import may_be_dicom
from training.video.frame_cache import FrameCache
from training.video.frame_index import FrameIndex
from training.video.image_header import image_size
from training.video.multiframe import single_picture
from training.video.rgb import letterbox
from training.video.source import FrameSource, Picture


def read_image(path: Path) -> NDArray[np.uint8] | None:
    """An image file as (H, W, 3) uint8 RGB, or None where it is not whole.

    Grey is repeated three times; of 16 bits the upper eight are taken.
    """
    import cv2

    if may_be_dicom(path.name) and is_dicom(path):
        return single_picture(path)
    if image_size(path) is None:
        return None
    try:
        data = np.fromfile(path, np.uint8)  # cv2.imread knows no unicode paths on Windows
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH | cv2.IMREAD_IGNORE_ORIENTATION)
        if picture is not None and picture.dtype == np.uint16:
            picture = (np.asarray(picture, np.uint16) >> 8).astype(np.uint8)
        elif picture is not None and picture.dtype != np.uint8:
            return None  # floating point has no agreed range
    except (OSError, cv2.error):
        return None
    return None if picture is None else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8)


class ImageSource(FrameSource):
    """A folder of images in natural order; all are brought onto the size of the first that can be read."""

    def __init__(self, path: Path, index: FrameIndex, cache_bytes: int) -> None:
        height, width = _first_size(path, index)
        super().__init__(path, index, width, height)
        self._cache: FrameCache[Picture] = FrameCache(cache_bytes, lambda picture: picture.nbytes)

    def close(self) -> None:
        """Let go of the kept frames."""
        self._cache.clear()

    def _read_or_none(self, frame_index: int) -> Picture | None:
        kept = self._cache.get(frame_index)
        if kept is None:
            kept = self._load(frame_index)
            if kept is None:
                return None
            self._cache.put(frame_index, kept)
        return kept.copy()

    def _load(self, frame_index: int) -> Picture | None:
        if frame_index in self._missing:
            return None
        picture = read_image(self.path / self.index.files[frame_index])
        if picture is None:
            self._missing.add(frame_index)
            return None
        return letterbox(picture, self.height_px, self.width_px)

    def _iterate(self, start: int, stop: int, step: int) -> Iterator[tuple[int, Picture | None]]:
        for frame_index in range(start, stop, step):
            yield frame_index, self._load(frame_index)


def _first_size(folder: Path, index: FrameIndex) -> tuple[int, int]:
    missing = set(index.missing.tolist())
    for place, name in enumerate(index.files):
        picture = None if place in missing else read_image(folder / name)
        if picture is not None:
            return picture.shape[0], picture.shape[1]
    raise UserError(f"None of the images in {folder.name} can be read.", "Copy or export them again.")
