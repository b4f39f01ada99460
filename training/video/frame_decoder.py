"""Decoding frames that know their own number, and holding back those that damage has reached.

Some decoders show an older picture without reporting an error; their packets are checked before.
"""

import zlib
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from training.video.group_decoder import GroupDecoder
from training.video.packets.reader import LostTrack, PacketReader
from training.video.packets.table import PacketTable

if TYPE_CHECKING:
    from av.packet import Packet as AnyPacket
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

    Packet = AnyPacket[VideoStream]


class HeldFrames:
    """Frames that wait until it is known whether what they depend on is whole.

    A frame may depend on one that is shown later but was decoded before; it waits until that one has come out too, and
    until the decoder has seen the packet after its own.
    """

    def __init__(self, table: PacketTable, first_row: int) -> None:
        self._table = table
        self._first_row = first_row
        self._waiting: list[VideoFrame] = []
        self._highest = -1
        self.damaged_rows: set[int] = set()

    def add(self, rank: int, frame: "VideoFrame | None", handed: int) -> "list[tuple[int, VideoFrame | None]]":
        """Take what came out; return rank and frame of those settled now, None for a frame that damage has reached.

        A damaged packet gives no frame; `handed` is the row of the packet that the decoder got last.
        """
        if frame is not None:
            self._waiting.append(frame)
            self._highest = max(self._highest, rank)
        elif rank < len(self._table):
            self.damaged_rows.add(int(self._table.order[rank]))
        else:
            self._highest = rank
        settled = [
            f
            for f in self._waiting
            if self._row(f) < handed and self._table.highest_rank[self._row(f)] <= self._highest
        ]
        if settled:
            self._waiting = [f for f in self._waiting if f not in settled]
        return [(f.pts or 0, None if self._is_reached(f) else f) for f in settled]

    def leans_on_damage(self, row: int) -> bool:
        """Whether a packet needs others that are damaged, or that come before the first one that was decoded."""
        start = int(self._table.start_row[row])
        return start < self._first_row or any(start <= damaged < row for damaged in self.damaged_rows)

    def _row(self, frame: "VideoFrame") -> int:
        return int(self._table.order[frame.pts or 0])

    def _is_reached(self, frame: "VideoFrame") -> bool:
        if not self.damaged_rows:
            return False
        row = self._row(frame)
        start = int(self._table.start_row[row])
        damaged = np.fromiter(self.damaged_rows, np.int64)
        # What leads the key frame depends on the group before; nothing that follows depends on it.
        counts = (self._table.rank[damaged] >= self._table.rank[start]) | (damaged == start)
        return bool((counts & (damaged >= start) & (damaged <= row)).any())


_LEAVE_OUT_SILENTLY = ("av1", "libdav1d", "libaom-av1")
"""Decoders that give nothing for damaged frames, without a word."""


