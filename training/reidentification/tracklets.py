"""Tracklets with their crops: visits of findings, what a tracker makes of boxes, or events of scored frames."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import BoxRow, check_boxes, read_boxes
from training.datasets.frame_store import NEAR_FRAMES
from training.datasets.labels import read_labels
from training.datasets.manifest import StudyEntry, load_manifest
from training.errors import UserError
from training.reidentification import byte_track, config, views
from training.reidentification.visits import Visit, labelled_visits, tracked_visits
from training.runs.reporter import Reporter
from training.video import FieldOfView, FrameSource, prepare_frame, study_field_of_view


@dataclass(frozen=True, eq=False)
class Tracklets:
    """T tracklets of any studies; a study is a procedure.

    Attributes:
        table: procedures and times; a box without a score counts as a detection of score 1.
        findings: (T,) the finding of each; empty where it is not known.
        classes: (T,) its label.
        patients: (T,) whose it is.
        crops: T arrays.
        visits: (T,) the number of the visit that each was cut from.
    """

    table: config.TrackletTable
    findings: NDArray[np.str_]
    classes: NDArray[np.str_]
    patients: NDArray[np.str_]
    crops: Sequence[views.Crops]
    visits: NDArray[np.int64]

    def __len__(self) -> int:
        """T."""
        return len(self.table)

    def of(self, rows: NDArray[np.int64]) -> "Tracklets":
        """These tracklets only."""
        crops = [self.crops[at] for at in rows]
        table, names = self.table.of(rows), (self.findings[rows], self.classes[rows], self.patients[rows])
        return Tracklets(table, *names, crops, self.visits[rows])


def read_tracklets(
    manifest: Path,
    labels: Path,
    boxes: Path,
    *,
    side_px: int,
    context: float,
    reporter: Reporter,
    tracker: byte_track.TrackerSettings | None = None,
) -> Tracklets:
    """The tracklets of studies with labels and boxes.

    Without a tracker they are visits: each row of labels.csv with a finding is a stretch of successive frames. A box
    belongs to the finding that it names, else to any of its label. A frame with two boxes of a finding is left out of
    the crops. Folders of images are timed by the manifest's rate where it has one.

    Args:
        labels, boxes: labels.csv and boxes.csv.
        side_px, context, reporter: as of `cut_tracklets`.
        tracker: of ByteTrack, which joins boxes to tracklets. A tracklet is of the finding that most of its boxes show;
            without any it is left out, and so is the shorter one of two of a finding that overlap in time (ours).

    Raises:
        UserError: files that cannot be read, a box beyond the frame, or no tracklet with a box.
    """
    read, every, rows = load_manifest(manifest), read_boxes(boxes), read_labels(labels)
    visits = labelled_visits(read, rows, every) if tracker is None else tracked_visits(read, rows, every, tracker)
    if not visits:
        raise UserError(
            "{labels} and {boxes} have no finding with boxes.", "Label findings with boxes first.", labels, boxes
        )
    return cut_tracklets(visits, side_px=side_px, context=context, reporter=reporter)


def cut_tracklets(
    visits: Sequence[Visit],
    *,
    side_px: int,
    context: float,
    reporter: Reporter,
    most_crops: int | None = None,
    spill: Path | None = None,
) -> Tracklets:
    """Read the frames of visits and cut their crops, study by study.

    What lies outside the field of view, such as the clock, is black in the crops. Folders of images are timed by the
    manifest's rate where it has one.

    Args:
        visits: in any order, which the tracklets keep; one none of whose frames decodes is left out.
        side_px: S of the crops.
        context: the crop's side in the frame, as a multiple of the box's longer side.
        most_crops: of a longer visit so many frames are taken, spread over its length; None: all.
        spill: a file that the crops are written to and mapped from, so that they need no memory; None: memory.

    Raises:
        UserError: a study cannot be read, or a box reaches beyond the frame.
    """
    times: dict[int, tuple[float, float]] = {}
    studies = {visit.study.study_id: visit.study for visit in visits}
    with views.CropStore(spill, side_px) as store:
        for done, (name, study) in enumerate(studies.items()):
            reporter.check()
            reporter.progress(done, len(studies), "studies", "reading tracklets")
            mine = {at: visit for at, visit in enumerate(visits) if visit.study.study_id == name}
            with study.open_source() as source:
                seconds = _times(source, study)
                for at, found in _crops_of(source, mine, side_px, context, most_crops, reporter).items():
                    store.add(at, found)
                    times[at] = _seconds(seconds, visits[at].start, visits[at].stop)
        crops = store.all()
    kept = sorted(crops)
    there, (starts, stops) = (
        [visits[at] for at in kept],
        np.array([times[at] for at in kept], np.float64).reshape(-1, 2).T,
    )
    names = np.array(
        [[visit.study.study_id, visit.finding, visit.label, visit.study.patient_id] for visit in there], np.str_
    )
    procedures, findings, labels, patients = names.reshape(-1, 4).T
    # A frame that does not decode has a score and no crop; the filter counts it all the same.
    scores = [np.array(list(visit.scores.values()), np.float32) for visit in there]
    table = config.TrackletTable(procedures, starts, stops, scores)
    return Tracklets(table, findings, labels, patients, [crops[at] for at in kept], np.array(kept, np.int64))


def square_crop(picture: NDArray[np.uint8], box: BoxRow, side_px: int, context: float) -> NDArray[np.uint8]:
    """The square (side_px, side_px, 3) around a box, black beyond the frame; its side is `context` longer sides."""
    import cv2

    side = max(2, round(context * max(box.x_max - box.x_min, box.y_max - box.y_min)))
    left, top = round((box.x_min + box.x_max - side) / 2), round((box.y_min + box.y_max - side) / 2)
    height, width = picture.shape[:2]
    square = np.zeros((side, side, 3), np.uint8)
    rows, columns = slice(max(0, top), min(height, top + side)), slice(max(0, left), min(width, left + side))
    square[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] = picture[rows, columns]
    shrinks = side > side_px
    resized = cv2.resize(square, (side_px, side_px), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    return np.asarray(resized, np.uint8)


def frame_crop(
    picture: NDArray[np.uint8], view: FieldOfView, box: BoxRow | None, side_px: int, context: float
) -> NDArray[np.uint8]:
    """(S, S, 3) RGB: the square around a box, or the field of view where there is none; black outside it."""
    if box is None:
        return prepare_frame(picture, view, side_px)
    inside = np.where(view.mask(*picture.shape[:2])[..., None], picture, 0).astype(np.uint8)
    return square_crop(inside, box, side_px, context)


def _crops_of(
    source: FrameSource,
    visits: Mapping[int, Visit],
    side_px: int,
    context: float,
    most_crops: int | None,
    reporter: Reporter,
) -> dict[int, views.Crops]:
    """The crops of a study's visits; a visit none of whose frames decodes is left out."""
    wanted: dict[int, list[int]] = {}
    for at, visit in visits.items():
        check_boxes(
            (box for box in visit.boxes.values() if box), visit.study.study_id, source.width_px, source.height_px
        )
        frames = sorted(visit.boxes)
        for place in views.spread_views(len(frames), most_crops or len(frames)):
            frame = frames[place]
            wanted.setdefault(frame, []).append(at)
    if max(wanted) >= len(source):
        raise UserError(
            "{path} has no frame {wanted}, which has a box or a score.",
            "Check that boxes, scores and videos belong to each other.",
            source.path,
            max(wanted),
        )
    view, result = study_field_of_view(source), dict[int, list[NDArray[np.uint8]]]()
    for frame, picture in pictures_of(source, sorted(wanted)):
        reporter.check()
        for at in wanted[frame]:
            crop = frame_crop(picture, view, visits[at].boxes[frame], side_px, context)
            result.setdefault(at, []).append(crop)
    return {at: np.stack(made) for at, made in result.items()}


