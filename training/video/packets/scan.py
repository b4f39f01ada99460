"""One pass over a file's packets without decoding any.

Key frames of codecs whose packets ffmpeg calls key frames without looking.
"""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from training.runs.reporter import Reporter
from training.texts import Text
from training.video.packets.mpeg_pictures import MPEG4_CODEC, MPEG_CODECS, Mpeg4Pictures, PictureHeaders, read_header
from training.video.packets.table import NO_VALUE

_H261 = "h261"
_WITHOUT_MARKS = ("h263", "h263i", "h263p", _H261)
"""Decoders whose pictures' headers are to be read: ffmpeg calls all of their packets key frames."""
_VP8 = ("vp8", "libvpx")
_EXTENDED = 7
"""The source format that says that an extended header follows (H.263+)."""


def key_frame_by_header(codec: str, head: bytes, row: int) -> bool:
    """Whether decoding can start at a packet of H.263 or H.261, by its first bytes.

    Pictures of H.261 do not say what they lean on, so only that of the first row is safe.
    """
    if codec == _H261:
        return row == 0
    return _is_intra_h263(head)


def _is_intra_h263(head: bytes) -> bool:
    """Whether an H.263 picture stands alone (ITU-T H.263, 5.1); False where damage hides its header."""
    bits = f"{int.from_bytes(head[:12].ljust(12, bytes(1)), 'big'):096b}"
    if bits[:22] != "0" * 16 + "100000":
        return False
    if int(bits[35:38], 2) != _EXTENDED:
        return bits[38] == "0"
    updates_format = bits[38:41] == "001"  # then 18 bits of optional modes come first
    at = 59 if updates_format else 41
    return bits[at : at + 3] == "000"


if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.container import InputContainer
    from av.packet import Packet as AnyPacket
    from av.stream import Stream
    from av.video.stream import VideoStream

    Packet = AnyPacket[VideoStream]

_PACKETS_BETWEEN_REPORTS = 4096
_HEADER_BYTES = 16
_ERRORS_IN_A_ROW = 64
_UNKNOWN_IN_A_ROW = 1 << 20
"""Packets of streams that the file's beginning does not announce."""


@dataclass(frozen=True)
class PacketScan:
    """What the packets say, in decode order; times and places are `NO_VALUE` where a packet has none."""

    pts: NDArray[np.int64]
    dts: NDArray[np.int64]
    pos: NDArray[np.int64]
    size: NDArray[np.int64]
    is_key: NDArray[np.bool_]
    is_shown: NDArray[np.bool_]
    is_damaged: NDArray[np.bool_]
    """The demuxer failed before the packet, or knows that it is incomplete."""
    is_b: NDArray[np.bool_]
    """The picture that comes out with the packet is a B picture; only known for MPEG-1, 2 and 4, False for others."""
    is_headless: NDArray[np.bool_]
    """An MPEG packet without a readable picture header."""
    number_in_group: NDArray[np.int64]
    """Of MPEG-1 and 2 pictures, see `MpegHeader`; `NO_VALUE` where it is not known."""
    opens_group: NDArray[np.bool_]
    begins_part: NDArray[np.bool_]
    """A transport stream was joined before the packet, and nothing is lost there: what lies between fills it up."""
    has_new_header: NDArray[np.bool_]
    """The first packet with its header: the size of the pictures may change; see `PictureHeaders`."""
    others: NDArray[np.int64]
    """(Q, 4) place, size, number of the stream and whether it is damaged, of the packets of other streams (sound)."""
    is_packed: bool = False
    """MPEG-4 pictures share packets, so that the container's time stamps are not theirs."""
    has_late_stream: bool = False
    """A stream begins in the middle of the file; its packets are not here."""


_NUMBERS = ("pts", "dts", "pos", "size", "number_in_group")
_ROW = np.dtype(
    [
        (field.name, np.int64 if field.name in _NUMBERS else np.bool_)
        for field in fields(PacketScan)
        if field.name not in ("others", "is_packed", "has_late_stream")
    ]
)
"""What is noted of one packet."""


