"""The presentation order of a file that does not store it, learnt by decoding the file once."""

from itertools import chain
from pathlib import Path

import numpy as np

from training.runs.reporter import Reporter
from training.video.container import open_container
from training.video.packet_scan import packets_of
from training.video.presentation import Ints

_PACKETS_BETWEEN_REPORTS = 256


def decoder_output_order(path: Path, packets: int, reporter: Reporter) -> Ints:
    """(P,) rank of each of the file's packets in the order in which the decoder gives their frames out.

    A packet that gives no frame is put right behind the packet that came before it.

    Raises:
        Cancelled: the reporter asked to end.
    """
    import av

    given: list[int] = []
    container, stream = open_container(path)
    with container:
        context = stream.codec_context
        context.thread_type = "AUTO"
        rows = ((row, packet) for row, (packet, _) in enumerate(packets_of(container, stream)))
        for row, packet in chain(rows, [(packets, None)]):
            if row % _PACKETS_BETWEEN_REPORTS == 0:
                reporter.check()
                reporter.progress(row, packets, "frames", f"ordering {path.name}")
            if packet is not None:
                packet.pts, packet.dts = row, row  # the row rides through the decoder as a time stamp
            try:
                given.extend(frame.pts for frame in context.decode(packet) if frame.pts is not None)
            except av.error.FFmpegError:
                continue
    return _rank_from(given, packets)


def _rank_from(given: list[int], packets: int) -> Ints:
    place = np.full(packets, -1.0)
    place[given] = np.arange(len(given))
    for row in np.flatnonzero(place < 0).tolist():
        place[row] = place[row - 1] + 1 / packets if row else -0.5
    rank = np.empty(packets, np.int64)
    rank[np.lexsort((np.arange(packets), place))] = np.arange(packets)
    return rank
