"""From the bytes of one frame of a multi-frame DICOM file to RGB."""

import struct
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.video import image_header, source
from training.video.dicom.header import JPEG_LS, LOSSY_JPEG, NATIVE, RLE, DicomHeader

_ADOBE_RGB = b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00"
"""The segment of a JPEG file that says: three values, not converted."""
_RLE_HEADER_BYTES, _MOST_SEGMENTS = 64, 15
_TOLD_BY = (0xE0, 0xEE)  # the segments of JFIF and of Adobe, which say how colours are stored


def frame_bytes(header: DicomHeader) -> int:
    """What one uncompressed frame takes."""
    pixels = header.height_px * header.width_px
    if header.photometric == "YBR_FULL_422":
        return pixels * 2
    return pixels * header.samples * header.bits_allocated // 8


def decoded(data: bytes, header: DicomHeader) -> source.Picture | None:
    """A frame as (height_px, width_px, 3) uint8 RGB; None where it is damaged or of another size than announced.

    Grey is repeated three times, palettes are looked up, and the window is applied; without one the upper eight bits
    are taken.
    """
    # Decoders of lossy JPEG give RGB, and those of JPEG 2000 undo its own colour transforms.
    is_rgb = header.transfer_syntax in LOSSY_JPEG or header.photometric in ("RGB", "YBR_RCT", "YBR_ICT")
    return _shown(pixel_values(data, header), header, is_rgb=is_rgb)


def pixel_values(data: bytes, header: DicomHeader) -> NDArray[np.integer] | None:
    """The values of a frame as stored, (H, W) or (H, W, 3); None where it is damaged or of another size."""
    if header.transfer_syntax in NATIVE:
        return _native(data, header)
    if header.transfer_syntax in RLE:
        return _run_lengths(data, header)
    if encoded_size(data) != (header.height_px, header.width_px):
        return None  # also keeps a tiny file from asking for gigabytes
    if header.transfer_syntax in LOSSY_JPEG:
        return _jpeg(data, header)
    return _jpeg_ls(data) if header.transfer_syntax in JPEG_LS else _by_ffmpeg(data)


def _native(data: bytes, header: DicomHeader) -> NDArray[np.integer] | None:
    if len(data) < frame_bytes(header):
        return None
    height, width = header.height_px, header.width_px
    if header.photometric == "YBR_FULL_422":
        return _full_colours(np.frombuffer(data, np.uint8, height * width * 2), height, width)
    kind = np.dtype(np.uint8 if header.bits_allocated == 8 else header.order + "u2")
    values = np.frombuffer(data, kind, height * width * header.samples)
    if header.samples == 1:
        return values.reshape(height, width)
    if header.is_planar:
        return values.reshape(3, height, width).transpose(1, 2, 0)
    return values.reshape(height, width, 3)


def _run_lengths(data: bytes, header: DicomHeader) -> NDArray[np.integer] | None:
    """RLE Lossless (PS3.5, annex G): one segment of packed bytes for each byte of a pixel, the upper byte first."""
    size, samples = header.bits_allocated // 8, header.samples
    segments = _segments(data)
    if len(segments) != size * samples:
        return None
    planes = [_unpacked(segment, header) for segment in segments]
    whole: list[NDArray[np.integer]] = [plane for plane in planes if plane is not None]
    if len(whole) < len(planes):
        return None
    if size == 2:
        whole = [whole[at].astype(np.uint16) << 8 | whole[at + 1] for at in range(0, len(whole), 2)]
    return whole[0] if samples == 1 else np.stack(whole, axis=2)


def _segments(data: bytes) -> list[bytes]:
    """The segments that the header of a frame says; none where it says what cannot be."""
    if len(data) < _RLE_HEADER_BYTES:
        return []
    count, *offsets = struct.unpack_from(f"<{_MOST_SEGMENTS + 1}I", data)
    starts = offsets[:count]
    is_ordered = all(a < b for a, b in pairwise(starts))
    if not 1 <= count <= _MOST_SEGMENTS or starts[0] < _RLE_HEADER_BYTES or not is_ordered or starts[-1] > len(data):
        return []
    return [data[start:stop] for start, stop in zip(starts, [*starts[1:], len(data)], strict=True)]


def _unpacked(packed: bytes, header: DicomHeader) -> NDArray[np.uint8] | None:
    """A segment as (height_px, width_px) bytes; None where it is damaged. Never more is unpacked than a frame takes."""
    from PIL import Image

    pixels = header.height_px * header.width_px
    for count in (pixels, pixels + 1):  # some encoders also pack the byte that makes an odd number even
        try:  # one row: runs may cross the rows of the picture
            plane = np.asarray(Image.frombytes("L", (count, 1), packed, "packbits", "L"))
        except ValueError:
            continue
        return plane[0, :pixels].reshape(header.height_px, header.width_px)
    return None