def pictures_of(source: FrameSource, frames: Sequence[int]) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """The pictures of these frames, in ascending order; those that do not decode are left out.

    Frames near each other are decoded in one go, since a seek costs about as many decodes.
    """
    order, wanted = np.array(frames, np.int64), set(frames)
    for stretch in np.split(order, np.flatnonzero(np.diff(order) > NEAR_FRAMES) + 1):
        for frame, picture in source.iterate(int(stretch[0]), int(stretch[-1]) + 1):
            if frame in wanted and picture is not None:
                yield frame, picture


def _times(source: FrameSource, study: StudyEntry) -> NDArray[np.float64]:
    """(N,) seconds of a study's frames."""
    seconds, rate = source.index.video_seconds, study.images_per_second
    if rate is not None and source.index.kind == "images":
        return np.arange(len(seconds), dtype=np.float64) / rate
    return seconds


def _seconds(video_seconds: NDArray[np.float64], start: int, stop: int) -> tuple[float, float]:
    """When frames [start, stop) begin, and when the last one ends; the video's last frame lasts as the one before."""
    count = len(video_seconds)
    if stop < count:
        return float(video_seconds[start]), float(video_seconds[stop])
    length = float(video_seconds[-1] - video_seconds[-2]) if count > 1 else 1.0
    return float(video_seconds[start]), float(video_seconds[min(stop, count) - 1]) + length
