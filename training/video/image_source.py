"""Frames of a folder of images."""

from contextlib import closing
from pathlib import Path

from training.errors import UserError
from training.runs.reporter import SilentReporter
from training.version import IMAGE_NUMBERING
from training.video.folders import list_study
from training.video.image_header import image_header
from training.video.image_index import build_image_index
from training.video.image_reader import ImageReader, shared_bits
from training.video.rgb import letterbox
from training.video.source import Picture, PictureSource


class ImageSource(PictureSource):
    """A folder of images in natural order; all are brought onto the size of the first that can be read."""

    def _open(self) -> None:
        super()._open()
        self.height_px, self.width_px = self._first_size()

    def _new_reader(self) -> ImageReader:
        return ImageReader(self.index.value_bits, self.index.numbering)

    def _decoded(self, frame_index: int, reader: ImageReader) -> Picture | None:
        picture = self._read(frame_index, reader)
        return None if picture is None else letterbox(picture, self.height_px, self.width_px)

    def _read(self, frame_index: int, reader: ImageReader) -> Picture | None:
        page = None if self.index.pages is None else int(self.index.pages[frame_index])
        return reader.read(self.path / self.index.files[frame_index], page)

    def _first_size(self) -> tuple[int, int]:
        for frame_index in range(len(self)):
            picture = None if frame_index in self._missing else self._read(frame_index, self._reader)
            if picture is not None:
                return picture.shape[0], picture.shape[1]
        raise UserError("None of the images in {name} can be read.", "Copy or export them again.", self.path.name)


def first_image(folder: Path, numbering: int) -> Picture | None:
    """The first image of a folder that can be read, by these rules; None where none decodes.

    Raises:
        UserError: the folder holds no image, or none that is whole and of a kind that can be read.
    """
    is_older = numbering < IMAGE_NUMBERING
    names = list_study(folder, numbering).names
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
