"""Which stretches of which studies are tracklets: findings with boxes, tracked boxes, or events of scored frames."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import BoxRow
from training.datasets.labels import NORMAL, LabelRow
from training.datasets.manifest import Manifest, StudyEntry
from training.embeddings.file import EmbeddingFile, field_of_view_of
from training.errors import UserError
from training.inference import explanation
from training.metrics.events import event_bounds, flagged_frames
from training.reidentification.byte_track import TrackerSettings, track_boxes
from training.video import fingerprints_of, paste_map


@dataclass(frozen=True)
class Visit:
    """One stretch [start, stop) of a study that shows one finding.

    Attributes:
        study: whose frames.
        start, stop: the stretch.
        label: what it shows.
        finding: the annotated finding; empty: not known.
        boxes: the frames that are taken, each with its box in pixels of the frame, or None: the whole field of view.
        scores: the score in [0, 1] of each of these frames; 1 for a box without one.
    """

    study: StudyEntry
    start: int
    stop: int
    label: str
    finding: str
    boxes: Mapping[int, BoxRow | None]
    scores: Mapping[int, float]


def labelled_visits(manifest: Manifest, labels: Sequence[LabelRow], boxes: Sequence[BoxRow]) -> list[Visit]:
    """The visits of findings that have a box: each row of the labels with a finding, in their order.

    A box belongs to the finding that it names, else to any of its label. A frame with two boxes of a finding is left
    out.
    """
    known = {study.study_id for study in manifest.studies}
    by_frame: dict[tuple[str, int, str], list[BoxRow]] = {}
    for box in boxes:
        by_frame.setdefault((box.study_id, box.frame_index, box.label), []).append(box)
    result = []
    for label in labels:
        if label.finding_id and label.study_id in known:
            single = {}
            for frame in range(label.start, label.stop):
                there = by_frame.get((label.study_id, frame, label.label), [])
                named = [box for box in there if box.finding_id == label.finding_id]
                own = named or [box for box in there if not box.finding_id]
                if len(own) == 1:
                    single[frame] = own[0]
            if single:
                whole = label.start, label.stop, label.label, label.finding_id
                result.append(_boxed(manifest[label.study_id], *whole, single))
    return result


def tracked_visits(
    manifest: Manifest, labels: Sequence[LabelRow], boxes: Sequence[BoxRow], settings: TrackerSettings
) -> list[Visit]:
    """The tracklets of ByteTrack that show a finding, study by study in the order of their first frames."""
    finding_of, result = finding_names(labels), list[Visit]()
    for study in manifest.studies:
        named = [named_visit(visit, finding_of) for visit in unnamed_visits(study, boxes, settings, 1)]
        result += without_overlaps([visit for visit in named if visit.finding])
    return result


FindingOf = Callable[[BoxRow], str]


def finding_names(labels: Sequence[LabelRow]) -> FindingOf:
    """The finding that a box names, or the only one that a label of its kind names in its frame; else ""."""
    shown: dict[tuple[str, int, str], set[str]] = {}
    for row in labels:
        for frame in range(row.start, row.stop) if row.finding_id else ():
            shown.setdefault((row.study_id, frame, row.label), set()).add(row.finding_id)

    def finding_of(box: BoxRow) -> str:
        there = shown.get((box.study_id, box.frame_index, box.label), set())
        return box.finding_id or (next(iter(there)) if len(there) == 1 else "")

    return finding_of


def named_visit(visit: Visit, finding_of: FindingOf) -> Visit:
    """The visit with finding and label of most of its boxes."""
    named = Counter((finding_of(box), box.label) for box in visit.boxes.values() if box is not None)
    (finding, label), _ = named.most_common(1)[0]
    return replace(visit, finding=finding, label=label)


def unnamed_visits(
    study: StudyEntry, boxes: Sequence[BoxRow], settings: TrackerSettings, fewest_boxes: int
) -> list[Visit]:
    """The tracklets of ByteTrack with so many boxes, of findings that are not known, by their first frames.

    Single boxes that a reader has drawn are no tracklets.
    """
    result = []
    for mine in _tracks(study, boxes, settings):
        if len(mine) >= fewest_boxes:
            (label, _), *_ = Counter(box.label for box in mine).most_common(1)
            result.append(_track_visit(study, mine, label, ""))
    return sorted(result, key=lambda visit: (visit.start, visit.stop))


def event_visits(
    study: StudyEntry, file: EmbeddingFile, threshold: float, max_gap: int, labels: Sequence[LabelRow] = ()
) -> list[Visit]:
    """The events of a scored study as visits, each flagged frame with the box of its CAM where there is one.

    An event has the finding of a label of its class that it shares a frame with, and ends after `max_gap` other frames.
    """
    result, named = [], [row for row in labels if row.study_id == study.study_id and row.finding_id]
    for column, name, frames, scores in flagged(file, threshold):
        for first, last in zip(*event_bounds(frames, max_gap), strict=True):
            held = slice(int(first), int(last) + 1)
            start, stop = int(frames[first]), int(frames[last]) + 1
            boxes = cam_boxes(file, frames[held], column, study.study_id)
            chosen = dict(zip(frames[held].tolist(), scores[held].tolist(), strict=True))
            shared = (row for row in named if row.label == name and row.start < stop and start < row.stop)
            finding = next((row.finding_id for row in shared), "")
            result.append(Visit(study, start, stop, name, finding, boxes, chosen))
    return result


def flagged(
    file: EmbeddingFile, threshold: float, of_class: Mapping[str, float] = MappingProxyType({})
) -> Iterator[tuple[int, str, NDArray[np.int64], NDArray[np.float32]]]:
    """Of each class but normal its column and name, the frames (F,) at or above the threshold, and their scores (F,).

    `of_class` has the thresholds of classes with one of their own.
    """
    table = file.scores
    if table is None:
        raise UserError("{path} has embeddings only, no scores.", "Score the study with a classifier.", file.path)
    for column, name in enumerate(file.header.classes):
        if name != NORMAL:
            rows = np.flatnonzero(flagged_frames(table[:, column], of_class.get(name, threshold)))
            yield column, name, file.frame_index[rows], table[rows, column]


def cam_boxes(file: EmbeddingFile, frames: NDArray[np.int64], column: int, study_id: str) -> dict[int, BoxRow | None]:
    """The box around the largest part of each frame's CAM that has half of its maximum; None where there is no CAM."""
    view, cams = field_of_view_of(file), file.cams
    result: dict[int, BoxRow | None] = dict.fromkeys(frames.tolist())
    if view is None or cams is None or column >= cams.shape[1]:
        return result
    rows = np.searchsorted(file.frame_index, frames)
    for frame, row in zip(frames.tolist(), rows.tolist(), strict=True):
        if row >= len(file) or file.frame_index[row] != frame:
            continue
        overlay = paste_map(explanation.normalise_cam(cams[row, column]), view, view.height_px, view.width_px)
        boxes = explanation.weak_boxes(overlay, most=1)
        if boxes:
            left, top, right, bottom = boxes[0].corners
            result[frame] = BoxRow(
                study_id=study_id, frame_index=frame, x_min=left, y_min=top, x_max=right, y_max=bottom,
                label=file.header.classes[column],
            )  # fmt: skip
    return result


