"""Whether a JPEG picture can be more than what a decoder's memory held before.

With a damaged header ffmpeg's decoder gives a picture without having drawn one: that of some other frame.
"""

_MARKER, _START, _SCAN = 0xFF, 0xD8, 0xDA
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def has_scan(data: bytes) -> bool:
    """Whether the markers of a JPEG lead from its start over a frame header to a scan of that frame's components."""
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
