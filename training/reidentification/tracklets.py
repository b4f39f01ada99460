"""Tracklets with their crops, from studies with labels and boxes: what a tracker would hand over."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import BoxRow, read_boxes
from training.datasets.labels import LabelRow, read_labels
from training.datasets.manifest import StudyEntry, load_manifest
from training.errors import UserError
from training.reidentification.filtering import TrackletTable
from training.runs.reporter import Reporter
from training.video.opening import open_source

Crops = NDArray[np.uint8]
"""(n, S, S, 3) RGB: the crops of a tracklet's frames in order."""


@dataclass(frozen=True, eq=False)
class Tracklets:
    """T tracklets of any studies; a study is a procedure.

    Attributes:
        table: procedures and times; a box counts as a detection of score 1.
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


@dataclass(frozen=True)
class _Visit:
    """Successive frames of one finding: its label, and the box in each frame that has one."""

    study: StudyEntry
    label: LabelRow
    boxes: Mapping[int, BoxRow]


def read_tracklets(
    manifest: Path, labels: Path, boxes: Path, *, side_px: int, context: float, reporter: Reporter
) -> Tracklets:
    """The visits of all findings: each row of labels.csv with a finding, which is a stretch of successive frames.

    A box belongs to the finding that it names, else to any of its label. A frame with two boxes of a finding is left
    out of the crops. Folders of images are timed by the manifest's rate where it has one.

    Args:
        manifest: of the studies.
        labels: labels.csv.
        boxes: boxes.csv.
        side_px: S of the crops.
        context: the crop's side in the frame, as a multiple of the box's longer side.
        reporter: progress by studies; may cancel.

    Raises:
        UserError: files that cannot be read, or no tracklet with a box.
    """
    visits = list(_visits(manifest, read_labels(labels), read_boxes(boxes)))
    if not visits:
        raise UserError(f"{labels} and {boxes} have no finding with boxes.", "Label findings with boxes first.")
    times: dict[int, tuple[float, float]] = {}
    crops: dict[int, Crops] = {}
    studies = {visit.study.study_id: visit.study for visit in visits}
    for done, (name, study) in enumerate(studies.items()):
        reporter.check()
        reporter.progress(done, len(studies), "studies", "reading tracklets")
        mine = {at: visit for at, visit in enumerate(visits) if visit.study.study_id == name}
        _read_study(study.path, mine, times, crops, side_px=side_px, context=context)
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
                yield _Visit(read[label.study_id], label, single)


def _own(boxes: Sequence[BoxRow], finding_id: str) -> list[BoxRow]:
    """Of a frame's boxes of one label those of a finding; where none names it those that name none."""
    named = [box for box in boxes if box.finding_id == finding_id]
    return named or [box for box in boxes if not box.finding_id]


def _read_study(
    path: Path,
    visits: Mapping[int, _Visit],
    times: dict[int, tuple[float, float]],
    crops: dict[int, Crops],
    *,
    side_px: int,
    context: float,
) -> None:
    """Fill in times and crops of a study's visits; a visit none of whose frames decodes is left out."""
    wanted: dict[int, list[int]] = {}
    for at, visit in visits.items():
        for frame in visit.boxes:
            wanted.setdefault(frame, []).append(at)
    found: dict[int, list[NDArray[np.uint8]]] = {}
    with open_source(path) as source:
        last = max(wanted)
        if last >= len(source):
            raise UserError(f"{path} has no frame {last}, which has a box.", "Check that boxes and videos belong.")
        for frame, picture in source.iterate(min(wanted), last + 1):
            for at in wanted.get(frame, ()):
                if picture is not None:
                    crop = square_crop(picture, visits[at].boxes[frame], side_px, context)
                    found.setdefault(at, []).append(crop)
        for at, made in found.items():
            label, rate = visits[at].label, visits[at].study.images_per_second
            seconds = source.index.video_seconds
            if rate is not None and source.index.kind == "images":
                seconds = np.arange(len(seconds), dtype=np.float64) / rate
            times[at] = _seconds(seconds, label.start, label.stop)
            crops[at] = np.stack(made)


def _seconds(video_seconds: NDArray[np.float64], start: int, stop: int) -> tuple[float, float]:
    """When frames [start, stop) begin, and when the last one ends; the video's last frame lasts as the one before."""
    count = len(video_seconds)
    if stop < count:
        return float(video_seconds[start]), float(video_seconds[stop])
    length = float(video_seconds[-1] - video_seconds[-2]) if count > 1 else 1.0
    return float(video_seconds[start]), float(video_seconds[min(stop, count) - 1]) + length


def _tracklets(visits: Sequence[_Visit], times: Sequence[tuple[float, float]], crops: Sequence[Crops]) -> Tracklets:
    table = TrackletTable(
        np.array([visit.study.study_id for visit in visits], np.str_),
        np.array([start for start, _ in times], np.float64),
        np.array([stop for _, stop in times], np.float64),
        [np.ones(len(each), np.float32) for each in crops],
    )
    return Tracklets(
        table,
        np.array([visit.label.finding_id for visit in visits], np.str_),
        np.array([visit.label.label for visit in visits], np.str_),
        np.array([visit.study.patient_id for visit in visits], np.str_),
        crops,
    )
