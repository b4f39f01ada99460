"""Decoding frames that know their own number."""

from pathlib import Path
from typing import TYPE_CHECKING

from training.video.packet_reader import LostTrack, PacketReader
from training.video.packet_table import PacketTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.video.frame import VideoFrame


class FrameDecoder:
    """Decodes a file from any of its key packets on.

    Each packet carries its presentation rank through the decoder in place of its time stamp. So a frame is known by the
    packet it came from, whatever the container says of time: repeated, restarted or missing stamps cannot shift it.
    """

    def __init__(self, path: Path, table: PacketTable, *, threads: str = "AUTO") -> None:
        self._reader = PacketReader(path, table, threads)
        self._table = table
        self.row = 0
        """The row of the packet that was last handed to the decoder."""

    def close(self) -> None:
        """Close the file and its decoder."""
        self._reader.close()

    def frames_from(self, row: int) -> "Iterator[tuple[int, VideoFrame]]":
        """Frame number and picture, from the packet in `row` to the end of the file, as they leave the decoder.

        Frames that are not shown, and those that the decoder itself calls damaged, are left out.
        """
        try:
            yield from self._frames_from(row, careful=False)
        except LostTrack:
            yield from self._frames_from(row, careful=True)

    def _frames_from(self, row: int, *, careful: bool) -> "Iterator[tuple[int, VideoFrame]]":
        import av

        packets = self._reader.read_from(row, careful=careful)
        last = False
        while not last:
            at, packet = next(packets, (len(self._table), None))
            last = packet is None
            if packet is not None:
                self.row = at
                packet.pts, packet.dts = int(self._table.rank[at]), None
            try:
                frames = self._reader.context.decode(packet)
            except av.error.FFmpegError:
                continue
            for frame in frames:
                if frame.pts is None or frame.is_corrupt or not 0 <= frame.pts < len(self._table):
                    continue
                number = int(self._table.frame_of_packet[self._table.order[frame.pts]])
                if number >= 0:
                    yield number, frame
