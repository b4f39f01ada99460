"""Tracklets of boxes, and each of them cut into two visits of its own finding.

Intrator et al. 2023 (section 2.2) cut a tracklet in three and leave the middle out, so that the first and the last part
show one finding at different times. They train on such pairs. Ours: where no finding is annotated, they are evaluated.
"""

from collections import defaultdict
from collections.abc import Sequence

from training.datasets.findings import BoxRow
from training.datasets.labels import LabelRow
from training.datasets.manifest import Manifest, StudyEntry
from training.reidentification.byte_track import TrackerSettings
from training.reidentification.visits import Visit, finding_names, named_visit, unnamed_visits


def tracks_in_spans(
    manifest: Manifest,
    boxes: Sequence[BoxRow],
    settings: TrackerSettings,
    fewest_boxes: int,
    labels: Sequence[LabelRow] = (),
) -> list[Visit]:
    """The tracklets of ByteTrack with so many boxes, study by study; none leaves a span or changes its class.

    Where the frames of a study are not all successive, its spans are the runs that are. A tracklet has the finding that
    most of its boxes show, if boxes or labels name any.
    """
    finding_of = finding_names(labels)
    by_study: dict[str, list[BoxRow]] = defaultdict(list)
    for box in boxes:
        by_study[box.study_id].append(box)
    return [
        named_visit(visit, finding_of)
        for study in manifest.studies
        for part in _parts(study, by_study[study.study_id])
        for visit in unnamed_visits(study, part, settings, fewest_boxes)
    ]


def _parts(study: StudyEntry, boxes: Sequence[BoxRow]) -> list[list[BoxRow]]:
    """The boxes of each span and class, in order; those outside all spans are left out."""
    parts: dict[tuple[int, str], list[BoxRow]] = defaultdict(list)
    for box in boxes:
        spans = [at for at, span in enumerate(study.spans) if span.start <= box.frame_index < span.stop]
        if spans or not study.spans:
            parts[spans[0] if spans else 0, box.label].append(box)
    return [parts[key] for key in sorted(parts)]


def two_visits(visit: Visit, finding: str) -> tuple[Visit, Visit]:
    """The first and the last third of the boxes, at least three, of a tracklet, as two visits of one finding."""
    frames = sorted(visit.boxes)
    third = len(frames) // 3
    return _of(visit, frames[:third], finding), _of(visit, frames[-third:], finding)


def _of(visit: Visit, frames: Sequence[int], finding: str) -> Visit:
    boxes = {frame: visit.boxes[frame] for frame in frames}
    scores = {frame: visit.scores[frame] for frame in frames}
    return Visit(visit.study, frames[0], frames[-1] + 1, visit.label, finding, boxes, scores)
