"""Opening a study, and its first picture before anything else is known of it."""

from pathlib import Path

from training.errors import UserError
from training.runs.reporter import Reporter
from training.version import FIRST_NUMBERING, NUMBERING
from training.video.dicom.header import dicom_header
from training.video.formats import is_folder
from training.video.frame_index import FrameIndex
from training.video.image_source import ImageSource, first_image
from training.video.indexing import build_index
from training.video.multiframe import MultiframeSource, first_multiframe_picture
from training.video.packets.container import first_frame, open_container
from training.video.rgb import RgbConverter
from training.video.shape import AS_STORED, shape_of_frame
from training.video.source import DEFAULT_CACHE_BYTES, FrameSource, Picture, check_unchanged
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
