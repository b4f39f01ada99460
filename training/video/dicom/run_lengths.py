"""RLE Lossless (PS3.5, annex G): one segment of packed bytes for each byte of a pixel."""

import struct
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from training.video.dicom.header import DicomHeader

_HEADER_BYTES = 64
_MOST_SEGMENTS = 15


def from_rle(data: bytes, header: DicomHeader) -> NDArray[np.integer] | None:
    """A frame as (height_px, width_px) or (height_px, width_px, 3) uint8 or uint16; None where it is damaged."""
    size, samples = header.bits_allocated // 8, header.samples
    pixels = header.height_px * header.width_px
    segments = _segments(data)
    if len(segments) != size * samples:
        return None
    planes = [_unpacked(segment, pixels) for segment in segments]
    if any(len(plane) < pixels for plane in planes):
        return None
    each = [np.frombuffer(plane, np.uint8).reshape(header.height_px, header.width_px) for plane in planes]
    # The upper byte of a sample comes first.
    whole: list[NDArray[np.integer]] = list(each)
    if size == 2:
        whole = [each[at].astype(np.uint16) << 8 | each[at + 1] for at in range(0, len(each), 2)]
    return whole[0] if samples == 1 else np.stack(whole, axis=2)


def _segments(data: bytes) -> list[bytes]:
    """The segments that the header of a frame says; none where it says what cannot be."""
    if len(data) < _HEADER_BYTES:
        return []
    count, *offsets = struct.unpack_from(f"<{_MOST_SEGMENTS + 1}I", data)
    starts = offsets[:count]
    is_ordered = all(a < b for a, b in pairwise(starts))
    if not 1 <= count <= _MOST_SEGMENTS or starts[0] < _HEADER_BYTES or not is_ordered or starts[-1] > len(data):
        return []
    return [data[start:stop] for start, stop in zip(starts, [*starts[1:], len(data)], strict=True)]


def _unpacked(packed: bytes, wanted: int) -> bytes:
    """At most `wanted` bytes of a segment; fewer where it ends early."""
    out, at, end = bytearray(), 0, len(packed)
    while len(out) < wanted and at < end:
        head = packed[at]
        if head < 128:
            out += packed[at + 1 : at + 2 + head]
            at += 2 + head
        else:
            if head > 128:
                out += packed[at + 1 : at + 2] * (257 - head)
            at += 2 if head > 128 else 1
    return bytes(out[:wanted])
