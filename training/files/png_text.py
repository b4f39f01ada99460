"""The text that a PNG carries: one keyword and its value, written after the header and read back."""

import struct
import zlib
from pathlib import Path

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 64
MAX_TEXT_BYTES = 4096
_HEADER_END = len(SIGNATURE) + 25  # the chunk IHDR: length, type, 13 bytes, checksum


def with_png_text(png: bytes, keyword: str, text: str) -> bytes:
    """A PNG with one more tEXt chunk behind its header.

    Args:
        png: the whole file.
        keyword: 1 to 79 Latin-1 characters.
        text: Latin-1.
    """
    content = b"tEXt" + keyword.encode("latin-1") + b"\0" + text.encode("latin-1")
    chunk = struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))
    return png[:_HEADER_END] + chunk + png[_HEADER_END:]


def png_text(path: Path, keyword: str) -> str | None:
    """The text of a keyword in a PNG's first chunks, before its pixels; None where there is none, or no PNG.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        if file.read(len(SIGNATURE)) != SIGNATURE:
            return None
        for _ in range(MAX_CHUNKS):
            head = file.read(8)
            if len(head) < 8 or head[4:] in (b"IDAT", b"IEND"):
                return None
            length = int.from_bytes(head[:4], "big")
            if head[4:] == b"tEXt" and length <= MAX_TEXT_BYTES:
                name, _, text = file.read(length).partition(b"\0")
                if name == keyword.encode("latin-1"):
                    return text.decode("latin-1")
                file.seek(4, 1)
            else:
                file.seek(length + 4, 1)
    return None
