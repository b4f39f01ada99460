"""Tracklets with their crops, from studies with labels and boxes: visits of findings, or what a tracker makes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import BoxRow, check_boxes, read_boxes
from training.datasets.labels import LabelRow, read_labels
from training.datasets.manifest import StudyEntry, load_manifest
from training.errors import UserError
from training.reidentification.byte_track import TrackerSettings, track_boxes
from training.reidentification.filtering import TrackletTable
from training.runs.reporter import Reporter
from training.video.field_of_view_search import study_field_of_view
from training.video.opening import open_source

Crops = NDArray[np.uint8]
"""(n, S, S, 3) RGB: the crops of a tracklet's frames in order."""


@dataclass(frozen=True, eq=False)
class Tracklets:
    """T tracklets of any studies; a study is a procedure.

    Attributes:
        table: procedures and times; a box without a score counts as a detection of score 1.
        findings: (T,) the finding of each.
        classes: (T,) its label.
        patients: (T,) whose it is.
        crops: T arrays.
    """

    table: TrackletTable
    findings: NDArray[np.str_]
    classes: NDArray[np.str_]
    patients: NDArray[np.str_]
    crops: Sequence[Crops]

    def __len__(self) -> int:
        """T."""
        return len(self.table)

    def of(self, rows: NDArray[np.int64]) -> "Tracklets":
        """These tracklets only."""
        crops = [self.crops[at] for at in rows]
        return Tracklets(self.table.of(rows), self.findings[rows], self.classes[rows], self.patients[rows], crops)


@dataclass(frozen=True)
class _Visit:
    """What will be a tracklet: its finding, and the box in each frame that has one.

    Attributes:
        study: where.
        finding: id, and its label.
        label: see `finding`.
        start, stop: first frame, and the one after the last.
        boxes: by frame.
    """

    study: StudyEntry
    finding: str
    label: str
    start: int
    stop: int
    boxes: Mapping[int, BoxRow]


def read_tracklets(
    manifest: Path,
    labels: Path,
    boxes: Path,
    *,
    side_px: int,
    context: float,
    reporter: Reporter,
    tracker: TrackerSettings | None = None,
) -> Tracklets:
    """The tracklets of studies with labels and boxes.

    Without a tracker they are visits: each row of labels.csv with a finding is a stretch of successive frames. A box
    belongs to the finding that it names, else to any of its label. A frame with two boxes of a finding is left out of
    the crops. Folders of images are timed by the manifest's rate where it has one.

    Args:
        manifest: of the studies.
        labels: labels.csv.
        boxes: boxes.csv.
        side_px: S of the crops.
        context: the crop's side in the frame, as a multiple of the box's longer side.
        reporter: progress by studies; may cancel.
        tracker: of ByteTrack, which joins boxes to tracklets. A tracklet is of the finding that most of its boxes show;
            without any it is left out, and so is the shorter one of two of a finding that overlap in time (ours).

    Raises:
        UserError: files that cannot be read, a box beyond the frame, or no tracklet with a box.
    """
    every, rows = read_boxes(boxes), read_labels(labels)
    visits = list(_visits(manifest, rows, every) if tracker is None else _tracked(manifest, rows, every, tracker))
    if not visits:
        raise UserError(f"{labels} and {boxes} have no finding with boxes.", "Label findings with boxes first.")
    times: dict[int, tuple[float, float]] = {}
    crops: dict[int, Crops] = {}
    studies = {visit.study.study_id: visit.study for visit in visits}
    for done, (name, study) in enumerate(studies.items()):
        reporter.check()
        reporter.progress(done, len(studies), "studies", "reading tracklets")
        mine = {at: visit for at, visit in enumerate(visits) if visit.study.study_id == name}
        _read_study(study, mine, times, crops, side_px=side_px, context=context)
    kept = [at for at in range(len(visits)) if at in crops]
    return _tracklets([visits[at] for at in kept], [times[at] for at in kept], [crops[at] for at in kept])


