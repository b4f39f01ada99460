"""The bytes of a file at any place, of which only what is asked for is read."""

from typing import BinaryIO

_HEAD_BYTES = 262_144


class FileBytes:
    """An open file; its first bytes are read at once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.head = file.read(_HEAD_BYTES) or b""
        """Up to 256 KiB."""
        self.size = len(self.head) if len(self.head) < _HEAD_BYTES else file.seek(0, 2)
        """In bytes."""

    def at(self, start: int, count: int) -> bytes:
        """`count` bytes from `start`; raises `EOFError` where the file is shorter, `ValueError` for negative ones."""
        if start < 0 or count < 0:
            raise ValueError("a place before the start of the file")
        if start + count > self.size:
            raise EOFError("the file is cut short")
        if start + count <= len(self.head):
            return self.head[start : start + count]
        self._file.seek(start)
        return self._file.read(count)

    def tail(self, count: int) -> bytes:
        """The last bytes, at most `count`."""
        count = min(count, self.size)
        return self.at(self.size - count, count)

    def all(self) -> bytes:
        """The whole file."""
        return self.at(0, self.size)
