"""From a path to its frame index: one pass over the packets of a video, or over the headers of a folder's images."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.stores import fetched
from training.runs.reporter import Reporter, SilentReporter
from training.version import FIRST_NUMBERING, NUMBERING, ORDER_NUMBERING
from training.video import formats, frame_decoder, image_index, multiframe
from training.video.dicom.header import dicom_header
from training.video.frame_index import FrameIndex
from training.video.packets import avi_index, joined_transport, lost_packets, mpeg_pictures, notes, presentation
from training.video.packets.container import first_frame, open_container, recordings
from training.video.packets.lost_packets import AVI, MATROSKA, PROGRAM, TRANSPORT
from training.video.packets.presentation import Ints, decoder_output_order, follows
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
        numbering: the rules by which the study was opened first, `FIRST_NUMBERING` to `NUMBERING`; None: not known, so
            the first. Its frames keep their numbers and shape. Where the newest rules give the same frames, these are
            used, as `FrameIndex.numbering` says; else a note says that the study keeps the old ones.
    """
    reporter = reporter or SilentReporter()
    path = fetched(Path(path), reporter)
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
    header = None if formats.is_folder(path) else dicom_header(path)
    if formats.is_folder(path):
        index = image_index.build_image_index(path, reporter, numbering)
    elif header is None:
        index = _video_index(path, reporter, numbering)
    elif header.is_video:
        index = multiframe.with_dicom_facts(_video_index(path, reporter, numbering), header)
    else:
        index = multiframe.build_multiframe_index(path, header, numbering)
    return replace(index, numbering=numbering)


def _video_index(path: Path, reporter: Reporter, numbering: int) -> FrameIndex:
    is_newest = numbering > FIRST_NUMBERING
    container, stream = open_container(path, takes_first=not is_newest)
    with container:
        scan = scan_packets(container, stream, path, reporter)
        if not scan.is_shown.any():
            raise UserError("{name} holds no frames.", "The recording may have been stopped immediately.", path.name)
        if container.format.name == TRANSPORT and (scan.is_damaged.any() or scan.others[:, 3].any()):
            scan = joined_transport.without_joins(scan, path, by_clues=numbering >= ORDER_NUMBERING)
        index = _Video(scan, container, stream, path, reporter, numbering).index()
        index = replace(index, notes=(*index.notes, *notes.stream_notes(recordings(container), stream)))
    return _with_shape(index, path) if is_newest else index


def _with_shape(index: FrameIndex, path: Path) -> FrameIndex:
    """The index with the shape that the first frame announces, and notes on its pictures."""
    assert index.packets is not None
    container, stream = open_container(path, index.packets.stream)
    with container:
        frame = first_frame(container, stream, _PACKETS_TO_FIRST_FRAME)
        shape, is_odd = shape_of_frame(frame, stream.sample_aspect_ratio)
        about = notes.picture_notes(frame, stream)
    note = ("The file asks to turn its pictures by an odd angle; they are shown as stored.",) if is_odd else ()
    return replace(index, shape=shape, notes=(*index.notes, *note, *about))


