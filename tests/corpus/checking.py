"""Reading a source by frame number with each reader, and counting what is wrong, missing and why."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.corpus.damaging import Spans, damage_file, damage_folder
from tests.corpus.dicom_kinds import DICOM_KINDS, write_dicom_kind
from tests.corpus.kinds import Expected, write_kind
from tests.corpus.making import HIDDEN_BY_EDIT_LIST, frame_times, write_whole
from tests.corpus.other_readers import Reads, ffmpeg_order, opencv_reads
from tests.corpus.pictures import number_in
from tests.corpus.sources import FRAMES, Source
from training.errors import UserError
from training.video import FrameIndex, FrameMissing, build_index, first_picture, open_source, verify_index
from training.video.packets.table import NO_VALUE, PacketTable

_RANDOM_READS = 24
_STEPS_BACK = 12
_NEAR_LOSS = 16
_ASF_PACKET_BYTES = 3200
_HELD_BY_DECODER = 5  # frames of H.264 that come out late: in AVI their order is learnt from that


@dataclass
class Outcome:
    """What came of one source."""

    source: Source
    refused: str = ""
    """Why it was not opened; nothing else is counted then."""
    frames: int = 0
    reads: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    """Reads that gave another frame's picture, or a frame under another number than its own."""
    is_renumbered: bool = False
    """Frames were lost unnoticed, or uncounted: those after them have lower numbers, and the right times."""
    torn: int = 0
    """Reads whose picture carries no number that can be read."""
    missing: set[int] = field(default_factory=set)
    unexplained: set[int] = field(default_factory=set)
    """Frames that are missing although neither they nor what they lean on was damaged."""
    contradictions: list[str] = field(default_factory=list)
    """What else does not fit: order of ffmpeg, number of frames, ways of reading that differ."""
    opencv: Reads = field(default_factory=Reads)


def check_source(source: Source, folder: Path) -> Outcome:
    """Make the source inside `folder`, read it in all ways, and delete it."""
    if source.kind != "plain":
        return _check_kind(source, folder)
    path = write_whole(source, folder / source.name)
    outcome = Outcome(source)
    truth = _Truth.of_whole(source, path)
    if source.damage == "none":
        _compare_with_ffmpeg(path, source, outcome)
    else:
        truth.damage(path)
    try:
        index = build_index(path)
        _read(path, index, truth, outcome)
    except UserError as error:
        outcome.refused = error.message
    outcome.opencv = opencv_reads(path, truth.first, _order(max(outcome.frames, 1)))
    return outcome


def _check_kind(source: Source, folder: Path) -> Outcome:
    """Compare every picture, in one stream and sought, with a decode of the whole file at once; and look for notes."""
    path = folder / source.name
    expected = write_dicom_kind(source, path) if source.kind in DICOM_KINDS else write_kind(source, path)
    outcome = Outcome(source)
    try:
        index = verify_index(path, build_index(path))
    except UserError as error:
        outcome.refused = error.message
        return outcome
    outcome.frames = len(index)
    if len(index) != len(expected.pictures):
        outcome.contradictions.append(f"{len(index)} frames, not {len(expected.pictures)}")
        return outcome
    if not any(re.search(expected.note, note) for note in (*index.notes, "" if expected.note else "nothing to say")):
        outcome.contradictions.append(f"the notes lack “{expected.note}”: {index.notes}")
    with open_source(path, index=index) as source_of_frames:
        for frame_index, picture in source_of_frames.iterate():
            _compare(outcome, expected, frame_index, picture, "streamed")
        for frame_index in _order(len(index)):
            try:
                _compare(outcome, expected, frame_index, source_of_frames.read(frame_index), "sought")
            except FrameMissing:
                _compare(outcome, expected, frame_index, None, "sought")
    _compare(outcome, expected, 0, first_picture(path), "first")
    return outcome


def _compare(
    outcome: Outcome, expected: Expected, frame_index: int, picture: NDArray[np.uint8] | None, how: str
) -> None:
    outcome.reads += 1
    meant = expected.pictures[frame_index]
    if picture is None:
        outcome.missing.add(frame_index)
        outcome.unexplained.add(frame_index)
    elif picture.shape != meant.shape:
        outcome.wrong.append(f"{how} {frame_index}: {picture.shape}, not {meant.shape}")
    elif (difference := int(np.abs(picture.astype(int) - meant).max())) > expected.tolerance:
        outcome.wrong.append(f"{how} {frame_index}: off by {difference} levels")
    else:
        outcome.right += 1


