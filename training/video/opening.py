"""Opening a study, and its first picture before anything else is known of it; frames of a folder of images.

Checking an index by decoding around a sample of seeks.
"""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.stores import fetched
from training.runs.reporter import Reporter, SilentReporter, reported
from training.texts import Text
from training.version import FIRST_NUMBERING, IMAGE_NUMBERING, NUMBERING
from training.video import folders, formats, frame_decoder, image_index, multiframe, video_source
from training.video.dicom.header import dicom_header
from training.video.frame_index import FrameIndex
from training.video.image_header import image_header
from training.video.image_reader import ImageReader, shared_bits
from training.video.indexing import build_index
from training.video.packets.container import first_frame, open_container
from training.video.packets.notes import is_sizes_note, sizes_note
from training.video.packets.table import PacketTable
from training.video.shape import AS_STORED, RgbConverter, letterbox, shape_of_frame
from training.video.source import (
    DEFAULT_CACHE_BYTES,
    FrameMissing,
    FrameSource,
    Picture,
    PictureSource,
    check_unchanged,
)


def open_source(
    path: Path,
    *,
    index: FrameIndex | None = None,
    numbering: int | None = NUMBERING,
    cache_bytes: int = DEFAULT_CACHE_BYTES,
) -> FrameSource:
    """Open a video file, a DICOM file or a folder of images for reading by frame number.

    Args:
        index: its index, when it was saved; without one it is built first.
        cache_bytes: how much decoded frames around the cursor may take.

    Raises:
        UserError: the path cannot be read as a study, or the index belongs to other content.
    """
    path = fetched(Path(path))
    if index is None:
        index = build_index(path, numbering=numbering)
    else:
        check_unchanged(path, index)
    if index.kind == "images":
        return ImageSource(path, index, cache_bytes)
    if index.kind == "multiframe":
        return multiframe.MultiframeSource(path, index, cache_bytes)
    return (video_source.VideoSource if index.repeated is None else video_source.RepeatedFrames)(
        path, index, cache_bytes
    )


def saved_or_new_index(
    path: Path, saved: Path | None, numbering: int | None, reporter: Reporter | None = None
) -> FrameIndex:
    """The saved index of a study; where there is none, a new one by the rules of its frames (see `build_index`)."""
    return FrameIndex.load(saved) if saved else build_index(path, reporter, numbering=numbering)


def first_picture(path: Path, numbering: int = NUMBERING) -> Picture:
    """The first frame that decodes, (H, W, 3) uint8 RGB, without an index: for showing a study at once.

    Args:
        numbering: the rules of its frames; the first ones show pictures as they are stored.

    Raises:
        UserError: the path cannot be read as a study, or no frame of it decodes.
    """
    path = fetched(Path(path))
    header = dicom_header(path)
    if header is not None and not header.is_video:
        picture = multiframe.first_multiframe_picture(path, header, numbering)
    else:
        picture = first_image(path, numbering) if formats.is_folder(path) else _first_frame(path, numbering)
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
    names = folders.list_study(folder, numbering).names
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
    image_index.build_image_index(folder, SilentReporter(), numbering)  # names what the files are
    return None


_LONGEST_CHECK = 300  # frames that are decoded around one seek at most
_NAMED = 5


def verify_index(path: Path, index: FrameIndex, samples: int = 16, reporter: Reporter | None = None) -> FrameIndex:
    """Decode around a sample of seeks; learn which frames there are missing and which key frames are none.

    Around each sampled key frame decoding starts twice: at the key frame before it, and at itself. Where that gives
    different pictures, the key frame was one in name only; then all are checked, and the false ones are used no more.

    Args:
        samples: how many seeks, spread over the study; the first and the last key frame are among them.
        reporter: receives progress; may cancel, or stop the check early.

    Returns:
        The index, with newly found missing frames added, false key frames taken out, and notes on both.
    """
    reporter = reporter or SilentReporter()
    if index.packets is None:
        return _verify_pictures(path, index, samples, reporter)
    check = _Check(path, index, index.packets, reporter)
    with closing(check.decoder):
        check.run(_spread(np.arange(len(index.packets.key_rows)), samples), "checking")
        if check.false_keys:
            check.run(np.arange(len(index.packets.key_rows)), "checking all key frames of")
    return check.result()


