"""Decoding frames that know their own number, and holding back those that damage has reached."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from training.video.packet_reader import LostTrack, PacketReader
from training.video.packet_table import PacketTable

if TYPE_CHECKING:
    from av.packet import Packet as AnyPacket
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

    Packet = AnyPacket[VideoStream]


class FrameDecoder:
    """Decodes a file from any of its key packets on.

    Each packet carries its presentation rank through the decoder in place of its time stamp. So a frame is known by the
    packet it came from, whatever the container says of time: repeated, restarted or missing stamps cannot shift it.

    A frame is given out only if nothing that it may lean on is damaged, that is no packet from its key packet on, in
    decode order: decoders go on after damage with pictures that look whole and show something else. Nor if the packet
    after its own is damaged: damage begins inside a packet, and a decoder may read noise to the picture's end unawares.
    Damage within a single packet that its decoder reads over is not seen.
    """

    def __init__(self, path: Path, table: PacketTable) -> None:
        self._reader = PacketReader(path, table)
        self._table = table
        self.row = 0
        """The row of the packet that was last handed to the decoder."""

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) of the frames in pixels, as the file's header says."""
        return self._reader.context.height, self._reader.context.width

    def close(self) -> None:
        """Close the file and its decoder."""
        self._reader.close()

    def frames_from(self, row: int) -> "Iterator[tuple[int, VideoFrame | None]]":
        """Frame number and picture, from `row` to the end of the file; None for a frame that damage has reached.

        Frames that lean on packets before `row` are left out.
        """
        held = _Held(self._table)
        for rank, frame in self._decoded(row):
            for settled, whole in held.add(rank, frame):
                packet = self._table.order[settled]
                number = int(self._table.frame_of_packet[packet])
                if number >= 0 and self._table.start_row[packet] >= row:
                    yield number, whole

    def _decoded(self, row: int) -> "Iterator[tuple[int, VideoFrame | None]]":
        try:
            yield from self._decode(row, careful=False)
        except LostTrack:
            yield from self._decode(row, careful=True)

    def _decode(self, row: int, *, careful: bool) -> "Iterator[tuple[int, VideoFrame | None]]":
        """Rank and frame as they leave the decoder; without a frame where the packet is damaged; at last beyond all."""
        count = len(self._table)
        for at, packet in self._reader.read_from(row, careful=careful):
            self.row = at
            packet.pts, packet.dts = int(self._table.rank[at]), None
            if self._table.is_damaged[at]:
                yield packet.pts, None
            yield from self._handed_to_decoder(packet)
        self.row = count
        yield from self._handed_to_decoder(None)
        yield count, None

    def _handed_to_decoder(self, packet: "Packet | None") -> "Iterator[tuple[int, VideoFrame | None]]":
        import av

        try:
            frames = self._reader.context.decode(packet)
        except av.error.FFmpegError:
            row = len(self._table) - 1 if packet is None else self.row
            # The one before may be torn where the damage begins.
            yield from ((int(self._table.rank[at]), None) for at in range(max(row - 1, 0), row + 1))
            return
        for frame in frames:
            if frame.pts is not None and 0 <= frame.pts < len(self._table):
                yield frame.pts, None if frame.is_corrupt else frame


class _Held:
    """Frames that wait until it is known whether what they lean on is whole.

    A frame may lean on one that is shown later but was decoded before; it waits until that one has come out too, and
    the one decoded next.
    """

    def __init__(self, table: PacketTable) -> None:
        self._table = table
        self._waiting: list[VideoFrame] = []
        self._highest = -1
        self.damaged_rows: set[int] = set()

    def add(self, rank: int, frame: "VideoFrame | None") -> "list[tuple[int, VideoFrame | None]]":
        """Take what came out; return rank and frame of those settled now, None for a frame that damage has reached."""
        if frame is not None:
            self._waiting.append(frame)
            self._highest = max(self._highest, rank)
        elif rank < len(self._table):
            self.damaged_rows.add(int(self._table.order[rank]))
        else:
            self._highest = rank
        settled = [f for f in self._waiting if self._table.settling_rank[self._row(f)] <= self._highest]
        if settled:
            self._waiting = [f for f in self._waiting if f not in settled]
        return [(f.pts or 0, None if self._is_reached(f) else f) for f in settled]

    def _row(self, frame: "VideoFrame") -> int:
        return int(self._table.order[frame.pts or 0])

    def _is_reached(self, frame: "VideoFrame") -> bool:
        if not self.damaged_rows:
            return False
        row = self._row(frame)
        start = int(self._table.start_row[row])
        damaged = np.fromiter(self.damaged_rows, np.int64)
        return bool(((damaged >= start) & (damaged <= row)).any())
