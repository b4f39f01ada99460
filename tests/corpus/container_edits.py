"""Changes to the tables of mp4 and AVI files that no muxer makes."""

from pathlib import Path

_IDENTITY = bytes.fromhex("00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000")
_EMPTY = -1


def turn_track(path: Path, matrix: tuple[int, int, int, int]) -> None:
    """Give the track of an mp4 file the display matrix (a, b, c, d)."""
    data = path.read_bytes()
    at = data.index(_IDENTITY, data.index(b"tkhd"))
    a, b, c, d = (int.to_bytes(entry << 16 & 0xFFFFFFFF, 4, "big") for entry in matrix)
    zero, one = bytes(4), bytes.fromhex("40000000")
    path.write_bytes(data[:at] + a + b + zero + c + d + zero + zero + zero + one + data[at + 36 :])


def with_edit_list(path: Path, entries: tuple[tuple[float, float | None], ...]) -> None:
    """Replace the edit list of an mp4 file whose tables stand at its end.

    Args:
        path: the file.
        entries: of each part its seconds, and where it begins among the pictures, in seconds; None: a pause.
    """
    data = path.read_bytes()
    assert data.index(b"mdat") < data.index(b"moov")
    at = data.index(b"elst")
    movie_scale, media_scale = (_number(data, data.index(name) + 16) for name in (b"mvhd", b"mdhd"))
    old_bytes = 16 + 12 * _number(data, at + 8)
    first = _number(data, at + 16)  # the time of the first picture: B-frames begin late
    body = b"elst" + bytes(4) + len(entries).to_bytes(4, "big")
    for seconds, begin in entries:
        start = _EMPTY if begin is None else first + round(begin * media_scale)
        body += round(seconds * movie_scale).to_bytes(4, "big") + start.to_bytes(4, "big", signed=True)
        body += bytes.fromhex("00010000")
    made = bytearray(data[: at - 4] + (len(body) + 4).to_bytes(4, "big") + body + data[at - 4 + old_bytes :])
    for name in (b"moov", b"trak", b"edts"):
        place = made.index(name) - 4
        made[place : place + 4] = (_number(made, place) + len(body) + 4 - old_bytes).to_bytes(4, "big")
    path.write_bytes(made)


def count_from(data: bytes, count: int) -> bytes:
    """A transport stream whose cells are counted `count` further on, as one that is cut out of another."""
    made = bytearray(data)
    for at in range(0, len(made), 188):
        made[at + 3] = made[at + 3] & 0xF0 | made[at + 3] + count & 15
    return bytes(made)


def _number(data: bytes | bytearray, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def insert_null_chunks(path: Path, places: tuple[int, ...]) -> None:
    """Put empty chunks before these pictures of an AVI file, as recorders write those that they drop."""
    data = bytearray(path.read_bytes())
    start, stop = data.index(b"movi"), data.index(b"idx1")
    keys = [bool(data[at + 4] & 16) for at in range(stop + 8, stop + 8 + _little(data, stop + 4), 16)]
    chunks: list[tuple[bytes, bytes, bool]] = []
    at, number = start + 4, 0
    while at < stop:
        name, size = bytes(data[at : at + 4]), _little(data, at + 4)
        if name[2:3] == b"d" and name[:2].isdigit():
            chunks += [(name, b"", False)] * places.count(number)
            chunks.append((name, bytes(data[at + 8 : at + 8 + size]), keys[number]))
            number += 1
        at += 8 + size + size % 2
    body, table = b"", b""
    for name, content, is_key in chunks:
        size_bytes = len(content).to_bytes(4, "little")
        table += name + (16 * is_key).to_bytes(4, "little") + (len(body) + 4).to_bytes(4, "little") + size_bytes
        body += name + size_bytes + content + b"\0" * (len(content) % 2)
    head = data[: start - 4]
    for name, offset in ((b"avih", 24), (b"strh", 40)):  # total frames, and the length of the stream
        place = head.index(name) + offset
        head[place : place + 4] = len(chunks).to_bytes(4, "little")
    made = head + (len(body) + 4).to_bytes(4, "little") + b"movi" + body
    made += b"idx1" + len(table).to_bytes(4, "little") + table
    made[4:8] = (len(made) - 8).to_bytes(4, "little")
    path.write_bytes(made)


def _little(data: bytearray, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")