class _Check:
    """The state of one check of a video's index."""

    def __init__(self, path: Path, index: FrameIndex, table: PacketTable, reporter: Reporter) -> None:
        self._path = path
        self._index = index
        self._table = table
        self._reporter = reporter
        self.decoder = frame_decoder.FrameDecoder(path, table)
        self.missing: set[int] = set()
        self.false_keys: set[int] = set()
        self.sizes: set[tuple[int, int]] = set()

    def run(self, keys: NDArray[np.int64], what: str) -> None:
        """Check around these (places in `key_rows`)."""
        for done, key in enumerate(keys.tolist()):
            self._reporter.check()
            if self._reporter.stop_requested:
                return
            self._reporter.progress(done, len(keys), "seeks", f"{what} {self._path.name}")
            self._around(key)

    def _around(self, key: int) -> None:
        """Compare the frames that depend on one key packet, decoded from the key packet before and from itself."""
        rows = self._table.key_rows
        first, last = int(rows[key]), int(rows[key + 1]) if key + 1 < len(rows) else len(self._table)
        own = self._table.frame_of_packet[first:last]
        own = np.sort(own[(own >= 0) & (self._table.start_row[first:last] == first)])[:_LONGEST_CHECK]
        if not len(own):
            return
        wanted = range(int(own[0]), int(own[-1]) + 1)
        here = self._decode(first, wanted)
        before = self._decode(int(rows[key - 1]), wanted) if key else here
        for frame_index in own.tolist():
            a, b = here.get(frame_index), before.get(frame_index)
            if a is None and b is None:
                self.missing.add(frame_index)
            elif a is None or b is None or not np.array_equal(a, b):
                self.false_keys.add(first)

    def _decode(self, row: int, wanted: range) -> dict[int, NDArray[np.uint8] | None]:
        frames = video_source.in_order(self.decoder.frames_from(row), wanted)
        pictures: dict[int, NDArray[np.uint8] | None] = {}
        for number, frame in frames:
            pictures[number] = None if frame is None else np.frombuffer(bytes(frame.planes[0]), np.uint8)
            if frame is not None:
                self.sizes.add((frame.width, frame.height))
        return pictures

    def result(self) -> FrameIndex:
        """The index with what was learnt."""
        new = np.flatnonzero(np.isin(self._index.pictures, sorted(self.missing)))
        missing = np.union1d(self._index.missing, new).astype(np.int64)
        notes = [*self._index.notes]
        if len(new):
            notes.append(Text("{count:,} frames cannot be decoded: {named}.", len(new), _named(new.tolist())))
        if len(self.sizes) > 1 and not any(map(is_sizes_note, notes)):
            notes.append(sizes_note(self.sizes))
        if not self.false_keys:
            return replace(self._index, missing=missing, notes=tuple(dict.fromkeys(notes)))
        notes.append(Text("{count:,} frames are marked as key frames, but are not.", len(self.false_keys)))
        is_key = self._table.is_key.copy()
        is_key[sorted(self.false_keys)] = False
        table = replace(self._table, is_key=is_key)
        return replace(
            self._index,
            missing=missing,
            notes=tuple(dict.fromkeys(notes)),
            is_key=is_key[table.packet_of_frame[self._index.pictures]],
            packets=table,
        )


def _spread(keys: NDArray[np.int64], samples: int) -> NDArray[np.int64]:
    return np.unique(keys[np.linspace(0, len(keys) - 1, max(samples, 1)).round().astype(int)])


def _named(frames: list[int]) -> str:
    """Frame numbers as a person counts them, from 1."""
    more = f" and {len(frames) - _NAMED:,} more" if len(frames) > _NAMED else ""
    return ", ".join(f"{frame + 1:,}" for frame in frames[:_NAMED]) + more


def _verify_pictures(path: Path, index: FrameIndex, samples: int, reporter: Reporter) -> FrameIndex:
    missing = set(index.missing.tolist())
    places = _spread(np.arange(len(index)), samples).tolist()
    with open_source(path, index=index, cache_bytes=1) as source:
        for place in reported(places, reporter, "frames", Text("checking {name}", path.name), every=1):
            try:
                source.read(place)
            except FrameMissing:
                missing.add(place)
    new = sorted(missing - set(index.missing.tolist()))
    names = ", ".join(index.files[place] for place in new[:_NAMED]) if index.files else _named(new)
    note = (Text("{count:,} images cannot be decoded: {names}.", len(new), names),) if new else ()
    return replace(index, missing=np.array(sorted(missing), np.int64), notes=index.notes + note)
