"""Checking an index by decoding around a sample of seeks."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.runs.reporter import Reporter, SilentReporter, reported
from training.texts import Text
from training.video.frame_decoder import FrameDecoder
from training.video.frame_index import FrameIndex
from training.video.opening import open_source
from training.video.packets.notes import is_sizes_note, sizes_note
from training.video.packets.table import PacketTable
from training.video.source import FrameMissing
from training.video.video_source import in_order

_LONGEST_CHECK = 300  # frames that are decoded around one seek at most
_NAMED = 5


def verify_index(path: Path, index: FrameIndex, samples: int = 16, reporter: Reporter | None = None) -> FrameIndex:
    """Decode around a sample of seeks; learn which frames there are missing and which key frames are none.

    Around each sampled key frame decoding starts twice: at the key frame before it, and at itself. Where that gives
    different pictures, the key frame was one in name only; then all are checked, and the false ones are used no more.

    Args:
        path: the study.
        index: its index.
        samples: how many seeks, spread over the study; the first and the last key frame are among them.
        reporter: receives progress; may cancel, or stop the check early.

    Returns:
        The index, with newly found missing frames added, false key frames taken out, and notes on both.

    Raises:
        Cancelled: the reporter asked to end.
    """
    reporter = reporter or SilentReporter()
    if index.packets is None:
        return _verify_pictures(path, index, samples, reporter)
    check = _Check(path, index, index.packets, reporter)
    with closing(check.decoder):
        check.run(_spread(np.arange(len(index.packets.key_rows)), samples), "checking")
        if check.false_keys:
            check.run(np.arange(len(index.packets.key_rows)), "checking all key frames of")
    return check.result()


class _Check:
    """The state of one check of a video's index."""

    def __init__(self, path: Path, index: FrameIndex, table: PacketTable, reporter: Reporter) -> None:
        self._path = path
        self._index = index
        self._table = table
        self._reporter = reporter
        self.decoder = FrameDecoder(path, table)
        self.missing: set[int] = set()
        self.false_keys: set[int] = set()
        self.sizes: set[tuple[int, int]] = set()

    def run(self, keys: NDArray[np.int64], what: str) -> None:
        """Check around these (places in `key_rows`)."""
        for done, key in enumerate(keys.tolist()):
            self._reporter.check()
            if self._reporter.stop_requested:
                return
            self._reporter.progress(done, len(keys), "seeks", f"{what} {self._path.name}")
            self._around(key)

    def _around(self, key: int) -> None:
        """Compare the frames that depend on one key packet, decoded from the key packet before and from itself."""
        rows = self._table.key_rows
        first, last = int(rows[key]), int(rows[key + 1]) if key + 1 < len(rows) else len(self._table)
        own = self._table.frame_of_packet[first:last]
        own = np.sort(own[(own >= 0) & (self._table.start_row[first:last] == first)])[:_LONGEST_CHECK]
        if not len(own):
            return
        wanted = range(int(own[0]), int(own[-1]) + 1)
        here = self._decode(first, wanted)
        before = self._decode(int(rows[key - 1]), wanted) if key else here
        for frame_index in own.tolist():
            a, b = here.get(frame_index), before.get(frame_index)
            if a is None and b is None:
                self.missing.add(frame_index)
            elif a is None or b is None or not np.array_equal(a, b):
                self.false_keys.add(first)

    def _decode(self, row: int, wanted: range) -> dict[int, NDArray[np.uint8] | None]:
        frames = in_order(self.decoder.frames_from(row), wanted)
        pictures: dict[int, NDArray[np.uint8] | None] = {}
        for number, frame in frames:
            pictures[number] = None if frame is None else np.frombuffer(bytes(frame.planes[0]), np.uint8)
            if frame is not None:
                self.sizes.add((frame.width, frame.height))
        return pictures

    def result(self) -> FrameIndex:
        """The index with what was learnt."""
        new = np.flatnonzero(np.isin(self._index.pictures, sorted(self.missing)))
        missing = np.union1d(self._index.missing, new).astype(np.int64)
        notes = [*self._index.notes]
        if len(new):
            notes.append(Text("{count:,} frames cannot be decoded: {named}.", len(new), _named(new.tolist())))
        if len(self.sizes) > 1 and not any(map(is_sizes_note, notes)):
            notes.append(sizes_note(self.sizes))
        if not self.false_keys:
            return replace(self._index, missing=missing, notes=tuple(dict.fromkeys(notes)))
        notes.append(Text("{count:,} frames are marked as key frames, but are not.", len(self.false_keys)))
        is_key = self._table.is_key.copy()
        is_key[sorted(self.false_keys)] = False
        table = replace(self._table, is_key=is_key)
        return replace(
            self._index,
            missing=missing,
            notes=tuple(dict.fromkeys(notes)),
            is_key=is_key[table.packet_of_frame[self._index.pictures]],
            packets=table,
        )


def _spread(keys: NDArray[np.int64], samples: int) -> NDArray[np.int64]:
    return np.unique(keys[np.linspace(0, len(keys) - 1, max(samples, 1)).round().astype(int)])


def _named(frames: list[int]) -> str:
    """Frame numbers as a person counts them, from 1."""
    more = f" and {len(frames) - _NAMED:,} more" if len(frames) > _NAMED else ""
    return ", ".join(f"{frame + 1:,}" for frame in frames[:_NAMED]) + more


def _verify_pictures(path: Path, index: FrameIndex, samples: int, reporter: Reporter) -> FrameIndex:
    missing = set(index.missing.tolist())
    places = _spread(np.arange(len(index)), samples).tolist()
    with open_source(path, index=index, cache_bytes=1) as source:
        for place in reported(places, reporter, "frames", Text("checking {name}", path.name), every=1):
            try:
                source.read(place)
            except FrameMissing:
                missing.add(place)
    new = sorted(missing - set(index.missing.tolist()))
    names = ", ".join(index.files[place] for place in new[:_NAMED]) if index.files else _named(new)
    note = (Text("{count:,} images cannot be decoded: {names}.", len(new), names),) if new else ()
    return replace(index, missing=np.array(sorted(missing), np.int64), notes=index.notes + note)
