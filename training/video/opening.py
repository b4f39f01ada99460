"""Opening a study, and its first picture before anything else is known of it; frames of a folder of images."""

from contextlib import closing
from pathlib import Path

from training.errors import UserError
from training.runs.reporter import Reporter, SilentReporter
from training.version import FIRST_NUMBERING, IMAGE_NUMBERING, NUMBERING
from training.video.dicom.header import dicom_header
from training.video.folders import list_study
from training.video.formats import is_folder
from training.video.frame_index import FrameIndex
from training.video.image_header import image_header
from training.video.image_index import build_image_index
from training.video.image_reader import ImageReader, shared_bits
from training.video.indexing import build_index
from training.video.multiframe import MultiframeSource, first_multiframe_picture
from training.video.packets.container import first_frame, open_container
from training.video.shape import AS_STORED, RgbConverter, letterbox, shape_of_frame
from training.video.source import DEFAULT_CACHE_BYTES, FrameSource, Picture, PictureSource, check_unchanged
from training.video.video_source import RepeatedFrames, VideoSource


def open_source(
    path: Path,
    *,
    index: FrameIndex | None = None,
    numbering: int | None = NUMBERING,
    cache_bytes: int = DEFAULT_CACHE_BYTES,
) -> FrameSource:
    """Open a video file, a DICOM file or a folder of images for reading by frame number.

    Args:
        path: the study.
        index: its index, when it was saved; without one it is built first.
        numbering: the rules by which it is built then; see `build_index`.
        cache_bytes: how much decoded frames around the cursor may take.

    Raises:
        UserError: the path cannot be read as a study, or the index belongs to other content.
    """
    path = Path(path)
    if index is None:
        index = build_index(path, numbering=numbering)
    else:
        check_unchanged(path, index)
    if index.kind == "images":
        return ImageSource(path, index, cache_bytes)
    if index.kind == "multiframe":
        return MultiframeSource(path, index, cache_bytes)
    return (VideoSource if index.repeated is None else RepeatedFrames)(path, index, cache_bytes)


def saved_or_new_index(
    path: Path, saved: Path | None, numbering: int | None, reporter: Reporter | None = None
) -> FrameIndex:
    """The saved index of a study; where there is none, a new one by the rules of its frames (see `build_index`).

    Raises:
        UserError: the index is damaged, or the path cannot be read as a study.
        Cancelled: the reporter asked to end.
    """
    return FrameIndex.load(saved) if saved else build_index(path, reporter, numbering=numbering)


def first_picture(path: Path, numbering: int = NUMBERING) -> Picture:
    """The first frame that decodes, (H, W, 3) uint8 RGB, without an index: for showing a study at once.

    Args:
        path: the study.
        numbering: the rules of its frames; the first ones show pictures as they are stored.

    Raises:
        UserError: the path cannot be read as a study, or no frame of it decodes.
    """
    path = Path(path)
    header = dicom_header(path)
    if header is not None and not header.is_video:
        picture = first_multiframe_picture(path, header, numbering)
    else:
        picture = first_image(path, numbering) if is_folder(path) else _first_frame(path, numbering)
    if picture is None:
        raise UserError(
            "No frame of {name} can be decoded.", "The file is damaged, or is not a video of a study.", path.name
        )
    return picture


def _first_frame(path: Path, numbering: int) -> Picture | None:
    is_first = numbering == FIRST_NUMBERING
    container, stream = open_container(path, takes_first=is_first)
    with container:
        context = stream.codec_context
        frame = first_frame(container, stream)
        shape = AS_STORED if is_first else shape_of_frame(frame, stream.sample_aspect_ratio)[0]
        return None if frame is None else RgbConverter(context.height, context.width, shape)(frame)


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