def packets_of(
    container: "InputContainer",
    stream: "VideoStream",
    others: list[tuple[int, int, int, bool]] | None = None,
    late: list[bool] | None = None,
) -> "Iterator[tuple[Packet, bool]]":
    """All packets that carry data, over damaged stretches too, each with whether it or the way to it is damaged.

    Args:
        others: takes what `PacketScan.others` says of the packets of all other streams.
        late: takes True for each packet of a stream that begins in the middle of the file.
    """
    import av

    in_a_row = unknown = 0
    while in_a_row < _ERRORS_IN_A_ROW and unknown < _UNKNOWN_IN_A_ROW:
        try:
            for packet in container.demux(stream) if others is None else container.demux():
                if packet.stream_index != stream.index:
                    _note_place(cast("AnyPacket[Stream]", packet), others)
                elif packet.size:  # an empty packet repeats the frame before it (AVI), or is the end
                    yield cast("Packet", packet), in_a_row > 0 or packet.is_corrupt
                    in_a_row = unknown = 0
        except IndexError:  # PyAV does not know a stream that begins in the middle of the file
            unknown += 1
            if late is not None:
                late.append(True)
        except av.error.FFmpegError:
            in_a_row += 1
        else:
            return


def _note_place(packet: "AnyPacket[Stream]", others: list[tuple[int, int, int, bool]] | None) -> None:
    if others is None or not packet.size:
        return
    if packet.pos is not None and packet.pos >= 0:
        others.append((packet.pos, packet.size, packet.stream_index, packet.is_corrupt))
    elif others:  # it shares a packet of the container with the one before
        others.append((others[-1][0], packet.size, packet.stream_index, packet.is_corrupt))


def scan_packets(container: "InputContainer", stream: "VideoStream", path: Path, reporter: Reporter) -> PacketScan:
    """Read all packets once, and note those of `stream`."""
    codec = stream.codec_context.name
    kinds, headers = _Kinds(stream), PictureHeaders(stream)
    expected = max(stream.frames, 0)
    others: list[tuple[int, int, int, bool]] = []
    late: list[bool] = []

    def rows() -> "Iterator[tuple[int | bool, ...]]":
        for done, (packet, is_damaged) in enumerate(packets_of(container, stream, others, late)):
            if done % _PACKETS_BETWEEN_REPORTS == 0:
                reporter.check()
                reporter.progress(done, max(expected, done), "frames", Text("indexing {name}", path.name))
            pts, dts, pos = packet.pts, packet.dts, packet.pos
            is_key = packet.is_keyframe
            if codec in _WITHOUT_MARKS:
                is_key = key_frame_by_header(codec, bytes(packet)[:_HEADER_BYTES], done)
            is_b, is_coded = kinds.next(packet)
            # A reference frame that is never shown: `show_frame` is bit 4 of the first byte (RFC 6386, 9.1).
            is_hidden = codec in _VP8 and not bytes(packet)[0] >> 4 & 1
            yield (
                NO_VALUE if pts is None else pts,
                NO_VALUE if dts is None else dts,
                NO_VALUE if pos is None or pos < 0 else pos,
                packet.size,
                is_key,
                is_coded and not packet.is_discard and not is_hidden,
                is_damaged,
                pts == dts if is_b is None else is_b,  # without a header the two times are the best guess
                is_b is None,
                kinds.number_in_group,
                kinds.opens_group,
                False,
                is_key and headers.is_new(packet),
            )

    table = np.fromiter(rows(), _ROW)
    columns = {name: np.ascontiguousarray(table[name]) for name in _ROW.names or ()}
    places = np.array(others, np.int64).reshape(-1, 4)
    return PacketScan(**columns, others=places, is_packed=kinds.is_packed, has_late_stream=bool(late))


class _Kinds:
    """What the pictures of a stream's packets say of their kind, where it matters."""

    def __init__(self, stream: "VideoStream") -> None:
        name = stream.codec_context.name
        self._is_mpeg = name in MPEG_CODECS
        self._mpeg4 = Mpeg4Pictures(stream.codec_context.extradata) if name == MPEG4_CODEC else None
        self.number_in_group, self.opens_group = NO_VALUE, False

    @property
    def is_packed(self) -> bool:
        return self._mpeg4 is not None and self._mpeg4.is_packed

    def next(self, packet: "Packet") -> tuple[bool | None, bool]:
        """Whether a B picture comes out, None where damage hides it; whether a picture comes out at all."""
        if self._mpeg4 is not None:
            return self._mpeg4.kind(self._mpeg4.next(bytes(packet)))
        if not self._is_mpeg:
            return False, True
        header = read_header(packet)
        self.number_in_group = NO_VALUE if header is None else header.number_in_group
        self.opens_group = header is not None and header.opens_group
        return None if header is None else header.is_b, True
