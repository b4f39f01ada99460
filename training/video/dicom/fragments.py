"""Encapsulated pixel data: fragments of a file, which hold a video or pictures (PS3.5, A.4)."""

import io
import os
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.inputs import unreadable
from training.video.dicom.elements import ITEM, SEQUENCE_END, UNDEFINED
from training.video.dicom.header import RLE, DicomHeader, damaged, read_header

MAX_FRAGMENTS = 20_000_000
_STARTS_OF_PICTURES = (b"\xff\xd8", b"\xff\x4f\xff\x51")  # JPEG and JPEG-LS; JPEG 2000

Fragments = NDArray[np.int64]


def fragments(path: Path, header: DicomHeader) -> tuple[Fragments, Fragments]:
    """Where the fragments stand in the file.

    Returns:
        (F, 2) place and bytes of each fragment, where the file is cut short the last one's bytes beyond its end, too;
        (K,) the Basic Offset Table, which may be empty.

    Raises:
        UserError: there is none, or the file is damaged.
    """
    data = header.pixel_data
    if data.length_bytes != UNDEFINED:
        raise damaged(path, "its pixel data are encoded, but not in fragments")
    size = path.stat().st_size
    places: list[tuple[int, int]] = []
    table = np.zeros(0, np.int64)
    with path.open("rb") as file:
        file.seek(data.start)
        for number in range(MAX_FRAGMENTS):
            head = file.read(8)
            tag, length = SEQUENCE_END, 0
            if len(head) == 8:
                group, element, length = struct.unpack("<HHI", head)
                tag = group << 16 | element
            if tag != ITEM or length == UNDEFINED:
                if len(head) == 8 and tag != SEQUENCE_END and number < 2:
                    raise damaged(path, "its pixel data are not in fragments")
                break
            start = file.tell()
            if number and length and start < size:
                places.append((start, length))
            elif not number and length % 4 == 0 and start + length <= size:
                table = np.frombuffer(file.read(length), "<u4").astype(np.int64)
            file.seek(start + length)
    result = np.array(places, np.int64).reshape(-1, 2)
    if not len(result):
        raise damaged(path, "it ends before its first frame")
    return result, table


def frames_in_fragments(path: Path, header: DicomHeader) -> tuple[Fragments, Fragments]:
    """Which fragments make each picture.

    Where the fragments are as many as the frames, each is one; else the offset tables say; else each fragment that
    begins as pictures do begins one.

    Returns:
        (F, 2) fragments, and (N + 1,) numbers of the first fragment of each frame and the end; N is as announced, or
        more where the file holds more. Frames that the file no longer holds have no fragments.

    Raises:
        UserError: as `fragments`, or it is not known where frames begin.
    """
    result, table = fragments(path, header)
    first = _first_fragments(path, header, result, table)
    bounds = np.full(max(header.frames, len(first)) + 1, len(result), np.int64)
    bounds[: len(first)] = first
    return result, bounds


def _first_fragments(path: Path, header: DicomHeader, found: Fragments, table: Fragments) -> Fragments:
    if len(found) == header.frames:
        return np.arange(len(found))
    offsets = header.offsets if len(header.offsets) else table
    if len(offsets) == header.frames:
        starts = found[:, 0] - 8 - (found[0, 0] - 8)
        first = np.searchsorted(starts, offsets)
        held = (first < len(found)) & (starts[np.minimum(first, len(found) - 1)] == offsets)
        count = int(held.argmin()) if not held.all() else len(held)
        if count and (np.diff(first[:count]) > 0).all() and first[0] == 0:
            more = _pictures_from(path, found, int(first[count - 1]) + 1) if count >= header.frames else []
            return np.append(first[:count], np.array(more, np.int64))
    begin = _pictures_from(path, found, 0)
    if begin[:1] == [0]:
        return np.array(begin)
    if header.transfer_syntax in RLE:  # each picture is one fragment
        return np.arange(len(found))
    raise damaged(path, "it is unknown where its frames begin")


def _pictures_from(path: Path, found: Fragments, start: int) -> list[int]:
    """The fragments from `start` on that begin as pictures do."""
    begin = []
    with path.open("rb") as file:
        for number, place in enumerate(found[start:, 0].tolist(), start):
            file.seek(place)
            if file.read(4).startswith(_STARTS_OF_PICTURES):
                begin.append(number)
    return begin


class FragmentFile(io.RawIOBase):
    """The fragments (F, 2) of a DICOM file, one after the other, as a file to read; nothing is copied.

    The file is open only while something is read: what decodes from this does not close it.
    """

    def __init__(self, path: Path, fragments: Fragments) -> None:
        super().__init__()
        self._path = path
        self._places = fragments[:, 0]
        self._ends = np.cumsum(fragments[:, 1])
        self._at = 0

    def readable(self) -> bool:
        """True."""
        return True

    def seekable(self) -> bool:
        """True."""
        return True

    def tell(self) -> int:
        """Where reading goes on."""
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go on reading elsewhere; as files do."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: int(self._ends[-1])}[whence]
        self._at = max(base + offset, 0)
        return self._at

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override] # what RawIOBase.read gives
        """Fill as much as the fragment at this place holds; 0 at the end."""
        number = int(self._ends.searchsorted(self._at, side="right"))
        if number >= len(self._ends) or not len(buffer):
            return 0
        left = int(self._ends[number]) - self._at
        start = int(self._ends[number - 1]) if number else 0
        with self._path.open("rb", buffering=0) as file:
            file.seek(int(self._places[number]) + self._at - start)
            result = file.read(min(len(buffer), left))
        buffer[: len(result)] = result
        self._at += len(result)
        return len(result)


def video_stream(path: Path) -> FragmentFile:
    """The video inside a DICOM file.

    Raises:
        UserError: as `read_header`; or the file holds pictures, or ends before its first frame.
    """
    header = read_header(path)
    if not header.is_video:
        raise UserError("{name} holds pictures, not a video.", "Index the study again.", path.name)
    try:
        result, _ = fragments(path, header)
        result[-1, 1] = min(int(result[-1, 1]), path.stat().st_size - int(result[-1, 0]))
        return FragmentFile(path, result)
    except OSError as error:
        raise unreadable(path, error) from error
