"""Reading a file's packets from a given row of its index on."""

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, cast

from training.video.packets.container import open_container
from training.video.packets.mpeg_pictures import MPEG4_CODEC, Mpeg4Pictures
from training.video.packets.scan import packets_of
from training.video.packets.table import NO_VALUE, PacketTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.packet import Packet as AnyPacket
    from av.video.codeccontext import VideoCodecContext
    from av.video.stream import VideoStream

    Packet = AnyPacket[VideoStream]

_UNKNOWN_AFTER_SEEK = 64  # packets that may go by before one is known; after a seek the first ones can be cut
_KEEP_THE_LAST_PICTURE = ("qtrle", "msrle", "cinepak", "msvideo1", "rpza", "smc", "zmbv", "tscc", "cscd", "flashsv")
"""Decoders that draw onto what they showed last, after a seek too: damaged packets would show frames from elsewhere."""


_KEEP_TRACES = ("h264",)
"""Decoders that add what is left of a damaged picture to the next one they draw, even after they were emptied."""


class LostTrack(Exception):  # noqa: N818 - never leaves the decoder
    """A packet is not the one that the index has in its row."""


class PacketReader:
    """An open file whose packets can be read from any row of its index; where a seek landed is checked."""

    def __init__(self, path: Path, table: PacketTable) -> None:
        self._path = path
        self._table = table
        self._open()

    def _open(self) -> None:
        self._container, self._stream = open_container(self._path, self._table.stream)
        context = self._stream.codec_context
        # With several frames in work at once, decoders report damage late or not at all, and not twice alike.
        context.thread_type, context.thread_count = "SLICE", 1
        if context.name == "mjpeg":  # otherwise a scan that cannot be read to its end shows an older picture
            context.options = {"err_detect": "explode"}
        self._pictures = Mpeg4Pictures(context.extradata) if context.name == MPEG4_CODEC else None
        self._context = context

    @property
    def context(self) -> "VideoCodecContext":
        """The decoder that goes with the packets; emptied by each `read_from`."""
        return self._context

    def new_context(self) -> "VideoCodecContext":
        """Another decoder of these packets, which has seen none of them."""
        import av

        context = av.CodecContext.create(self._stream.codec_context.name, "r")
        assert isinstance(context, av.VideoCodecContext)
        context.extradata = self._stream.codec_context.extradata
        context.thread_type, context.thread_count = "SLICE", 1
        context.options = {"strict": "1"}  # it has not looked at the file to see how far pictures are reordered
        return context

    def close(self) -> None:
        """Close the file and its decoder."""
        self._container.close()

    def read_from(self, row: int, *, careful: bool = False) -> "Iterator[tuple[int, Packet]]":
        """Row and packet from `row` to the end of the file.

        `careful` reads from the beginning of the file, in which nothing can go astray.

        Raises:
            LostTrack: what is read does not match the index.
        """
        if self._context is not self._stream.codec_context:
            self._context.flush_buffers()
        if self._pictures is not None:
            self._pictures.restart()
        if self.context.name in _KEEP_THE_LAST_PICTURE:
            self._container.close()
            self._open()
        packets, at, first = self._begin(row) if row and not careful else self._from_start()
        for packet, _ in packets if first is None else chain([(first, False)], packets):
            while at < len(self._table) and self._table.is_lost[at]:
                at += 1
            if at >= len(self._table):
                return
            if self._table.size[at] != packet.size:
                raise LostTrack(f"row {at} of {self._path.name}: {packet.size} bytes, not {self._table.size[at]}")
            if at >= row:
                yield at, self._unpacked(packet)
            at += 1

    def restart(self) -> None:
        """Forget what the decoder has seen of the packets so far, after damage."""
        if self.context.name in _KEEP_TRACES:
            self._context = self.new_context()
        else:
            self.context.flush_buffers()
        if self._pictures is not None:
            self._pictures.restart()

    def _unpacked(self, packet: "Packet") -> "Packet":
        """The packet with the one picture that comes out with it, where MPEG-4 pictures share packets."""
        import av

        if self._pictures is None:
            return packet
        data = bytes(packet)
        picture = self._pictures.next(data)
        if picture == data:
            return packet
        # Made from the bytes, it would lack the zeros that decoders read beyond its end.
        alone = av.Packet(len(picture))
        alone.update(picture)
        return cast("Packet", alone)

    def _begin(self, row: int) -> "tuple[Iterator[tuple[Packet, bool]], int, Packet | None]":
        import av

        times = self._seek_targets(row)
        for target in times or self._seek_places(row):
            try:
                if times:
                    self._container.seek(target, stream=self._stream, backward=True)
                else:
                    self._container.seek(target, unsupported_byte_offset=True)
            except av.error.FFmpegError:  # a damaged container cannot seek everywhere
                continue
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
        targets = [
            min(known)
            for r in (row, *self._keys_before(row))
            if (known := [v for v in (self._table.dts[r], self._table.pts[r]) if v != NO_VALUE])
        ]
        return list(dict.fromkeys(map(int, targets)))

    def _seek_places(self, row: int) -> list[int]:
        """Places in the file to try in streams without any times; not known to all containers."""
        places = self._table.pos[self._keys_before(row)].tolist()
        return [place for place in dict.fromkeys(places) if place != NO_VALUE]

    def _keys_before(self, row: int) -> list[int]:
        keys = self._table.key_rows
        at = int(keys.searchsorted(row, side="right")) - 1
        return [*keys[max(at - 1, 0) : at + 1][::-1].tolist(), int(keys[max(at - 4, 0)])]

    def _from_start(self) -> "tuple[Iterator[tuple[Packet, bool]], int, None]":
        # Reopened: only then do the packets come just as they came when the file was indexed.
        self._container.close()
        self._open()
        return packets_of(self._container, self._stream), 0, None
