"""The presentation order of a file that does not store it, learnt by decoding the file once."""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text
from training.video.packets.container import open_container
from training.video.packets.presentation import Ints
from training.video.packets.scan import packets_of

_PACKETS_BETWEEN_REPORTS = 256
_PACKETS_LOOKED_AT = 64


def decoder_output_order(
    path: Path, stream: int, is_lost: NDArray[np.bool_], reporter: Reporter, *, is_cut_short: bool = False
) -> tuple[Ints, NDArray[np.bool_]]:
    """The order in which the decoder gives the frames of the file's packets out.

    A packet that gives no frame is put right behind the packet that came before it.

    Args:
        path: the file.
        stream: its number in the file.
        is_lost: (P,) whether each packet, in decode order, is lost: not in the file.
        reporter: receives progress.
        is_cut_short: the end of the file is lost.

    Returns:
        (P,) rank of each packet, and (P,) whether it is in doubt: lost frames may come before it.

    Raises:
        Cancelled: the reporter asked to end.
    """
    order = _decoded(path, stream, is_lost, reporter, is_careful=bool(is_lost.any()) or is_cut_short)
    is_damaged = bool(order.failed.any() or is_lost.any())
    if order.failed.any():  # with several frames in work at once it is unknown which one failed
        order = _decoded(path, stream, is_lost, reporter, is_careful=True)
    count = len(is_lost)
    failed = ~np.isin(np.arange(count), order.given) & is_damaged
    return _rank_from(order.given, count), _in_doubt(order, is_lost | failed, is_cut_short)


def follows(path: Path, stream: int, rank: Ints) -> bool:
    """Whether the first pictures that the decoder gives out come in the order of `rank` (P,); all rows are in the file.

    A look at some groups of pictures, for files whose time stamps say that nothing is reordered.
    """
    is_lost = np.zeros(min(len(rank), _PACKETS_LOOKED_AT), bool)
    given = _decoded(path, stream, is_lost, SilentReporter(), is_careful=True).given
    return bool((np.diff(rank[given]) > 0).all())


@dataclass(frozen=True)
class _Decoded:
    given: list[int]
    """Rows of packets in the order in which their frames came out."""
    given_before: Ints
    """(P + 1,) how many frames had come out when each packet was handed over, and at the end."""
    failed: NDArray[np.bool_]
    """(P,) the decoder refused the packet."""


def _decoded(path: Path, number: int, is_lost: NDArray[np.bool_], reporter: Reporter, *, is_careful: bool) -> _Decoded:
    import av

    count = len(is_lost)
    given: list[int] = []
    failed = np.zeros(count, bool)
    given_before = np.zeros(count + 1, np.int64)
    container, stream = open_container(path, number)
    with container:
        context = stream.codec_context
        context.thread_type = "AUTO"
        if is_careful:
            context.thread_type, context.thread_count = "SLICE", 1  # several frames in work at once come out late
        packets = (packet for packet, _ in packets_of(container, stream))
        rows = zip(np.flatnonzero(~is_lost).tolist(), packets, strict=False)
        for row, packet in chain(rows, [(count, None)]):
            if row % _PACKETS_BETWEEN_REPORTS == 0:
                reporter.check()
                reporter.progress(row, count, "frames", Text("ordering {name}", path.name))
            given_before[row] = len(given)
            if is_careful and packet is not None and packet.is_keyframe and row and is_lost[:row].any():
                # As `FrameDecoder` does: with what is lost in mind, decoders throw away good frames.
                given.extend(frame.pts for frame in context.decode(None) if frame.pts is not None)
                context.flush_buffers()
            if packet is not None:
                packet.pts, packet.dts = row, row  # the row rides through the decoder as a time stamp
            try:
                given.extend(frame.pts for frame in context.decode(packet) if frame.pts is not None)
            except av.error.FFmpegError:
                failed[row : row + 1] = True
    return _Decoded(given, given_before, failed)


def _rank_from(given: list[int], packets: int) -> Ints:
    place = np.full(packets, -1.0)
    place[given] = np.arange(len(given))
    for row in np.flatnonzero(place < 0).tolist():
        place[row] = place[row - 1] + 1 / packets if row else -0.5
    rank = np.empty(packets, np.int64)
    rank[np.lexsort((np.arange(packets), place))] = np.arange(packets)
    return rank


def _in_doubt(order: _Decoded, is_lost: NDArray[np.bool_], is_cut_short: bool) -> NDArray[np.bool_]:
    """(P,) packets before one that gives no frame, lost or damaged, whose frames came out only after it."""
    doubt = np.zeros(len(is_lost), bool)
    given = np.array(order.given, np.int64)
    after_loss = np.flatnonzero(~is_lost & np.concatenate([[False], is_lost[:-1]]))
    for row in [*after_loss.tolist(), *([len(is_lost)] if is_cut_short or is_lost[-1:].any() else [])]:
        late = given[order.given_before[row] :]
        doubt[late[late < row]] = True
    return doubt
