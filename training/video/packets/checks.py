"""Whether a packet can be drawn at all, where its decoder would show an older picture without reporting an error."""

import zlib

_MARKER, _START, _SCAN = 0xFF, 0xD8, 0xDA
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BITS_REVERSED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))
CHECKED = frozenset({"mjpeg", "qtrle", "ffv1"})
"""The decoders whose packets are checked."""
_SLICE_SIZE_BYTES, _CHECKSUM_BYTES = 3, 5  # the checksum comes with one byte of status


def is_drawable(codec: str, data: bytes, *, has_extradata: bool) -> bool:
    """Whether a packet passes the checks that its format allows; True for codecs whose decoders report damage.

    Args:
        codec: ffmpeg's name of the decoder.
        data: the packet.
        has_extradata: whether the container holds a header of the codec; FFV1 has slices with sizes only then.
    """
    if codec == "mjpeg":
        return has_scan(data)
    if codec == "qtrle":  # begins with its own size
        return 0 < int.from_bytes(data[:4], "big") & 0x3FFFFFFF <= len(data)
    return not (codec == "ffv1" and has_extradata) or has_sound_slices(data)


def has_scan(data: bytes) -> bool:
    """Whether the markers of a JPEG lead from its start over a frame header to a scan of that frame's components.

    With a damaged header ffmpeg's decoder gives a picture without having drawn one: that of some other frame.
    """
    at = data.find(bytes([_MARKER, _START])) + 2
    components: set[int] = set()
    while 2 <= at < len(data) - 4:
        if data[at] != _MARKER:
            return False
        marker, body = data[at + 1], data[at + 4 :]
        if marker == _MARKER:  # filling
            at += 1
            continue
        if marker == _SCAN:
            scanned = list(body[1 : 1 + 2 * body[0] : 2])
            return bool(scanned) and len(set(scanned)) == len(scanned) and set(scanned) <= components
        if marker in _FRAME_HEADERS:
            components = set(body[6 : 6 + 3 * body[5] : 3]) if len(body) > 5 else set()
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return False


def has_sound_slices(data: bytes) -> bool:
    """Whether the slices of an FFV1 frame (version 3, RFC 9043) fill the packet and fit their checksums, if any.

    ffmpeg's decoder draws the picture before in the place of a slice that is damaged.
    """
    with_checksums = _slices(data, _SLICE_SIZE_BYTES + _CHECKSUM_BYTES)
    if with_checksums:
        return all(_fits_checksum(each) for each in with_checksums)
    return bool(_slices(data, _SLICE_SIZE_BYTES))


def _slices(data: bytes, trailer_bytes: int) -> list[bytes]:
    """The slices from last to first, each with its trailer; none where one is empty or they do not fill the packet."""
    found, stop = [], len(data)
    while stop:
        at = stop - trailer_bytes
        start = at - int.from_bytes(data[at : at + _SLICE_SIZE_BYTES], "big") if at >= 0 else -1
        if start < 0 or start == at:
            return []
        found.append(data[start:stop])
        stop = start
    return found


def _fits_checksum(part: bytes) -> bool:
    """CRC-32 with the highest bit first and nothing inverted, which is zero over a slice and its checksum.

    zlib computes it with the lowest bit first, and inverts at both ends.
    """
    return zlib.crc32(part.translate(_BITS_REVERSED), 0xFFFFFFFF) == 0xFFFFFFFF
