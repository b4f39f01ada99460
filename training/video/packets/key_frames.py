"""Key frames of codecs whose packets ffmpeg calls key frames without looking."""

_H263 = ("h263", "h263i", "h263p")
_H261 = "h261"
_EXTENDED = 7
"""The source format that says that an extended header follows (H.263+)."""


def key_frame_by_header(codec: str, head: bytes, row: int) -> bool:
    """Whether decoding can start at a packet.

    Args:
        codec: one that `needs_header`.
        head: the first bytes of the packet.
        row: its place in the file; pictures of H.261 do not say what they lean on, so only the first one is safe.
    """
    if codec == _H261:
        return row == 0
    return _is_intra_h263(head)


def _is_intra_h263(head: bytes) -> bool:
    """Whether an H.263 picture stands alone (ITU-T H.263, 5.1); False where damage hides its header."""
    bits = f"{int.from_bytes(head[:12].ljust(12, bytes(1)), 'big'):096b}"
    if bits[:22] != "0" * 16 + "100000":
        return False
    if int(bits[35:38], 2) != _EXTENDED:
        return bits[38] == "0"
    updates_format = bits[38:41] == "001"  # then 18 bits of optional modes come first
    at = 59 if updates_format else 41
    return bits[at : at + 3] == "000"


def needs_header(codec: str) -> bool:
    """Whether the marks of ffmpeg's decoder of this name are none, and its pictures' headers are to be read."""
    return codec in (*_H263, _H261)
