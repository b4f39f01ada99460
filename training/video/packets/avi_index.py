"""What the index of an AVI file knows of its packets: which were written, where, and which are key frames.

AVI numbers what it finds. After a damaged stretch ffmpeg continues counting from where it stopped, and takes even the
flags of key frames from the wrong entries.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.video.packets.container import open_container
from training.video.packets.lost_frames import with_rows
from training.video.packets.presentation import Ints
from training.video.packets.scan import PacketScan

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
    found = replace(
        scan,
        pts=np.where(known, slot, scan.pts),
        dts=slot,
        is_key=is_key,
        is_shown=scan.is_shown & known,
        is_headless=scan.is_headless | damaged_size | ~known,
    )
    lost = np.setdiff1d(np.arange(len(entries.place)), entry)
    before = np.array([_row_after(entry, number) for number in lost], np.int64)
    return with_rows(found, before, pts=entries.slot[lost], dts=entries.slot[lost])


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


def _row_after(entry: Ints, number: int) -> int:
    """The first row whose entry comes after this one, else the end; rows without an entry before it stay before."""
    later = np.flatnonzero(entry > number)
    return int(later[0]) if len(later) else len(entry)