class _Video:
    """The packets of a video on their way to an index, with a row for each that is surely lost."""

    def __init__(
        self,
        scan: PacketScan,
        container: "InputContainer",
        stream: "VideoStream",
        path: Path,
        reporter: Reporter,
        numbering: int,
    ) -> None:
        self.container, self.stream, self.path, self.reporter = container, stream, path, reporter
        self.numbering, self.checks_order = numbering, numbering >= ORDER_NUMBERING
        self.format, self.codec = container.format.name, stream.codec_context
        self.reorders = bool(self.codec.has_b_frames)
        self.scan, self.lost = self._with_avi_rows(scan) if self.format == AVI else self._with_lost_rows(scan)
        self.is_lost = self.scan.size == LOST
        self.pts = _filled_pts(self.scan)
        self.segment = presentation.segments(self.scan.dts, self.scan.is_key)

    def index(self) -> FrameIndex:
        """The index, in the shape of stored pixels."""
        scan, stream, pts, segment = self.scan, self.stream, self.pts, self.segment
        by_kinds, decoded_once = self._kinds_give_order(), self._order_is_unwritten()
        rank, in_doubt, is_broken = self._order(by_kinds, decoded_once)
        damaged = self._damaged()
        table = PacketTable(
            scan.pts, scan.dts, scan.pos, scan.size, scan.is_key, scan.is_shown, damaged, rank, stream.index
        )
        rows = table.packet_of_frame
        frame_pts = pts[rows]
        if by_kinds:
            frame_pts = self._spread_by_decoding()
            if self.format in (PROGRAM, TRANSPORT):
                near = presentation.near_lost(table.is_lost)[rows]
                in_doubt[rows] |= near & presentation.contradicts(pts[rows], frame_pts)
        elif decoded_once and not self.checks_order:
            frame_pts = np.sort(frame_pts)
        elif self.checks_order:
            frame_pts = frame_pts[np.lexsort((frame_pts, segment[rows]))]
        time_base = stream.time_base or _SECONDS_PER_FRAME
        if (scan.pts == NO_VALUE).all() and (scan.dts == NO_VALUE).all():
            time_base = 1 / Fraction(stream.average_rate) if stream.average_rate else _SECONDS_PER_FRAME
        pictures, repeated = np.arange(len(rows)), None
        if self.numbering > FIRST_NUMBERING and self.format == AVI:
            repeated = avi_index.repeated_pictures(self.path, stream.index, scan.dts, scan.is_shown, stream.frames)
        if repeated is not None:
            pictures, frame_pts = repeated
        shown = rows[pictures]
        seconds = presentation.seconds_from(frame_pts, segment[shown], time_base)
        is_decoded, dropped = decoded_once or is_broken, len(pictures) - len(rows)
        said = notes.video_notes(
            scan, stream, int(damaged.sum()), frame_pts, segment[shown], seconds, is_decoded, dropped
        )
        headers = np.flatnonzero(scan.has_new_header).tolist()
        if len(headers) > 1 and len(sizes := frame_decoder.sizes_at(self.path, table, headers)) > 1:
            said = (*said, notes.sizes_note(sizes))
        return FrameIndex(
            video_seconds=seconds,
            pts=frame_pts,
            is_key=scan.is_key[shown],
            time_base=time_base,
            missing=np.flatnonzero((table.is_lost | in_doubt)[shown]),
            notes=said,
            fingerprint=formats.fingerprint(self.path),
            packets=table,
            repeated=None if repeated is None else pictures,
        )

    def _order(self, by_kinds: bool, decoded_once: bool) -> tuple[Ints, NDArray[np.bool_], bool]:
        """(P,) place of each packet in presentation order, (P,) whether it is in doubt; whether time stamps lie."""
        scan = self.scan
        rank = presentation.presentation_rank(self.segment, self.pts)
        in_doubt = np.zeros(len(rank), bool)
        if by_kinds:
            rank, in_doubt = presentation.rank_by_kinds(scan.is_b, self.is_lost, self.lost)
            in_doubt |= presentation.against_their_group(rank, scan.number_in_group, scan.opens_group)
            is_whole = self.checks_order and presentation.groups_are_whole(scan.number_in_group, scan.opens_group)
            if not is_whole and scan.is_b.any() and not scan.is_b.all() and self._is_cut_short():
                in_doubt[np.flatnonzero(~scan.is_b)[-1]] = True  # those shown before it may be cut off
            return rank, in_doubt, False
        order_of = (self.path, self.stream.index, self.is_lost, self.reporter)
        if decoded_once:
            return *decoder_output_order(*order_of, is_cut_short=self._is_cut_short()), False
        if self.checks_order and self._order_is_broken(rank):
            order, is_damaged = decoder_output_order(*order_of)
            is_broken = not is_damaged.any()  # else it is damage that spoilt the time stamps of some
            return order if is_broken else rank, in_doubt, is_broken
        if self.checks_order and not self.codec.codec.reorder and not self.is_lost.any():
            rank = np.arange(len(rank))  # pictures are shown as they are decoded, whatever their time stamps say
        return rank, in_doubt, False

    def _damaged(self) -> NDArray[np.bool_]:
        """(P,) packets that cannot be trusted whatever the decoder makes of them."""
        scan, is_lost = self.scan, self.is_lost
        lost = self.lost | np.concatenate([[False], is_lost[:-1]])
        damaged = lost & ~scan.is_key | scan.is_headless | is_lost
        damaged[:-1] |= lost[1:] | is_lost[1:]  # the damage that lost them may begin inside the packet before
        # A packet that the demuxer calls damaged is cut short, which the decoder notices by itself; in transport
        # streams the gap may also lie behind it, so that the next one depends on what is lost.
        if self.format == TRANSPORT:
            damaged[1:] |= scan.is_damaged[:-1] & ~scan.is_key[1:]
        if not scan.is_key[0] and scan.is_key.any() and self.codec.name not in ("h264", "hevc"):
            damaged[0] = True  # others than these two would draw onto a grey picture
        return np.asarray(damaged, bool)

    def _with_avi_rows(self, scan: PacketScan) -> tuple[PacketScan, NDArray[np.bool_]]:
        """The scan with a row for each packet of the file's index; before which rows others are lost, or may be."""
        lost = lost_packets.lost_before(scan, self.stream.frames, AVI)
        is_unclaimed = lost_packets.after_unclaimed(scan, AVI).any()
        if self.stream.frames == len(scan.size) and not scan.is_damaged.any() and not is_unclaimed:
            return scan, lost
        result = avi_index.put_right(scan, self.path, self.stream.index, self.stream.frames)
        is_self_contained = self.codec.name == mpeg_pictures.MPEG4_CODEC or bool(
            getattr(self.codec.codec, "intra_only", False)
        )
        if result is scan and not is_self_contained:
            result = replace(scan, is_key=np.arange(len(scan.size)) == 0)  # without an index ffmpeg takes all for keys
        return result, lost if len(result.size) == len(lost) else np.zeros(len(result.size), bool)

    def _with_lost_rows(self, scan: PacketScan) -> tuple[PacketScan, NDArray[np.bool_]]:
        """The scan with a row for each packet that is surely lost; before which rows others are lost, or may be.

        By the rules from `ORDER_NUMBERING` on nothing is lost where a file was joined.
        """
        knows_parts = self.checks_order
        lost = lost_packets.lost_before(scan, self.stream.frames, self.format)
        stamps = _filled_pts(scan)
        away = lost_packets.strayed(stamps, self.reorders)
        goes_back = (np.diff(stamps[~away]) < 0).sum() > _MOST_BACK * len(stamps)
        if knows_parts and not (self.reorders or scan.is_packed) and goes_back:
            away &= False  # no single bit was flipped: the whole clock is odd
        if self.format == MATROSKA and away.any():
            before = np.maximum.accumulate(np.where(away, 0, np.arange(len(away))))
            stamps = np.where(away, stamps[before], stamps)
            lost = lost | away
            scan = replace(scan, pts=stamps, is_shown=scan.is_shown & ~away, is_headless=scan.is_headless | away)
        is_mpeg = self.codec.name in mpeg_pictures.MPEG_CODECS and self.format in (PROGRAM, TRANSPORT)
        if is_mpeg and (scan.dts != NO_VALUE).all():
            is_mpeg = not knows_parts or presentation.keeps_rate(scan.dts, self.codec.framerate, self.stream.time_base)
            if is_mpeg:
                stamps = presentation.even_decoding_times(scan.dts)
                steps = np.diff(stamps, prepend=stamps[:1])  # MPEG-1 and 2 have a constant rate
                skips_time = steps > 1.5 * float(np.median(steps))
                is_whole = knows_parts and presentation.groups_are_whole(scan.number_in_group, scan.opens_group)
                lost = lost | (skips_time & ~scan.is_key & (not is_whole))
        begins_part = None
        if knows_parts and self.format == TRANSPORT:
            starts_anew = np.diff(presentation.segments(scan.dts, scan.is_key), prepend=0) > 0
            begins_part = scan.begins_part | starts_anew
            lost = lost & ~begins_part
        keeps_rate = is_mpeg or not knows_parts
        lost = np.append(lost, lost_packets.ends_early(scan, self.container, self.stream, keeps_rate=keeps_rate))
        rows, times = lost_packets.frames_lost_in_gaps(
            stamps, lost, scan.is_shown, is_exact=is_mpeg, begins_part=begins_part
        )
        if not len(rows):
            return scan, lost[:-1]
        columns = {"pts": times, "dts": times} if is_mpeg else {"pts": times}
        result = lost_packets.with_rows(replace(scan, dts=stamps) if is_mpeg else scan, rows, **columns)
        return result, np.zeros(len(result.size), bool)

    def _is_cut_short(self) -> bool:
        """Whether pictures that come before the last one are cut off with the end of the file."""
        scan, steps = self.scan, np.diff(np.sort(self.pts))
        is_later = len(steps) > 1 and steps[-1] > 1.5 * float(np.median(steps))
        # AVI counts those that were dropped, too.
        counted = max(len(scan.size), int(scan.dts.max()) + 1 if self.format == AVI else 0)
        return bool(scan.is_damaged[-1] or self.stream.frames > counted or is_later)

    def _spread_by_decoding(self) -> Ints:
        """(N,) ascending times of frames: pictures are decoded at the rate at which they are shown."""
        dts = np.where(self.scan.dts == NO_VALUE, self.pts, self.scan.dts)
        late = 0 if self.format == AVI else max(int(self.pts.min() - dts.min()), 0)
        order = np.lexsort((dts, self.segment))
        return (dts[order] + late)[self.scan.is_shown[order]]

    def _kinds_give_order(self) -> bool:
        """Whether the kinds of pictures determine their order, and times do not.

        AVI stores no times, packed pictures have those of others, and program and transport streams leave some out.
        """
        is_mpeg = self.codec.name in mpeg_pictures.MPEG_CODECS and self.format in (AVI, PROGRAM, TRANSPORT)
        return self.scan.is_packed or is_mpeg or (self.codec.name == mpeg_pictures.MPEG4_CODEC and self.format == AVI)

    def _order_is_broken(self, rank: Ints) -> bool:
        """Whether the time stamps of an undamaged file put pictures in another order than their decoder does."""
        scan, pts = self.scan, self.pts
        is_damaged = scan.is_damaged | scan.is_headless | self.lost | self.is_lost
        if is_damaged.any() or not self.codec.codec.reorder:
            return False
        if presentation.exceeds_decoder(rank, self.segment, pts, scan.dts, reorders=self.reorders):
            return True
        is_usual = (np.diff(rank) != 1).any() and presentation.keeps_cadence(rank, pts, scan.dts)
        return self.reorders and not is_usual and not follows(self.path, self.stream.index, rank)

    def _order_is_unwritten(self) -> bool:
        # AVI has no presentation times; ffmpeg then counts packets up, which is wrong wherever frames are reordered.
        counted_up = self.format == AVI and self.codec.name in ("h264", "hevc")
        return self.reorders and (counted_up or bool((self.scan.pts == NO_VALUE).any()))


def _filled_pts(scan: PacketScan) -> Ints:
    """(P,) presentation times; where a packet has none, its decoding time, else just after the packet before."""
    pts = np.where(scan.pts == NO_VALUE, scan.dts, scan.pts)
    if (pts == NO_VALUE).all():
        return np.arange(len(pts), dtype=np.int64)
    for row in np.flatnonzero(pts == NO_VALUE).tolist():
        pts[row] = pts[row - 1] + 1 if row else min(pts[pts != NO_VALUE].min(), 0)
    return pts
