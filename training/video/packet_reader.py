"""Reading a file's packets from a given row of its index on."""

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from training.video.container import open_container
from training.video.packet_scan import packets_of
from training.video.packet_table import NO_VALUE, PacketTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.packet import Packet as AnyPacket
    from av.video.codeccontext import VideoCodecContext
    from av.video.stream import VideoStream

    Packet = AnyPacket[VideoStream]

_UNKNOWN_AFTER_SEEK = 64  # packets that may go by before one is known; after a seek the first ones can be cut


class LostTrack(Exception):  # noqa: N818 - never leaves the decoder
    """A packet is not the one that the index has in its row."""


class PacketReader:
    """An open file whose packets can be read from any row of its index; where a seek landed is checked."""

    def __init__(self, path: Path, table: PacketTable) -> None:
        self._path = path
        self._table = table
        self._open()

    def _open(self) -> None:
        self._container, self._stream = open_container(self._path)
        context = self._stream.codec_context
        # With several frames in work at once, decoders report damage late or not at all, and not twice alike.
        context.thread_type, context.thread_count = "SLICE", 1

    @property
    def context(self) -> "VideoCodecContext":
        """The decoder that goes with the packets; emptied by each `read_from`."""
        return self._stream.codec_context

    def close(self) -> None:
        """Close the file and its decoder."""
        self._container.close()

    def read_from(self, row: int, *, careful: bool = False) -> "Iterator[tuple[int, Packet]]":
        """Row and packet from `row` to the end of the file.

        Args:
            row: the first one wanted.
            careful: read from the beginning of the file, in which nothing can go astray.

        Raises:
            LostTrack: what is read does not match the index.
        """
        packets, at, first = self._begin(row) if row and not careful else self._from_start()
        for packet, _ in packets if first is None else chain([(first, False)], packets):
            if at >= len(self._table):
                return
            if self._table.size[at] != packet.size:
                raise LostTrack(f"row {at} of {self._path.name}: {packet.size} bytes, not {self._table.size[at]}")
            if at >= row:
                yield at, packet
            at += 1

    def _begin(self, row: int) -> "tuple[Iterator[tuple[Packet, bool]], int, Packet | None]":
        for target in self._seek_targets(row):
            self._container.seek(target, stream=self._stream, backward=True)
            packets = packets_of(self._container, self._stream)
            for packet, _ in islice(packets, _UNKNOWN_AFTER_SEEK):
                at = self._table.find(packet.pts, packet.pos, packet.size)
                if at is not None and at <= row:
                    return packets, at, packet
                if at is not None:
                    break
        return self._from_start()

    def _seek_targets(self, row: int) -> list[int]:
        """Time stamps to try: containers look for decoding or for presentation times, hence the smaller one of each."""
        keys = self._table.key_rows
        at = int(keys.searchsorted(row, side="right")) - 1
        rows = [row, *keys[max(at - 1, 0) : at + 1][::-1].tolist(), int(keys[max(at - 4, 0)])]
        targets = [
            min(known)
            for r in rows
            if (known := [v for v in (self._table.dts[r], self._table.pts[r]) if v != NO_VALUE])
        ]
        return list(dict.fromkeys(map(int, targets)))

    def _from_start(self) -> "tuple[Iterator[tuple[Packet, bool]], int, None]":
        # Opened anew: only then do the packets come just as they came when the file was indexed.
        self._container.close()
        self._open()
        return packets_of(self._container, self._stream), 0, None
