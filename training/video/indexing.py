"""From a path to its frame index: one pass over the packets of a video, or over the headers of a folder's images."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.runs.reporter import Reporter, SilentReporter
from training.version import FIRST_NUMBERING, NUMBERING, ORDER_NUMBERING
from training.video.dicom.header import dicom_header
from training.video.fingerprints import fingerprint
from training.video.formats import is_folder
from training.video.frame_decoder import sizes_at
from training.video.frame_index import FrameIndex
from training.video.image_index import build_image_index
from training.video.multiframe import build_multiframe_index, with_dicom_facts
from training.video.packets.avi_index import put_right, repeated_pictures
from training.video.packets.container import first_frame, open_container, recordings
from training.video.packets.decode_order import decoder_output_order, follows
from training.video.packets.joined_transport import without_joins
from training.video.packets.lost_frames import frames_lost_in_gaps, strayed, with_rows
from training.video.packets.lost_packets import (
    AVI,
    MATROSKA,
    PROGRAM,
    TRANSPORT,
    after_unclaimed,
    ends_early,
    lost_before,
)
from training.video.packets.mpeg_pictures import MPEG4_CODEC, MPEG_CODECS
from training.video.packets.notes import picture_notes, sizes_note, stream_notes, video_notes
from training.video.packets.presentation import (
    Ints,
    against_their_group,
    contradicts,
    even_decoding_times,
    exceeds_decoder,
    groups_are_whole,
    keeps_cadence,
    keeps_rate,
    near_lost,
    presentation_rank,
    rank_by_kinds,
    seconds_from,
    segments,
)
from training.video.packets.scan import PacketScan, scan_packets
from training.video.packets.table import LOST, NO_VALUE, PacketTable
from training.video.shape import shape_of_frame

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream

_PACKETS_TO_FIRST_FRAME = 256  # a file of which nothing decodes is not read to its end
_MOST_BACK = 0.1  # of all steps, where single bits are flipped
_SECONDS_PER_FRAME = Fraction(1, 25)  # only where a file has neither time stamps nor a rate


OLD_NUMBERING_NOTE = (
    "This study was opened by an earlier version, which numbered or shaped its frames differently. It keeps them, so "
    "that its labels stay where they are. Add the file to a new library to read it anew."
)


def build_index(path: Path, reporter: Reporter | None = None, *, numbering: int | None = NUMBERING) -> FrameIndex:
    """Find all frames of a study without decoding them.

    Where a container stores no presentation times although the codec reorders frames (H.264 with B-frames in AVI), the
    order is not written anywhere: such a file is decoded once to learn it, and the notes say so.

    Args:
        path: a video file, a DICOM file or a folder of images.
        reporter: receives progress; may cancel.
        numbering: the rules by which the study was opened first, `FIRST_NUMBERING` to `NUMBERING`; None: not known,
            so the first. Its frames keep their numbers and shape. Where the newest rules give the same frames, these
            are used, as `FrameIndex.numbering` says; else a note says that the study keeps the old ones.

    Raises:
        UserError: the path cannot be read as a study.
        Cancelled: the reporter asked to end.
    """
    path = Path(path)
    reporter = reporter or SilentReporter()
    numbering = FIRST_NUMBERING if numbering is None else numbering
    if numbering >= NUMBERING:
        return _index_by(NUMBERING, path, reporter)
    old = _index_by(numbering, path, reporter)
    try:
        new = _index_by(NUMBERING, path, reporter)
    except UserError:  # read anew a folder may be of several examinations, say
        return replace(old, notes=(OLD_NUMBERING_NOTE, *old.notes))
    if not new.has_frames_of(old):
        return replace(old, notes=(OLD_NUMBERING_NOTE, *old.notes))
    return new if new.fingerprint == old.fingerprint else old


def _index_by(numbering: int, path: Path, reporter: Reporter) -> FrameIndex:
    """The index by these rules."""
    header = None if is_folder(path) else dicom_header(path)
    if is_folder(path):
        index = build_image_index(path, reporter, numbering)
    elif header is None:
        index = _video_index(path, reporter, numbering)
    elif header.is_video:
        index = with_dicom_facts(_video_index(path, reporter, numbering), header)
    else:
        index = build_multiframe_index(path, header, numbering)
    return replace(index, numbering=numbering)


def _video_index(path: Path, reporter: Reporter, numbering: int) -> FrameIndex:
    is_newest = numbering > FIRST_NUMBERING
    container, stream = open_container(path, takes_first=not is_newest)
    with container:
        scan = scan_packets(container, stream, path, reporter)
        if not scan.is_shown.any():
            raise UserError("{name} holds no frames.", "The recording may have been stopped immediately.", path.name)
        if container.format.name == TRANSPORT and (scan.is_damaged.any() or scan.others[:, 3].any()):
            scan = without_joins(scan, path, by_clues=numbering >= ORDER_NUMBERING)
        index = _index_from(scan, container, stream, path, reporter, numbering)
        index = replace(index, notes=(*index.notes, *stream_notes(recordings(container), stream)))
    return with_shape(index, path) if is_newest else index


def _index_from(
    scan: PacketScan,
    container: "InputContainer",
    stream: "VideoStream",
    path: Path,
    reporter: Reporter,
    numbering: int,
) -> FrameIndex:
    checks_order, is_avi = numbering >= ORDER_NUMBERING, container.format.name == AVI
    scan, lost = _with_lost_rows(scan, container, stream, path, knows_parts=checks_order)
    pts = _filled_pts(scan)
    segment = segments(scan.dts, scan.is_key)
    rank = presentation_rank(segment, pts)
    in_doubt = np.zeros(len(rank), bool)
    decoded_once = _order_is_unwritten(scan, container, stream)
    by_kinds = _kinds_give_order(scan, container, stream)
    is_broken = (
        checks_order
        and not (by_kinds or decoded_once)
        and _order_is_broken(scan, lost, stream, path, segment, pts, rank)
    )
    if by_kinds:
        rank, in_doubt = rank_by_kinds(scan.is_b, scan.size == LOST, lost)
        in_doubt |= against_their_group(rank, scan.number_in_group, scan.opens_group)
        is_whole = checks_order and groups_are_whole(scan.number_in_group, scan.opens_group)
        if not is_whole and scan.is_b.any() and not scan.is_b.all() and _is_cut_short(scan, stream, pts, is_avi=is_avi):
            in_doubt[np.flatnonzero(~scan.is_b)[-1]] = True  # those shown before it may be cut off
    elif decoded_once:
        rank, in_doubt = decoder_output_order(
            path,
            stream.index,
            scan.size == LOST,
            reporter,
            is_cut_short=_is_cut_short(scan, stream, pts, is_avi=is_avi),
        )
    elif is_broken:
        order, is_damaged = decoder_output_order(path, stream.index, scan.size == LOST, reporter)
        is_broken = not is_damaged.any()  # else it is damage that spoilt the time stamps of some
        rank = order if is_broken else rank
    elif checks_order and not stream.codec_context.codec.reorder:
        rank = _as_decoded(scan, rank)
    damaged = _damaged(scan, lost, container, stream)
    table = PacketTable(
        scan.pts, scan.dts, scan.pos, scan.size, scan.is_key, scan.is_shown, damaged, rank, stream.index
    )
    rows = table.packet_of_frame
    frame_pts = pts[rows]
    if by_kinds:
        frame_pts = _spread_by_decoding(scan, segment, pts, container)
        if container.format.name in (PROGRAM, TRANSPORT):
            in_doubt[rows] |= near_lost(table.is_lost)[rows] & contradicts(pts[rows], frame_pts)
    elif decoded_once and not checks_order:
        frame_pts = np.sort(frame_pts)
    elif checks_order:
        frame_pts = frame_pts[np.lexsort((frame_pts, segment[rows]))]
    time_base = stream.time_base or _SECONDS_PER_FRAME
    if (scan.pts == NO_VALUE).all() and (scan.dts == NO_VALUE).all():
        time_base = 1 / Fraction(stream.average_rate) if stream.average_rate else _SECONDS_PER_FRAME
    pictures, repeated = np.arange(len(rows)), None
    if numbering > FIRST_NUMBERING and is_avi:
        repeated = repeated_pictures(path, stream.index, scan.dts, scan.is_shown, stream.frames)
    if repeated is not None:
        pictures, frame_pts = repeated
    shown = rows[pictures]
    seconds = seconds_from(frame_pts, segment[shown], time_base)
    dropped = len(pictures) - len(rows)
    notes = video_notes(
        scan, stream, int(damaged.sum()), frame_pts, segment[shown], seconds, decoded_once or is_broken, dropped
    )
    headers = np.flatnonzero(scan.has_new_header).tolist()
    if len(headers) > 1 and len(sizes := sizes_at(path, table, headers)) > 1:
        notes = (*notes, sizes_note(sizes))
    return FrameIndex(
        video_seconds=seconds,
        pts=frame_pts,
        is_key=scan.is_key[shown],
        time_base=time_base,
        missing=np.flatnonzero((table.is_lost | in_doubt)[shown]),
        notes=notes,
        fingerprint=fingerprint(path),
        packets=table,
        repeated=None if repeated is None else pictures,
    )


def with_shape(index: FrameIndex, path: Path) -> FrameIndex:
    """The index with the shape that the first frame announces, and notes on its pictures."""
    assert index.packets is not None
    container, stream = open_container(path, index.packets.stream)
    with container:
        frame = first_frame(container, stream, _PACKETS_TO_FIRST_FRAME)
        shape, is_odd = shape_of_frame(frame, stream.sample_aspect_ratio)
        about = picture_notes(frame, stream)
    note = ("The file asks to turn its pictures by an odd angle; they are shown as stored.",) if is_odd else ()
    return replace(index, shape=shape, notes=(*index.notes, *note, *about))


def _damaged(
    scan: PacketScan, lost: NDArray[np.bool_], container: "InputContainer", stream: "VideoStream"
) -> NDArray[np.bool_]:
    """(P,) packets that cannot be trusted whatever the decoder makes of them; `lost`: some are lost before."""
    is_lost = scan.size == LOST
    lost = lost | np.concatenate([[False], is_lost[:-1]])
    damaged = lost & ~scan.is_key | scan.is_headless | is_lost
    damaged[:-1] |= lost[1:] | is_lost[1:]  # the damage that lost them may begin inside the packet before
    # A packet that the demuxer calls damaged is cut short, which the decoder notices by itself; in transport streams
    # the gap may also lie behind it, so that the next one depends on what is lost.
    if container.format.name == TRANSPORT:
        damaged[1:] |= scan.is_damaged[:-1] & ~scan.is_key[1:]
    if not scan.is_key[0] and scan.is_key.any() and stream.codec_context.name not in ("h264", "hevc"):
        damaged[0] = True  # others than these two would draw onto a grey picture
    return np.asarray(damaged, bool)


def _filled_pts(scan: PacketScan) -> Ints:
    """(P,) presentation times; where a packet has none, its decoding time, else just after the packet before."""
    pts = np.where(scan.pts == NO_VALUE, scan.dts, scan.pts)
    if (pts == NO_VALUE).all():
        return np.arange(len(pts), dtype=np.int64)
    for row in np.flatnonzero(pts == NO_VALUE).tolist():
        pts[row] = pts[row - 1] + 1 if row else min(pts[pts != NO_VALUE].min(), 0)
    return pts


def _with_lost_rows(
    scan: PacketScan, container: "InputContainer", stream: "VideoStream", path: Path, *, knows_parts: bool
) -> tuple[PacketScan, NDArray[np.bool_]]:
    """The scan with a row for each packet that is surely lost; and before which rows others are lost, or may be.

    `knows_parts`: nothing is lost where a file was joined.
    """
    name = container.format.name
    lost = lost_before(scan, stream.frames, name)
    if name == AVI:
        is_whole = (
            stream.frames == len(scan.size) and not scan.is_damaged.any() and not after_unclaimed(scan, AVI).any()
        )
        found = scan if is_whole else put_right(scan, path, stream.index, stream.frames)
        if found is scan and not is_whole and not _is_self_contained(stream):
            found = replace(scan, is_key=np.arange(len(scan.size)) == 0)  # without an index ffmpeg takes all for keys
        return found, lost if len(found.size) == len(lost) else np.zeros(len(found.size), bool)
    stamps = _filled_pts(scan)
    away = strayed(stamps, bool(stream.codec_context.has_b_frames))
    reorders = stream.codec_context.has_b_frames or scan.is_packed
    if knows_parts and not reorders and (np.diff(stamps[~away]) < 0).sum() > _MOST_BACK * len(stamps):
        away &= False  # no single bit was flipped: the whole clock is odd
    if name == MATROSKA and away.any():
        before = np.maximum.accumulate(np.where(away, 0, np.arange(len(away))))
        stamps = np.where(away, stamps[before], stamps)
        lost = lost | away
        scan = replace(scan, pts=stamps, is_shown=scan.is_shown & ~away, is_headless=scan.is_headless | away)
    is_mpeg = stream.codec_context.name in MPEG_CODECS and name in (PROGRAM, TRANSPORT)
    if is_mpeg and (scan.dts != NO_VALUE).all():
        even = even_decoding_times(scan.dts)
        is_mpeg = not knows_parts or _keeps_rate(scan, stream)
        if is_mpeg:
            stamps = even
            is_whole = knows_parts and groups_are_whole(scan.number_in_group, scan.opens_group)
            lost = lost | (_skips_time(stamps) & ~scan.is_key & (not is_whole))
    begins_part = None
    if knows_parts and name == TRANSPORT:
        begins_part = scan.begins_part | (np.diff(segments(scan.dts, scan.is_key), prepend=0) > 0)
        lost = lost & ~begins_part
    lost = np.append(lost, ends_early(scan, container, stream, keeps_rate=is_mpeg or not knows_parts))
    rows, times = frames_lost_in_gaps(stamps, lost, scan.is_shown, is_exact=is_mpeg, begins_part=begins_part)
    if not len(rows):
        return scan, lost[:-1]
    found = with_rows(
        replace(scan, dts=stamps) if is_mpeg else scan, rows, pts=times, **({"dts": times} if is_mpeg else {})
    )
    return found, np.zeros(len(found.size), bool)


def _is_self_contained(stream: "VideoStream") -> bool:
    """Whether key frames are known from the packets themselves."""
    return stream.codec_context.name == MPEG4_CODEC or bool(getattr(stream.codec_context.codec, "intra_only", False))


def _is_cut_short(scan: PacketScan, stream: "VideoStream", pts: Ints, *, is_avi: bool) -> bool:
    """Whether pictures that come before the last one are cut off with the end of the file."""
    steps = np.diff(np.sort(pts))
    is_later = len(steps) > 1 and steps[-1] > 1.5 * float(np.median(steps))
    counted = max(len(scan.size), int(scan.dts.max()) + 1 if is_avi else 0)  # AVI counts those that were dropped, too
    return bool(scan.is_damaged[-1] or stream.frames > counted or is_later)


def _keeps_rate(scan: PacketScan, stream: "VideoStream") -> bool:
    return keeps_rate(scan.dts, stream.codec_context.framerate, stream.time_base)


def _skips_time(dts: Ints) -> NDArray[np.bool_]:
    """(P,) whether more time than usual passes before each packet is decoded; MPEG-1 and 2 have a constant rate."""
    steps = np.diff(dts, prepend=dts[:1])
    return np.asarray(steps > 1.5 * float(np.median(steps)), bool)


def _spread_by_decoding(scan: PacketScan, segment: Ints, pts: Ints, container: "InputContainer") -> Ints:
    """(N,) ascending times of frames: pictures are decoded at the rate at which they are shown."""
    dts = np.where(scan.dts == NO_VALUE, pts, scan.dts)
    late = 0 if container.format.name == AVI else max(int(pts.min() - dts.min()), 0)
    order = np.lexsort((dts, segment))
    return (dts[order] + late)[scan.is_shown[order]]


def _kinds_give_order(scan: PacketScan, container: "InputContainer", stream: "VideoStream") -> bool:
    """Whether the kinds of pictures determine their order, and times do not.

    AVI stores no times, packed pictures have those of others, and program and transport streams leave some out.
    """
    name, codec = container.format.name, stream.codec_context.name
    return (
        scan.is_packed
        or (codec in MPEG_CODECS and name in (AVI, PROGRAM, TRANSPORT))
        or (codec == MPEG4_CODEC and name == AVI)
    )


def _as_decoded(scan: PacketScan, rank: Ints) -> Ints:
    """(P,) the order of a codec that shows pictures as they are decoded, whatever their time stamps say."""
    return rank if (scan.size == LOST).any() else np.arange(len(rank))  # what is lost has a place by its time only


def _order_is_broken(
    scan: PacketScan,
    lost: NDArray[np.bool_],
    stream: "VideoStream",
    path: Path,
    segment: Ints,
    pts: Ints,
    rank: Ints,
) -> bool:
    """Whether the time stamps of an undamaged file put pictures in another order than their decoder does."""
    context = stream.codec_context
    is_damaged = scan.is_damaged | scan.is_headless | lost | (scan.size == LOST)
    if is_damaged.any() or not context.codec.reorder:
        return False
    reorders = bool(context.has_b_frames)
    if exceeds_decoder(rank, segment, pts, scan.dts, reorders=reorders):
        return True
    is_usual = (np.diff(rank) != 1).any() and keeps_cadence(rank, pts, scan.dts)
    return reorders and not is_usual and not follows(path, stream.index, rank)


def _order_is_unwritten(scan: PacketScan, container: "InputContainer", stream: "VideoStream") -> bool:
    reorders = bool(stream.codec_context.has_b_frames)
    # AVI has no presentation times; ffmpeg then counts packets up, which is wrong wherever frames are reordered.
    counted_up = container.format.name == AVI and stream.codec_context.name in ("h264", "hevc")
    return reorders and (counted_up or bool((scan.pts == NO_VALUE).any()))