def _full_colours(values: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8] | None:
    """(height, width, 3) YBR of values that hold two brightnesses and one colour for two pixels: Y Y B R."""
    if width % 2:
        return None
    pairs = values.reshape(height, width // 2, 4)
    out = np.empty((height, width // 2, 2, 3), np.uint8)
    out[..., 0] = pairs[..., :2]
    out[..., 1:] = pairs[:, :, None, 2:]
    return out.reshape(height, width, 3)


def _jpeg(data: bytes, header: DicomHeader) -> NDArray[np.integer] | None:
    """RGB or grey; the markers in the stream say how colours are stored, and without any the file's header does."""
    import cv2

    if header.photometric == "RGB" and not _tells_colours(data):
        data = data[:2] + _ADOBE_RGB + data[2:]
    try:
        flags = cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION
        values = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    if values is None:
        return None
    return np.asarray(values[..., ::-1] if values.ndim == 3 else values)


def _tells_colours(data: bytes) -> bool:
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] not in (0xDA, 0xD9):
        if data[at + 1] in _TOLD_BY and data[at + 4 : at + 8] in (b"JFIF", b"Adob"):
            return True
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return False


def _by_ffmpeg(data: bytes) -> NDArray[np.integer] | None:
    """The values of lossless JPEG and JPEG 2000, whose colours no marker tells."""
    import av
    from av.video.codeccontext import VideoCodecContext

    context = av.CodecContext.create("jpeg2000" if data.startswith(b"\xff\x4f") else "mjpeg", "r")
    assert isinstance(context, VideoCodecContext)
    context.thread_count = 1
    try:
        frames = [*context.decode(av.Packet(data)), *context.decode(None)]
    except av.error.FFmpegError:
        return None
    if not frames or frames[0].is_corrupt:
        return None
    layout = frames[0].format.name
    try:
        if layout in ("yuv444p", "yuvj444p"):  # ffmpeg's word for any three planes
            planes: NDArray[np.integer] = np.asarray(frames[0].to_ndarray(), np.uint8)
            return planes.transpose(1, 2, 0)
        values: NDArray[Any] = frames[0].to_ndarray(format=None if layout.startswith("gray") else "rgb24")
        return values
    except ValueError:  # a layout that has no array
        return None


def _jpeg_ls(data: bytes) -> NDArray[np.integer] | None:
    """The values of JPEG-LS; ffmpeg's decoder gets colours wrong."""
    import jpeg_ls

    try:
        return np.asarray(jpeg_ls.decode(np.frombuffer(data, np.uint8)))
    except (RuntimeError, ValueError):
        return None


def _shown(values: NDArray[np.integer] | None, header: DicomHeader, *, is_rgb: bool) -> source.Picture | None:
    """Eight bits, three colours, and white where the file says so."""
    import cv2

    if values is None or values.shape[:2] != (header.height_px, header.width_px):
        return None
    if header.palette is not None:
        return header.palette.of(_numbers(values, header)) if values.ndim == 2 else None
    eight = _eight_bits(values, header)
    if eight.ndim == 2:
        if header.photometric == "MONOCHROME1":
            eight = 255 - eight
        return np.repeat(eight[..., None], 3, axis=2)
    if eight.shape[2] != 3:
        return None
    if is_rgb:
        return np.ascontiguousarray(eight)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(eight[..., [0, 2, 1]]), cv2.COLOR_YCrCb2RGB), np.uint8)


def _eight_bits(values: NDArray[np.integer], header: DicomHeader) -> NDArray[np.uint8]:
    if header.window is not None:
        return header.window.of(_numbers(values, header))
    if values.dtype == np.uint8 and header.bits_stored == 8 and not header.is_signed:
        return np.asarray(values, np.uint8)
    bits = header.bits_stored
    wide = _numbers(values, header)
    if header.is_signed:  # the lowest value becomes black
        wide = wide + (1 << bits - 1)
    return np.asarray(wide >> bits - 8 if bits >= 8 else wide << 8 - bits, np.uint8)


def _numbers(values: NDArray[np.integer], header: DicomHeader) -> NDArray[np.int32]:
    """The stored bits, with their sign."""
    bits = header.bits_stored
    wide = values.astype(np.int32) >> header.unused_bits & (1 << bits) - 1
    return np.asarray(np.where(wide >> bits - 1, wide - (1 << bits), wide) if header.is_signed else wide, np.int32)


def encoded_size(data: bytes) -> tuple[int, int] | None:
    """(height, width) that an encoded picture announces; None for one that is no JPEG, JPEG-LS or JPEG 2000."""
    try:
        if data.startswith(b"\xff\x4f\xff\x51"):
            width, height, left, top = struct.unpack_from(">4I", data, 8)
            return height - top, width - left
        return image_header.jpeg_size(data) if data.startswith(b"\xff\xd8") else None
    except (struct.error, IndexError):
        return None
