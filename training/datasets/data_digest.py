"""A digest of the frames and labels that were used, for cards; names and places of files do not count."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import StudyEntry
from training.errors import UserError
from training.video.formats import fingerprint

Row = tuple[int, int, int, str]
"""Study, first frame, the frame after the last one, label."""


def data_digest(recordings: Mapping[int, str], rows: Iterable[Row]) -> str:
    """SHA-256 of frames with labels in any order; the recording of a study is named by its fingerprint."""
    lines = sorted(f"{recordings[study]} {start} {stop} {label}" for study, start, stop, label in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def labelled_digest(frames: LabelledFrames, *negatives: LabelledFrames) -> str:
    """The digest of labelled frames, and of `negatives`: frames of the same studies on which a class is not there."""
    rows: list[Row] = []
    for prefix, part in (("", frames), *(("not ", part) for part in negatives)):
        columns = zip(part.study.tolist(), part.frame_index.tolist(), part.label.tolist(), strict=True)
        rows += [(study, at, at + 1, prefix + part.classes[label]) for study, at, label in columns]
    return data_digest(recordings_of(dict(enumerate(frames.studies)), {row[0] for row in rows}), rows)


def recordings_of(studies: Mapping[int, StudyEntry], used: Iterable[int]) -> dict[int, str]:
    """The fingerprint of each used study."""
    return {number: studies[number].fingerprint or content_of(studies[number].path) for number in used}


def content_of(path: Path) -> str:
    """The fingerprint of a recording; empty where it can no longer be read, which must not end a training."""
    try:
        return fingerprint(path)
    except UserError:
        return ""
