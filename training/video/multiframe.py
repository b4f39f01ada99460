"""Multi-frame DICOM images as a study: index and frames."""

import math
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.texts import Text
from training.version import FIRST_NUMBERING
from training.video import formats, multiframe_pictures, shape, source
from training.video.dicom.elements import UNDEFINED, DicomError, open_unpacked
from training.video.dicom.fragments import frames_in_fragments
from training.video.dicom.header import BURNED_IN_NOTE, MAX_FRAMES, NATIVE, DicomHeader, damaged, read_header
from training.video.dicom.shown_values import Window
from training.video.frame_index import IMAGES_PER_SECOND, FrameIndex

MAX_FRAME_BYTES = 1024**3
"""Of one encoded frame."""
_SAME_RATE = 0.02
_FRAMES_LOOKED_AT = 8  # for the bits that values really have
_MICRO = 1_000_000


class _FrameBytes:
    """The encoded bytes of each frame, read from the file; to be closed."""

    def __init__(self, path: Path, header: DicomHeader, numbering: int) -> None:
        if header.transfer_syntax in NATIVE:
            if header.pixel_data.length_bytes == UNDEFINED:
                raise damaged(path, "its pixel data are in fragments, but not encoded")
            step = multiframe_pictures.frame_bytes(header)
            self.count = header.frames
            if numbering > FIRST_NUMBERING:
                self.count = max(self.count, min(header.pixel_data.length_bytes // step, MAX_FRAMES))
            starts = header.pixel_data.start + np.arange(self.count, dtype=np.int64) * step
            self._pieces = np.stack([starts, np.full(self.count, step, np.int64)], axis=1)
            self._bounds = np.arange(self.count + 1)
        else:
            self._pieces, self._bounds = frames_in_fragments(path, header)
            self.count = len(self._bounds) - 1
        try:
            self._file, self._size = open_unpacked(path)
        except DicomError as error:
            raise damaged(path, str(error)) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def cut_off(self) -> NDArray[np.int64]:
        """(M,) frames of which the file holds nothing or only a part."""
        ends = self._pieces.sum(axis=1)
        is_whole = np.diff(self._bounds) > 0
        last = np.minimum(self._bounds[1:], len(self._pieces)) - 1
        return np.flatnonzero(~is_whole | (ends[last] > self._size))

    def read(self, frame_index: int) -> bytes:
        """What the file holds of a frame; empty for one that is larger than any should be."""
        pieces = self._pieces[self._bounds[frame_index] : self._bounds[frame_index + 1]]
        if pieces[:, 1].sum() > MAX_FRAME_BYTES:
            return b""
        return b"".join(self._read(start, length) for start, length in pieces.tolist())

    def _read(self, start: int, length: int) -> bytes:
        self._file.seek(start)
        parts = []
        while length > 0 and (part := self._file.read(min(length, self._size))):
            parts.append(part)
            length -= len(part)
        return b"".join(parts)


def build_multiframe_index(path: Path, header: DicomHeader, numbering: int) -> FrameIndex:
    """Index a multi-frame file from its header and the places of its frames; nothing is decoded."""
    with closing(_FrameBytes(path, header, numbering)) as frames:
        missing, count = frames.cut_off(), frames.count
        used = with_used_bits(header, frames)
    if len(missing) == count:
        raise damaged(path, "it ends before its first frame")
    seconds, time_base = _clock(header, count)
    notes: list[str] = []
    if header.seconds is None:
        notes.append(
            Text(
                "The file does not say when its frames were taken; times are counted at {images_per_second} fps.",
                IMAGES_PER_SECOND,
            )
        )
    if len(missing):
        notes.append(Text("The file is cut short: {count:,} of {count2:,} frames are missing.", len(missing), count))
    if count > header.frames:
        notes.append(
            Text(
                "The DICOM header announces {frames:,} frames; the file holds {count:,}. All are shown.",
                header.frames,
                count,
            )
        )
    notes += _brightness_notes(header, used)
    if header.has_burned_in_text:
        notes.append(BURNED_IN_NOTE)
    return FrameIndex(
        video_seconds=seconds,
        pts=np.round(seconds / float(time_base)).astype(np.int64),
        is_key=np.ones(count, bool),
        time_base=time_base,
        missing=missing,
        notes=tuple(notes),
        kind="multiframe",
        fingerprint=formats.fingerprint(path),
        shape=_shape(header, numbering),
        numbering=numbering,
    )


def with_used_bits(header: DicomHeader, frames: _FrameBytes) -> DicomHeader:
    """The header with a window over the bits that values really have, where a file announces sixteen of them.

    Many devices announce sixteen and store twelve; the upper eight would be nearly black. A sample of frames tells.
    """
    if header.bits_stored < 16 or header.is_signed or header.window is not None or header.palette is not None:
        return header
    places = np.unique(np.linspace(0, frames.count - 1, _FRAMES_LOOKED_AT).astype(int)).tolist()
    values = (multiframe_pictures.pixel_values(frames.read(place), header) for place in places)
    highest = max((int(each.max()) for each in values if each is not None and each.size), default=0)
    bits = max(highest.bit_length(), 8)
    return header if bits == 16 or not highest else replace(header, window=Window(2.0 ** (bits - 1), 2.0**bits))


def _brightness_notes(header: DicomHeader, used: DicomHeader) -> list[str]:
    window = used.window
    if header.has_window_of_frames:
        return [
            "The file gives its frames windows of brightness in their descriptions. They are not used, so frames may "
            "look dark or pale."
        ]
    if window is None:
        return []
    if header.window is None:
        bits = round(math.log2(window.width))
        return [
            Text("The file announces values of 16 bits and uses {bits}; these are shown from black to white.", bits)
        ]
    values = np.arange(1 << min(header.bits_stored, 16)) - (1 << header.bits_stored - 1 if header.is_signed else 0)
    if header.bits_stored == 8 and not header.is_signed and np.array_equal(window.of(values), values):
        return []
    return [
        Text(
            "Brightness follows the window of the file: center {center:g}, width {width:g}. Values beyond it are black "
            "or white.",
            window.center,
            window.width,
        )
    ]


def _shape(header: DicomHeader, numbering: int) -> shape.Shape:
    return shape.Shape(header.pixel_aspect) if numbering > FIRST_NUMBERING else shape.AS_STORED


def _clock(header: DicomHeader, count: int) -> tuple[NDArray[np.float64], Fraction]:
    if header.seconds is None:
        return np.arange(count) / IMAGES_PER_SECOND, Fraction(1, IMAGES_PER_SECOND)
    seconds, more = header.seconds, count - len(header.seconds)
    if more > 0:  # frames beyond the announced ones last as long as the others
        usual = float(np.median(np.diff(seconds))) if len(seconds) > 1 else 1 / IMAGES_PER_SECOND
        seconds = np.append(seconds, seconds[-1] + usual * np.arange(1, more + 1))
    return seconds, Fraction(1, _MICRO)


def with_dicom_facts(index: FrameIndex, header: DicomHeader) -> FrameIndex:
    """The index of a DICOM file's video with what the file's header says: times where they differ, and notes."""
    notes = [*index.notes]
    seconds = index.video_seconds
    told = header.seconds if header.seconds is not None and len(header.seconds) == len(index) else None
    if header.seconds_per_frame is not None:
        told = np.arange(len(index), dtype=np.float64) * header.seconds_per_frame
    if told is not None and not _agree(seconds, told):
        seconds = told
        notes = [note for note in notes if not note.startswith("The frame rate varies")]
        notes.append("The times of the frames are those of the DICOM header; the video inside has others, or none.")
    if header.frames and header.frames != len(index):
        notes.append(
            Text("The DICOM header announces {frames:,} frames; the video holds {count:,}.", header.frames, len(index))
        )
    if header.has_burned_in_text:
        notes.append(BURNED_IN_NOTE)
    return replace(index, video_seconds=seconds, notes=tuple(notes))


def _agree(seconds: NDArray[np.float64], told: NDArray[np.float64]) -> bool:
    """Whether frames usually last as long as the header says; then the times of the video, which may vary, stay."""
    if len(seconds) < 2:
        return True
    usual, said = float(np.median(np.diff(seconds))), float(np.median(np.diff(told)))
    return abs(usual - said) <= _SAME_RATE * said


class MultiframeSource(source.PictureSource):
    """The frames of a multi-frame DICOM image."""

    def _open(self) -> None:
        self._header = read_header(self.path)
        changed = UserError("{name} has changed since it was indexed.", "Open the file as a new study.", self.path.name)
        if self._header.is_video:
            raise changed
        self.height_px, self.width_px = self.index.shape.size(self._header.height_px, self._header.width_px)
        super()._open()
        if self._reader.count != len(self.index):
            self._reader.close()
            raise changed
        self._header = with_used_bits(self._header, self._reader)

    def _new_reader(self) -> _FrameBytes:
        return _FrameBytes(self.path, self._header, self.index.numbering)

    def _decoded(self, frame_index: int, reader: _FrameBytes) -> source.Picture | None:
        picture = multiframe_pictures.decoded(reader.read(frame_index), self._header)
        return None if picture is None else self.index.shape.apply(picture)


def first_multiframe_picture(path: Path, header: DicomHeader, numbering: int) -> source.Picture | None:
    """The first frame that decodes."""
    with closing(_FrameBytes(path, header, numbering)) as frames:
        header = with_used_bits(header, frames)
        pictures = (
            multiframe_pictures.decoded(frames.read(frame_index), header) for frame_index in range(frames.count)
        )
        picture = next((picture for picture in pictures if picture is not None), None)
    return None if picture is None else _shape(header, numbering).apply(picture)


def single_picture(path: Path) -> source.Picture | None:
    """The picture of a DICOM file that holds one, in shape; None where it cannot be read or is cut short."""
    try:
        header = read_header(path, takes_single=True)
        with closing(_FrameBytes(path, header, FIRST_NUMBERING)) as frames:
            picture = None if len(frames.cut_off()) else multiframe_pictures.decoded(frames.read(0), header)
    except (UserError, OSError):
        return None
    return None if picture is None else shape.Shape(header.pixel_aspect).apply(picture)