@dataclass
class _Truth:
    """What is known of a source from how it was made."""

    source: Source
    first: int
    """The number of the first frame that is shown."""
    table: PacketTable | None
    """Of the whole file."""
    seconds: NDArray[np.float64]
    """(FRAMES,) time of each number, from the first one shown."""
    spans: Spans = field(default_factory=list)
    images: set[int] = field(default_factory=set)

    @staticmethod
    def of_whole(source: Source, path: Path) -> "_Truth":
        base, times = frame_times(source)
        first = HIDDEN_BY_EDIT_LIST if source.rate == "edit list" else 0
        seconds = (np.array(times, np.float64) - times[first]) * float(base)
        table = None if source.container == "folder" else build_index(path).packets
        return _Truth(source, first, table, seconds)

    def damage(self, path: Path) -> None:
        if self.table is None:
            self.images = damage_folder(path, self.source)
            return
        known = self.table.pos != NO_VALUE
        media = int(self.table.pos[known].min()), int((self.table.pos + self.table.size)[known].max())
        self.spans = damage_file(path, media, self.source)

    def numbers(self, frame_index: int, index: FrameIndex) -> tuple[int, int]:
        """The number that a frame has in the whole file, and the one that was shown at the frame's time."""
        if self.source.container == "folder":
            left = [n for n in range(FRAMES) if self.source.damage != "lost" or n not in self.images]
            return left[frame_index], left[frame_index]
        by_count = self.first + frame_index
        if self.source.damage == "none" or self.source.container in ("mp4", "mov", "avi"):
            return by_count, by_count
        return by_count, int(np.abs(self.seconds - index.video_seconds[frame_index]).argmin())

    def explains(self, number: int, found: PacketTable | None) -> bool:
        """Whether a frame is rightly missing from the damaged file, whose packets are `found`."""
        if self.table is None or found is None:
            return number in self.images
        table = self.table
        if not 0 <= number - self.first < len(table.packet_of_frame):
            return True  # beyond the end: a loss was taken for longer than it was
        row = int(table.packet_of_frame[number - self.first])
        hit = self._hit_rows(found)
        last = min(row + 1, len(table) - 1)  # damage that shows in the next packet may have begun in this one
        leans_on_damage = hit[int(table.start_row[row]) : last + 1].any()
        # Where the order is not stored, it is lost for frames that were decoded before a loss and are shown after it.
        stores_order = self.source.container in ("mp4", "mov", "mkv", "webm", "wmv") or self.source.codec == "hevc"
        late = hit[row:] & (table.rank[row:] < table.rank[row])
        is_out_of_order = not stores_order and (
            late.any()
            or hit[row : row + _HELD_BY_DECODER].any()
            or (self.source.damage == "cut" and row + _HELD_BY_DECODER >= len(hit))
        )
        leading = (row + 1 + np.flatnonzero(table.rank[row + 1 :] < table.rank[row])).tolist()
        if not stores_order and any(hit[int(table.start_row[lead]) : lead].any() for lead in leading):
            is_out_of_order = True  # frames that lead it give no picture, so that their order is not learnt
        # Near a loss, times of MPEG's program streams that contradict the order leave a frame's place in doubt.
        if self.source.container in ("mpg", "vob"):
            is_out_of_order = is_out_of_order or hit[max(row - _NEAR_LOSS, 0) : row].any()
        return bool(leans_on_damage or is_out_of_order)

    def _hit_rows(self, found: PacketTable) -> NDArray[np.bool_]:
        """(P,) packets of the whole file that damage touches, or that no reader finds any more behind such a one."""
        assert self.table is not None
        table = self.table
        starts = np.maximum.accumulate(np.where(table.pos == NO_VALUE, 0, table.pos))
        ends = np.maximum(np.append(starts[1:], starts[-1] + table.size[-1]), starts + table.size)
        tables_are_off = self.source.damage == "lost" and self.source.container in ("mp4", "mov")
        hit = np.zeros(len(table), bool)
        more = _ASF_PACKET_BYTES if self.source.container == "wmv" else 0
        for start, stop in self.spans:
            start, stop = start - more, stop + more  # ASF cuts frames into packets of its own
            hit |= (starts < (np.inf if tables_are_off else stop)) & (ends > start)
        gone = found.is_lost[found.packet_of_frame]
        for row in range(1, len(table)):
            frame_index = int(table.frame_of_packet[row])
            hit[row] |= hit[row - 1] and 0 <= frame_index < len(gone) and bool(gone[frame_index])
        return hit


def _order(frames: int) -> list[int]:
    rng = np.random.default_rng(1)
    random = rng.integers(0, frames, _RANDOM_READS).tolist()
    last = int(rng.integers(frames // 2, frames))
    return [*random, *range(last, max(last - _STEPS_BACK, -1), -1), 0, frames - 1, *range(min(4, frames))]


def _read(path: Path, index: FrameIndex, truth: _Truth, outcome: Outcome) -> None:
    outcome.frames = len(index)
    if truth.source.damage == "none" and len(index) != FRAMES - truth.first:
        outcome.contradictions.append(f"{len(index)} frames")
    streamed: dict[int, int | None] = {}
    with open_source(path, index=index) as source:
        for frame_index, picture in source.iterate():
            streamed[frame_index] = None if picture is None else number_in(picture)
            _count(outcome, truth, index, frame_index, streamed[frame_index], "streamed")
    with open_source(path, index=index) as source:
        for frame_index in _order(len(index)):
            try:
                number = number_in(source.read(frame_index))
            except FrameMissing:
                number = None
            _count(outcome, truth, index, frame_index, number, "sought")
            if number != streamed[frame_index]:
                outcome.contradictions.append(f"{frame_index}: streamed {streamed[frame_index]}, sought {number}")


def _count(outcome: Outcome, truth: _Truth, index: FrameIndex, frame_index: int, number: int | None, how: str) -> None:
    outcome.reads += 1
    by_count, by_time = truth.numbers(frame_index, index)
    if number is None:
        outcome.missing.add(frame_index)
        if not any(truth.explains(place, index.packets) for place in (by_count, by_time)):
            outcome.unexplained.add(frame_index)
    elif number == -1:
        outcome.torn += 1
    elif number in (by_count, by_time):
        outcome.right += 1
        outcome.is_renumbered |= number != by_count
    else:
        outcome.wrong.append(f"{how} {frame_index}: {number}")


def _compare_with_ffmpeg(path: Path, source: Source, outcome: Outcome) -> None:
    if source.container == "folder":
        return
    numbers = ffmpeg_order(path)
    first = HIDDEN_BY_EDIT_LIST if source.rate == "edit list" else 0
    if numbers != list(range(first, FRAMES)):
        outcome.contradictions.append(f"ffmpeg: {numbers}")
