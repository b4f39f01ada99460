"""Decoding a group of pictures as far as one of its frames, on two cores, where nothing in it is damaged."""

import os
import re
from collections.abc import Iterator
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np

from training.video.packets.reader import LostTrack, PacketReader
from training.video.packets.table import PacketTable

if TYPE_CHECKING:
    from av.packet import Packet as AnyPacket
    from av.video.codeccontext import VideoCodecContext
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

    Packet = AnyPacket[VideoStream]

CODECS = frozenset({"h264", "hevc"})
"""Their decoders report all damage that they meet."""
_MOST_BYTES = 128 << 20  # of the pictures that are held at once
_MOST_FAILURES = 3  # in a row, such as where key frames are some in name only; then no more groups are tried


class GroupDecoder:
    """Gives the frames of a group at once, or None where anything is odd; `FrameDecoder` then tells what is damaged.

    ffmpeg's own threads report damage late and not twice alike. Here each of two decoders works frame by frame. Both
    get all pictures that others depend on. Those that no other depends on, such as most B pictures, are shared out, so
    that together they decode every packet. Both are emptied at the end, so that no further packet must be decoded for
    a frame to come out.
    """

    def __init__(self, reader: PacketReader, table: PacketTable) -> None:
        self._reader, self._table = reader, table
        self._most = _MOST_BYTES // max(reader.context.width * reader.context.height * 3 // 2, 1)
        self._lanes: list[VideoCodecContext] = []
        self._failures = 0

    def frames_until(self, row: int) -> "dict[int, VideoFrame] | None":
        """Rank and picture of the frames that are decoded up to a packet, all of them whole.

        The same rule as for `FrameDecoder`: the packet after `row` is decoded too, and nothing is damaged from the key
        packet on. Pictures that lead the key frame depend on the group before, and are not given.
        """
        table = self._table
        start, stop = int(table.start_row[row]), min(row + 2, len(table))
        if self._reader.context.name not in CODECS or self._failures >= _MOST_FAILURES or stop - start > self._most:
            return None
        if table.is_damaged[start:stop].any() or table.is_lost[start:stop].any():
            return None
        rows = np.arange(start, row + 1)
        wanted = table.rank[rows[table.is_shown[rows] & (table.start_row[rows] >= start)]].tolist()
        try:
            frames = self._decoded(list(self._packets(start, stop)))
        except LostTrack:
            return None
        if frames is None or not frames.keys() >= set(wanted):
            self._lanes = []  # traces of the damage may be left in them
            self._failures += 1
            return None
        self._failures = 0
        return {rank: frames[rank] for rank in wanted}

    def _packets(self, start: int, stop: int) -> "Iterator[Packet]":
        for row, packet in self._reader.read_from(start):
            packet.pts, packet.dts = int(self._table.rank[row]), None
            yield packet
            if row + 1 == stop:
                return

    def _decoded(self, packets: "list[Packet]") -> "dict[int, VideoFrame] | None":
        """By rank, from both decoders; None where one of them fails."""
        if not self._lanes:
            self._lanes = [self._reader.new_context() for _ in range(2 if _cores() > 1 else 1)]
        is_shared_out = self._reader.context.name == "h264" and len(self._lanes) > 1
        length = _length_bytes(self._reader.context.extradata or b"")
        spare = [at for at, packet in enumerate(packets) if is_shared_out and is_spare(bytes(packet), length)]
        if not spare:
            return _all_frames(self._lanes[0], packets)
        first, second = (
            [packet for at, packet in enumerate(packets) if at not in left_out]
            for left_out in (set(spare[::2]), set(spare[1::2]))
        )
        results: list[dict[int, VideoFrame] | None] = []
        # A thread of its own for each group: no pool, whose locks a fork in another thread would hold.
        other = Thread(target=lambda: results.append(_all_frames(self._lanes[1], second)), name="group", daemon=True)
        other.start()
        frames = _all_frames(self._lanes[0], first)
        other.join()
        return None if frames is None or not results or results[0] is None else results[0] | frames


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _all_frames(context: "VideoCodecContext", packets: "list[Packet]") -> "dict[int, VideoFrame] | None":
    """By rank; None where one is damaged or its packet refused. The decoder has forgotten all afterwards."""
    import av

    try:
        frames = [frame for packet in (*packets, None) for frame in context.decode(packet)]
    except av.error.FFmpegError:
        return None
    finally:
        context.flush_buffers()
    return None if any(frame.is_corrupt for frame in frames) else {frame.pts or 0: frame for frame in frames}


_SLICE, _DATA_ABOUT = 1, frozenset({6, 9, 12})
"""Units of H.264 (table 7-1): a slice of a picture that is no key frame; messages, delimiters and filling."""
_START_CODE = re.compile(rb"\x00\x00\x01")


def is_spare(data: bytes, length_bytes: int) -> bool:
    """Whether no other picture depends on this one in H.264: `nal_ref_idc` (7.4.1) is 0 in all of its slices.

    Start codes separate units where their lengths have 0 bytes.
    """
    headers = [data[at] for at in _unit_starts(data, length_bytes) if at < len(data)]
    kinds = {header & 31 for header in headers}
    return kinds - _DATA_ABOUT == {_SLICE} and all(header >> 5 & 3 == 0 for header in headers if header & 31 == _SLICE)


def _length_bytes(extradata: bytes) -> int:
    """Of the length before each unit of a packet (ISO 14496-15); 0 where start codes separate them."""
    return (extradata[4] & 3) + 1 if extradata[:1] == b"\1" and len(extradata) > 4 else 0


def _unit_starts(data: bytes, length_bytes: int) -> list[int]:
    if not length_bytes:
        return [match.end() for match in _START_CODE.finditer(data)]
    starts, at = [], length_bytes
    while at < len(data):
        starts.append(at)
        at += int.from_bytes(data[at - length_bytes : at], "big") + length_bytes
    return starts
