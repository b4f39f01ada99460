"""Frames of a folder of images."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from training.errors import UserError
from training.runs.reporter import SilentReporter
from training.version import IMAGE_NUMBERING
from training.video.folders import study_images
from training.video.frame_cache import FrameCache
from training.video.frame_index import FrameIndex
from training.video.image_header import image_header
from training.video.image_index import build_image_index
from training.video.image_reader import ImageReader, shared_bits
from training.video.rgb import letterbox
from training.video.source import FrameSource, Picture


class ImageSource(FrameSource):
    """A folder of images in natural order; all are brought onto the size of the first that can be read."""

    def _open(self) -> None:
        self._reader = _reader(self.index)
        self.height_px, self.width_px = _first_size(self.path, self.index, self._reader)
        self._cache: FrameCache[Picture] = FrameCache(self._cache_bytes, lambda picture: picture.nbytes)

    def close(self) -> None:
        """Let go of the kept frames."""
        self._reader.close()
        self._cache.clear()

    def _read_or_none(self, frame_index: int) -> Picture | None:
        kept = self._cache.get(frame_index)
        if kept is None:
            kept = self._load(frame_index, self._reader)
            if kept is None:
                return None
            self._cache.put(frame_index, kept)
        return kept.copy()

    def _load(self, frame_index: int, reader: ImageReader) -> Picture | None:
        if frame_index in self._missing:
            return None
        picture = _read(self.path, self.index, frame_index, reader)
        if picture is None:
            self._missing.add(frame_index)
            return None
        return letterbox(picture, self.height_px, self.width_px)

    def _iterate(self, start: int, stop: int, step: int) -> Iterator[tuple[int, Picture | None]]:
        with closing(_reader(self.index)) as reader:
            for frame_index in range(start, stop, step):
                yield frame_index, self._load(frame_index, reader)


def _reader(index: FrameIndex) -> ImageReader:
    return ImageReader(index.value_bits, index.numbering)


def _read(folder: Path, index: FrameIndex, frame_index: int, reader: ImageReader) -> Picture | None:
    page = None if index.pages is None else int(index.pages[frame_index])
    return reader.read(folder / index.files[frame_index], page)


def _first_size(folder: Path, index: FrameIndex, reader: ImageReader) -> tuple[int, int]:
    missing = set(index.missing.tolist())
    for frame_index in range(len(index)):
        picture = None if frame_index in missing else _read(folder, index, frame_index, reader)
        if picture is not None:
            return picture.shape[0], picture.shape[1]
    raise UserError("None of the images in {name} can be read.", "Copy or export them again.", folder.name)


def first_image(folder: Path, numbering: int) -> Picture | None:
    """The first image of a folder that can be read, by these rules; None where none decodes.

    Raises:
        UserError: the folder holds no image, or none that is whole and of a kind that can be read.
    """
    is_older = numbering < IMAGE_NUMBERING
    names = study_images(folder, numbering)
    for name in names:
        header = image_header(folder / name)
        if not header.is_readable or (is_older and not header.in_first):
            continue
        is_scaled = header.bits > 8 and not is_older
        bits = shared_bits([folder / name for name in names]) if is_scaled else 16
        with closing(ImageReader(bits, numbering)) as reader:
            picture = reader.read(folder / name)
        if picture is not None:
            return picture
    build_image_index(folder, SilentReporter(), numbering)  # names what the files are
    return None
