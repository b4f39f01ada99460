"""From a path to its frame index: one pass over the packets of a video, or over the headers of a folder's images."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.runs.reporter import Reporter, SilentReporter
from training.video.container import open_container
from training.video.decode_order import decoder_output_order
from training.video.fingerprints import fingerprint
from training.video.formats import is_folder
from training.video.frame_index import FrameIndex
from training.video.image_index import build_image_index
from training.video.lost_packets import AVI, PROGRAM, TRANSPORT, lost_before
from training.video.mpeg_pictures import MPEG_CODECS, mended_pts
from training.video.notes import video_notes
from training.video.packet_scan import PacketScan, scan_packets
from training.video.packet_table import NO_VALUE, PacketTable
from training.video.presentation import Ints, presentation_rank, seconds_from, segments

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream

_SECONDS_PER_FRAME = Fraction(1, 25)  # only where a file has neither time stamps nor a rate


def build_index(path: Path, reporter: Reporter | None = None) -> FrameIndex:
    """Find all frames of a study without decoding them.

    Where a container stores no presentation times although the codec reorders frames (H.264 with B-frames in AVI), the
    order is not written anywhere: such a file is decoded once to learn it, and the notes say so.

    Args:
        path: a video file or a folder of images.
        reporter: told of progress; may cancel.

    Raises:
        UserError: the path cannot be read as a study.
        Cancelled: the reporter asked to end.
    """
    path = Path(path)
    reporter = reporter or SilentReporter()
    if is_folder(path):
        return build_image_index(path, reporter)
    container, stream = open_container(path)
    with container:
        scan = scan_packets(container, stream, path, reporter)
        if not scan.is_shown.any():
            raise UserError(f"{path.name} holds no frames.", "The recording may have been stopped at once.")
        return _index_from(scan, container, stream, path, reporter)


def _index_from(
    scan: PacketScan, container: "InputContainer", stream: "VideoStream", path: Path, reporter: Reporter
) -> FrameIndex:
    pts = _filled_pts(scan)
    segment = segments(scan.dts, scan.is_key)
    lost = lost_before(scan, stream.frames, container.format.name)
    if stream.codec_context.name in MPEG_CODECS and container.format.name in (PROGRAM, TRANSPORT):
        pts = mended_pts(pts, scan.is_b, lost)
    rank = presentation_rank(segment, pts)
    decoded_once = _order_is_unwritten(scan, container, stream)
    if decoded_once:
        rank = decoder_output_order(path, len(rank), reporter)
    damaged = _damaged(scan, lost, container, stream)
    table = PacketTable(scan.pts, scan.dts, scan.pos, scan.size, scan.is_key, scan.is_shown, damaged, rank)
    rows = table.packet_of_frame
    frame_pts = np.sort(pts[rows]) if decoded_once else pts[rows]
    time_base = stream.time_base or _SECONDS_PER_FRAME
    if (scan.pts == NO_VALUE).all() and (scan.dts == NO_VALUE).all():
        time_base = 1 / Fraction(stream.average_rate) if stream.average_rate else _SECONDS_PER_FRAME
    seconds = seconds_from(frame_pts, segment[rows], time_base)
    notes = video_notes(scan, stream, int(damaged.sum()), frame_pts, segment[rows], seconds, decoded_once)
    return FrameIndex(
        video_seconds=seconds,
        pts=frame_pts,
        is_key=scan.is_key[rows],
        time_base=time_base,
        missing=np.zeros(0, np.int64),
        notes=notes,
        fingerprint=fingerprint(path),
        packets=table,
    )


def _damaged(
    scan: PacketScan, lost: NDArray[np.bool_], container: "InputContainer", stream: "VideoStream"
) -> NDArray[np.bool_]:
    """(P,) packets that cannot be trusted whatever the decoder makes of them; `lost`: some are lost before."""
    damaged = lost & ~scan.is_key | scan.is_headless
    damaged[:-1] |= lost[1:]  # the damage that lost them may begin inside the packet before
    # A packet that the demuxer calls damaged is cut short, which the decoder notices by itself; in transport streams
    # the gap may also lie behind it, so that the next one leans on what is lost.
    if container.format.name == TRANSPORT:
        damaged[1:] |= scan.is_damaged[:-1] & ~scan.is_key[1:]
    if not scan.is_key[0] and scan.is_key.any() and stream.codec_context.name not in ("h264", "hevc"):
        damaged[0] = True  # others than these two would draw onto a grey picture
    return damaged


def _filled_pts(scan: PacketScan) -> Ints:
    """(P,) presentation times; where a packet has none, its decoding time, else just after the packet before."""
    pts = np.where(scan.pts == NO_VALUE, scan.dts, scan.pts)
    if (pts == NO_VALUE).all():
        return np.arange(len(pts), dtype=np.int64)
    for row in np.flatnonzero(pts == NO_VALUE).tolist():
        pts[row] = pts[row - 1] + 1 if row else min(pts[pts != NO_VALUE].min(), 0)
    return pts


def _order_is_unwritten(scan: PacketScan, container: "InputContainer", stream: "VideoStream") -> bool:
    reorders = bool(stream.codec_context.has_b_frames)
    # AVI has no presentation times; ffmpeg then counts packets up, which is wrong wherever frames are reordered.
    counted_up = container.format.name == AVI and stream.codec_context.name in ("h264", "hevc")
    return reorders and (counted_up or bool((scan.pts == NO_VALUE).any()))