def scores_of(study: StudyEntry, folder: Path, model_sha256: str = "") -> EmbeddingFile | None:
    """The finished scores of a study, open; None where there are none for its video as it is now.

    The folder holds embedding files, or a folder of them for each study, named by its id; without a digest of the
    classifier the first file by name counts.
    """
    contents = fingerprints_of(study.path)
    for place in (folder / study.study_id, folder):
        for path in sorted(place.glob("*.h5")):
            try:
                file = EmbeddingFile.open(path)
            except UserError:
                continue
            header = file.header
            is_wanted = model_sha256 in ("", header.model_sha256) and header.video_fingerprint in contents
            if is_wanted and header.classes and file.scores is not None:
                return file
            file.close()
    return None


def _boxed(study: StudyEntry, start: int, stop: int, label: str, finding: str, boxes: Mapping[int, BoxRow]) -> Visit:
    """A visit whose scores are those of its boxes, in the order of time."""
    in_order = {frame: boxes[frame] for frame in sorted(boxes)}
    return Visit(study, start, stop, label, finding, in_order, {frame: box.score for frame, box in in_order.items()})


def _tracks(study: StudyEntry, boxes: Sequence[BoxRow], settings: TrackerSettings) -> Iterator[list[BoxRow]]:
    """The boxes of each track of a study."""
    rows = [box for box in boxes if box.study_id == study.study_id]
    if not rows:
        return
    places = np.array([(box.x_min, box.y_min, box.x_max, box.y_max) for box in rows], np.float64)
    frames = np.array([box.frame_index for box in rows], np.int64)
    tracks = track_boxes(frames, places, np.array([box.score for box in rows], np.float64), settings)
    for track in range(int(tracks.max(initial=-1)) + 1):
        yield [rows[at] for at in np.flatnonzero(tracks == track)]


def _track_visit(study: StudyEntry, track: Sequence[BoxRow], label: str, finding: str) -> Visit:
    at = {box.frame_index: box for box in track}
    return _boxed(study, min(at), max(at) + 1, label, finding, at)


def without_overlaps(visits: Sequence[Visit]) -> list[Visit]:
    """The tracklets of one study, in order; of those of a finding that overlap in time those with more boxes."""
    kept: list[Visit] = []
    for visit in sorted(visits, key=lambda each: -len(each.boxes)):
        if not any(
            other.finding == visit.finding and other.start < visit.stop and visit.start < other.stop for other in kept
        ):
            kept.append(visit)
    return sorted(kept, key=lambda each: (each.start, each.stop))