def square_crop(picture: NDArray[np.uint8], box: BoxRow, side_px: int, context: float) -> NDArray[np.uint8]:
    """The square around a box, black beyond the frame.

    Args:
        picture: (H, W, 3) RGB.
        box: in pixels of the picture.
        side_px: S, the side of the result.
        context: its side in the picture, as a multiple of the box's longer side.

    Returns:
        (S, S, 3) RGB.
    """
    side = max(2, round(context * max(box.x_max - box.x_min, box.y_max - box.y_min)))
    left, top = round((box.x_min + box.x_max - side) / 2), round((box.y_min + box.y_max - side) / 2)
    height, width = picture.shape[:2]
    square = np.zeros((side, side, 3), np.uint8)
    rows, columns = slice(max(0, top), min(height, top + side)), slice(max(0, left), min(width, left + side))
    square[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] = picture[rows, columns]
    shrinks = side > side_px
    resized = cv2.resize(square, (side_px, side_px), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    return np.asarray(resized, np.uint8)


def _visits(manifest: Path, labels: Sequence[LabelRow], boxes: Sequence[BoxRow]) -> Iterator[_Visit]:
    """The visits that have a box, in the order of the labels."""
    read = load_manifest(manifest)
    known = {study.study_id for study in read.studies}
    by_frame: dict[tuple[str, int, str], list[BoxRow]] = {}
    for box in boxes:
        by_frame.setdefault((box.study_id, box.frame_index, box.label), []).append(box)
    for label in labels:
        if label.finding_id and label.study_id in known:
            span = range(label.start, label.stop)
            found = {
                frame: _own(by_frame.get((label.study_id, frame, label.label), []), label.finding_id) for frame in span
            }
            single = {frame: each[0] for frame, each in found.items() if len(each) == 1}
            if single:
                yield _Visit(read[label.study_id], label.finding_id, label.label, label.start, label.stop, single)


def _tracked(
    manifest: Path, labels: Sequence[LabelRow], boxes: Sequence[BoxRow], settings: TrackerSettings
) -> Iterator[_Visit]:
    """The tracklets of ByteTrack that show a finding, study by study in the order of their first frames."""
    read = load_manifest(manifest)
    shown = _findings_in_frames(labels)
    for study in read.studies:
        rows = [box for box in boxes if box.study_id == study.study_id]
        if not rows:
            continue
        places = np.array([(box.x_min, box.y_min, box.x_max, box.y_max) for box in rows], np.float64)
        frames = np.array([box.frame_index for box in rows], np.int64)
        tracks = track_boxes(frames, places, np.array([box.score for box in rows], np.float64), settings)
        made = []
        for track in range(int(tracks.max(initial=-1)) + 1):
            mine = [rows[at] for at in np.flatnonzero(tracks == track)]
            named = Counter((_finding_of(box, shown), box.label) for box in mine)
            (finding, label), _ = named.most_common(1)[0]
            if finding:
                at = {box.frame_index: box for box in mine}
                made.append(_Visit(study, finding, label, min(at), max(at) + 1, at))
        yield from _without_overlaps(made)


def _findings_in_frames(labels: Sequence[LabelRow]) -> dict[tuple[str, int, str], set[str]]:
    """(study, frame, label) -> findings that are labelled there."""
    shown: dict[tuple[str, int, str], set[str]] = {}
    for row in labels:
        if row.finding_id:
            for frame in range(row.start, row.stop):
                shown.setdefault((row.study_id, frame, row.label), set()).add(row.finding_id)
    return shown


def _finding_of(box: BoxRow, shown: Mapping[tuple[str, int, str], set[str]]) -> str:
    """The finding that a box names, or the only one of its label in its frame; else ""."""
    there = shown.get((box.study_id, box.frame_index, box.label), set())
    return box.finding_id or (next(iter(there)) if len(there) == 1 else "")


def _without_overlaps(visits: Sequence[_Visit]) -> list[_Visit]:
    """The tracklets of one study, in order; of those of a finding that overlap in time those with more boxes."""
    kept: list[_Visit] = []
    for visit in sorted(visits, key=lambda each: -len(each.boxes)):
        if not any(
            other.finding == visit.finding and other.start < visit.stop and visit.start < other.stop for other in kept
        ):
            kept.append(visit)
    return sorted(kept, key=lambda each: (each.start, each.stop))


def _own(boxes: Sequence[BoxRow], finding_id: str) -> list[BoxRow]:
    """Of a frame's boxes of one label those of a finding; where none names it those that name none."""
    named = [box for box in boxes if box.finding_id == finding_id]
    return named or [box for box in boxes if not box.finding_id]


def _read_study(
    study: StudyEntry,
    visits: Mapping[int, _Visit],
    times: dict[int, tuple[float, float]],
    crops: dict[int, Crops],
    *,
    side_px: int,
    context: float,
) -> None:
    """Fill in times and crops of a study's visits; a visit none of whose frames decodes is left out.

    What lies outside the field of view, such as the clock, is black in the crops.
    """
    wanted: dict[int, list[int]] = {}
    for at, visit in visits.items():
        for frame in visit.boxes:
            wanted.setdefault(frame, []).append(at)
    found: dict[int, list[NDArray[np.uint8]]] = {}
    with open_source(study.path) as source:
        last = max(wanted)
        if last >= len(source):
            raise UserError(
                f"{study.path} has no frame {last}, which has a box.", "Check that boxes and videos belong."
            )
        every = [box for visit in visits.values() for box in visit.boxes.values()]
        check_boxes(every, study.study_id, source.width_px, source.height_px)
        inside = study_field_of_view(source).mask(source.height_px, source.width_px)[..., None]
        for frame, picture in source.iterate(min(wanted), last + 1):
            if picture is None or frame not in wanted:
                continue
            seen = np.where(inside, picture, np.uint8(0))
            for at in wanted[frame]:
                found.setdefault(at, []).append(square_crop(seen, visits[at].boxes[frame], side_px, context))
        for at, made in found.items():
            rate, seconds = visits[at].study.images_per_second, source.index.video_seconds
            if rate is not None and source.index.kind == "images":
                seconds = np.arange(len(seconds), dtype=np.float64) / rate
            times[at] = _seconds(seconds, visits[at].start, visits[at].stop)
            crops[at] = np.stack(made)


def _seconds(video_seconds: NDArray[np.float64], start: int, stop: int) -> tuple[float, float]:
    """When frames [start, stop) begin, and when the last one ends; the video's last frame lasts as the one before."""
    count = len(video_seconds)
    if stop < count:
        return float(video_seconds[start]), float(video_seconds[stop])
    length = float(video_seconds[-1] - video_seconds[-2]) if count > 1 else 1.0
    return float(video_seconds[start]), float(video_seconds[min(stop, count) - 1]) + length


def _tracklets(visits: Sequence[_Visit], times: Sequence[tuple[float, float]], crops: Sequence[Crops]) -> Tracklets:
    # A frame that does not decode has a box and no crop; its score is left out at the end, which no filter notices.
    scores = [
        np.array([visit.boxes[frame].score for frame in sorted(visit.boxes)], np.float32)[: len(each)]
        for visit, each in zip(visits, crops, strict=True)
    ]
    table = TrackletTable(
        np.array([visit.study.study_id for visit in visits], np.str_),
        np.array([start for start, _ in times], np.float64),
        np.array([stop for _, stop in times], np.float64),
        scores,
    )
    return Tracklets(
        table,
        np.array([visit.finding for visit in visits], np.str_),
        np.array([visit.label for visit in visits], np.str_),
        np.array([visit.study.patient_id for visit in visits], np.str_),
        crops,
    )
