"""Decoding frames that know their own number, and holding back those that damage has reached."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from training.video.held_frames import HeldFrames
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
        held = HeldFrames(self._table)
        for rank, frame in self._decoded(row):
            for settled, whole in held.add(rank, frame, self.row):
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
