"""What the index of an AVI file knows of its packets: which were written, where, and which are key frames.

AVI numbers what it finds. After a damaged stretch ffmpeg continues counting from where it stopped, and takes even the
flags of key frames from the wrong entries.

Frames that a recorder dropped: AVI has an empty chunk in their place, which repeats the picture before.

ffmpeg counts empty chunks as time and gives no packet for them.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.video.packets.container import open_container
from training.video.packets.lost_packets import with_rows
from training.video.packets.presentation import Ints
from training.video.packets.scan import PacketScan

_ENTRY_BYTES = 16
_MOST_AT_ONCE = 100_000
"""Frames dropped one after the other: a longer gap is a damaged number rather than a pause."""


def repeated_pictures(
    path: Path, stream: int, slots: Ints, is_shown: NDArray[np.bool_], announced: int
) -> tuple[Ints, Ints] | None:
    """(N,) the picture that each frame of an AVI file shows, and its place in the count; None where none was dropped.

    `slots` (P,) are the places of packets in the count of the file's chunks; the header announces so many frames.
    """
    own = np.unique(slots)
    count = int(own[-1]) + 1
    if count < announced and _entries(path, stream) == announced:
        count = announced  # the last ones were dropped
    if own[0] < 0 or len(own) < len(slots) or count == len(own):
        return None
    if np.diff(own, prepend=-1, append=count).max() > _MOST_AT_ONCE:
        return None
    shown = np.sort(slots[is_shown])
    frames = np.union1d(shown, np.setdiff1d(np.arange(count), own))
    pictures = np.searchsorted(shown, frames, side="right") - 1
    return np.maximum(pictures, 0).astype(np.int64), frames.astype(np.int64)


def _entries(path: Path, stream: int) -> int:
    """How many chunks of a stream the old index (idx1) at the end of the file lists, empty ones too."""
    with path.open("rb") as file:
        file.seek(12)
        while len(head := file.read(8)) == 8:
            size = int.from_bytes(head[4:], "little")
            if head[:4] != b"idx1":
                file.seek(size + size % 2, 1)
                continue
            table: NDArray[np.uint8] = np.frombuffer(file.read(size), np.uint8)
            rows = table[: len(table) // _ENTRY_BYTES * _ENTRY_BYTES].reshape(-1, _ENTRY_BYTES)
            name = np.frombuffer(f"{stream:02d}d".encode(), np.uint8)
            return int((rows[:, :3] == name).all(axis=1).sum())
    return 0


_CHUNK_HEADER_BYTES = 8
_LEAST_SHARE_FOUND = 0.5  # of the packets: an index that knows fewer is damaged itself


@dataclass(frozen=True)
class _Entries:
    """The entries of the index that hold data; K is their number."""

    place: Ints
    """(K,) where their data begin."""
    size: Ints
    slot: Ints
    """(K,) their numbers; empty entries are numbered too."""
    is_key: NDArray[np.bool_]


def put_right(scan: PacketScan, path: Path, stream: int, announced: int) -> PacketScan:
    """The scan of a damaged AVI file with the numbers and key frames of the file's index, and rows for lost packets.

    Chunks that the index does not know are noise that looks like a chunk: they announce no frame. Unchanged where the
    index is lost too (it stands at the end of the file).
    """
    entries = _entries_of(path, stream)
    # Without an index there are entries of the first packets only, which ffmpeg made on opening.
    if len(entries.place) < len(scan.size) or (len(entries.slot) and entries.slot[-1] + 1 < announced):
        return scan
    entry = _matched(scan, entries)
    known = entry >= 0
    if known.mean() < _LEAST_SHARE_FOUND:
        return scan
    slot = scan.dts.copy()
    slot[known] = entries.slot[entry[known]]
    is_key = np.where(known, entries.is_key[entry], False)
    damaged_size = known & (entries.size[entry] != scan.size)
    result = replace(
        scan,
        pts=np.where(known, slot, scan.pts),
        dts=slot,
        is_key=is_key,
        is_shown=scan.is_shown & known,
        is_headless=scan.is_headless | damaged_size | ~known,
    )
    lost = np.setdiff1d(np.arange(len(entries.place)), entry)
    # Before the first row whose entry comes after it, else at the end; rows without an entry before it stay before.
    last = np.maximum.accumulate(entry)
    before = np.searchsorted(last, lost, side="right").astype(np.int64)
    return with_rows(result, before, pts=entries.slot[lost], dts=entries.slot[lost])


def _entries_of(path: Path, number: int) -> _Entries:
    container, stream = open_container(path, number)  # again: ffmpeg adds to the index what it takes for packets
    with container:
        entries = [
            (e.pos + _CHUNK_HEADER_BYTES, e.size, e.timestamp, e.is_keyframe)
            for e in getattr(stream, "index_entries", ())  # PyAV before 13 has none
            if e.size
        ]
    columns = np.array(entries, np.int64).reshape(-1, 4)
    return _Entries(columns[:, 0], columns[:, 1], columns[:, 2], columns[:, 3].astype(bool))


def _matched(scan: PacketScan, entries: _Entries) -> Ints:
    """(P,) the entry of each packet, -1 for none; where bytes are cut out of the file, entries lie further on."""
    matched = np.full(len(scan.size), -1, np.int64)
    shift, last = 0, -1
    entry_of = {place: number for number, place in enumerate(entries.place.tolist())}
    places, sizes = scan.pos.tolist(), scan.size.tolist()
    for row, place in enumerate(places):
        number = entry_of.get(place + shift, -1)
        if number < 0 and row + 1 < len(places):
            number = _further_on(entries, last, sizes[row], sizes[row + 1], places[row + 1] - place)
            shift = int(entries.place[number]) - place if number >= 0 else shift
        if number > last:
            matched[row] = last = number
    return matched


def _further_on(entries: _Entries, last: int, size: int, next_size: int, distance: int) -> int:
    """The first entry after `last` of this size, whose neighbour fits too, by size and distance; -1 for none."""
    here, after = slice(last + 1, -1), slice(last + 2, None)
    fits = (entries.size[here] == size) & (entries.size[after] == next_size)
    fits &= entries.place[after] - entries.place[here] == distance
    return int(fits.argmax()) + last + 1 if fits.any() else -1