class FrameDecoder:
    """Decodes a file from any of its key packets on.

    Each packet carries its presentation rank through the decoder in place of its time stamp. So a frame is known by the
    packet it came from, whatever the container says of time: repeated, restarted or missing stamps cannot shift it.

    A frame is given out only if nothing that it may depend on is damaged, that is no packet from its key packet on, in
    decode order: decoders continue after damage with pictures that look whole but are wrong. Nor if the packet
    after its own is damaged: damage begins inside a packet, and a decoder may read noise to the picture's end unawares.
    Damage within a single packet that its decoder reads over is not seen.
    """

    def __init__(self, path: Path, table: PacketTable) -> None:
        self._reader = PacketReader(path, table)
        self._table = table
        self.row = 0
        """The row of the packet that was last handed to the decoder."""
        self._expected = 0
        context = self._reader.context
        self.size = context.height, context.width
        """(height, width) of the frames in pixels, as the file's header says."""
        self._is_checked = context.name in CHECKED
        self._group = GroupDecoder(self._reader, table)

    def close(self) -> None:
        """Close the file and its decoder."""
        self._reader.close()

    def group_until(self, row: int) -> "dict[int, VideoFrame] | None":
        """Frame number and picture of all that is decoded for a packet's frame; None where `frames_from` must tell.

        Faster than `frames_from`, which must not go on afterwards. The frames are those that it would give.
        """
        frames = self._group.frames_until(row)
        if frames is None:
            return None
        return {int(self._table.frame_of_packet[self._table.order[rank]]): frame for rank, frame in frames.items()}

    def frames_from(self, row: int) -> "Iterator[tuple[int, VideoFrame | None]]":
        """Frame number and picture, from `row` to the end of the file; None for a frame that damage has reached.

        Frames that depend on packets before `row` are left out.
        """
        held = HeldFrames(self._table, row)
        for rank, frame in self._decoded(row, held):
            for settled, whole in held.add(rank, frame, self.row):
                packet = self._table.order[settled]
                number = int(self._table.frame_of_packet[packet])
                if number >= 0 and self._table.start_row[packet] >= row:
                    yield number, whole

    def _decoded(self, row: int, held: HeldFrames) -> "Iterator[tuple[int, VideoFrame | None]]":
        try:
            yield from self._decode(row, held, careful=False)
        except LostTrack:
            yield from self._decode(row, held, careful=True)

    def _decode(self, row: int, held: HeldFrames, *, careful: bool) -> "Iterator[tuple[int, VideoFrame | None]]":
        """Rank and frame as they leave the decoder; without a frame where the packet is damaged; at last beyond all."""
        count = len(self._table)
        is_harmed, key_rank = False, -1
        self._reader.restart()
        self._expected = int(self._table.rank[row])
        for at, packet in self._reader.read_from(row, careful=careful):
            lost = self._lost_right_before(at)
            yield from ((int(self._table.rank[gone]), None) for gone in lost)
            if self._table.is_key[at] and (is_harmed or lost):
                # With what is lost in mind, decoders throw away good frames after the next key frame; a seek there
                # gives them. So what the decoder still holds comes out, and then it has forgotten all.
                yield from self._handed_to_decoder(None, held)
                self._reader.restart()
                is_harmed = False
            if self._table.is_key[at]:
                key_rank = int(self._table.rank[at])
            self.row = at
            packet.pts, packet.dts = int(self._table.rank[at]), None
            if self._table.is_damaged[at]:
                yield packet.pts, None
            is_harmed |= bool(lost) or bool(self._table.is_damaged[at])
            for rank, frame in self._handed_to_decoder(packet, held):
                is_harmed |= frame is None and rank >= key_rank  # frames that lead the key frame may fail
                yield rank, frame
        self.row = count
        yield from self._handed_to_decoder(None, held)
        yield count, None

    def _lost_right_before(self, row: int) -> range:
        first = row
        while first and self._table.is_lost[first - 1]:
            first -= 1
        return range(first, row)

    def _handed_to_decoder(
        self, packet: "Packet | None", held: HeldFrames
    ) -> "Iterator[tuple[int, VideoFrame | None]]":
        import av

        context = self._reader.context
        has_extradata = bool(context.extradata)
        if self._is_checked and packet and not is_drawable(context.name, bytes(packet), has_extradata=has_extradata):
            yield int(self._table.rank[self.row]), None
            return
        try:
            frames = context.decode(packet)
        except av.error.FFmpegError:
            row = len(self._table) - 1 if packet is None else self.row
            # The one before may be torn where the damage begins, unless this one had to fail.
            first = row if held.leans_on_damage(row) else max(row - 1, 0)
            yield from ((int(self._table.rank[at]), None) for at in range(first, row + 1))
            return
        for frame in frames:
            if frame.pts is not None and 0 <= frame.pts < len(self._table):
                if context.name in _LEAVE_OUT_SILENTLY:  # those that should have come before this one
                    yield from ((rank, None) for rank in range(self._expected, frame.pts))
                self._expected = frame.pts + 1
                yield frame.pts, None if frame.is_corrupt else frame


_FRAMES_TRIED = 16


def sizes_at(path: Path, table: PacketTable, rows: list[int]) -> set[tuple[int, int]]:
    """(width, height) of the pictures at these key packets; decodes one of each."""
    sizes = set()
    with closing(FrameDecoder(path, table)) as decoder:
        for row in rows:
            frames = (frame for _, frame in islice(decoder.frames_from(row), _FRAMES_TRIED))
            sizes |= {(frame.width, frame.height) for frame in islice((f for f in frames if f is not None), 1)}
    return sizes


_MARKER, _START, _SCAN = 0xFF, 0xD8, 0xDA
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BITS_REVERSED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))
CHECKED = frozenset({"mjpeg", "qtrle", "ffv1"})
"""The decoders whose packets are checked."""
_SLICE_SIZE_BYTES, _CHECKSUM_BYTES = 3, 5  # the checksum comes with one byte of status


def is_drawable(codec: str, data: bytes, *, has_extradata: bool) -> bool:
    """Whether a packet passes the checks that its format allows; True for codecs whose decoders report damage.

    FFV1 has slices with sizes only where the container holds a header of the codec (`has_extradata`).
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
        # CRC-32 with the highest bit first and nothing inverted, which is zero over a slice and its checksum. zlib
        # computes it with the lowest bit first, and inverts at both ends.
        return all(zlib.crc32(part.translate(_BITS_REVERSED), 0xFFFFFFFF) == 0xFFFFFFFF for part in with_checksums)
    return bool(_slices(data, _SLICE_SIZE_BYTES))


def _slices(data: bytes, trailer_bytes: int) -> list[bytes]:
    """The slices from last to first, each with its trailer; none where one is empty or they do not fill the packet."""
    result, stop = [], len(data)
    while stop:
        at = stop - trailer_bytes
        start = at - int.from_bytes(data[at : at + _SLICE_SIZE_BYTES], "big") if at >= 0 else -1
        if start < 0 or start == at:
            return []
        result.append(data[start:stop])
        stop = start
    return result
