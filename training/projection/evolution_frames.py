"""Which frames an evolution follows: a sample over all studies, in which rare labels stay."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames, check_ends
from training.datasets.labels import LabelRow, read_labels
from training.datasets.manifest import Manifest, StudyEntry, check_spans, load_manifest
from training.errors import UserError
from training.projection.sampling import frame_labels, sample_frames
from training.runs.reporter import Reporter


def sampled_frames(studies: Path, labels: Path | None, count: int, seed: int, reporter: Reporter) -> LabelledFrames:
    """At most `count` frames, sorted by study and time.

    Their label is a row of `classes`, or -1 for none: the last class is "", which is what -1 then names.

    Raises:
        UserError: a manifest, labels or a study that cannot be read, or a manifest without frames.
    """
    manifest = load_manifest(studies)
    given = read_labels(labels) if labels else []
    frames = _frames(manifest, given, reporter)
    total = sum(map(len, frames.values()))
    if not total:
        raise UserError(f"{studies} names no frames.", "Give at least one study.")
    names, of_study = frame_labels(given, frames)
    study = np.repeat(np.arange(len(frames)), [len(each) for each in frames.values()])
    frame_index, label = np.concatenate(list(frames.values())), np.concatenate(list(of_study.values()))
    taken = sample_frames(label, count, np.random.default_rng(seed))
    return LabelledFrames(
        manifest.studies, (*names, ""), study[taken], frame_index[taken], label[taken].astype(np.int64)
    )


def _frames(manifest: Manifest, labels: Sequence[LabelRow], reporter: Reporter) -> dict[str, NDArray[np.int64]]:
    """Study -> its frames inside the spans, ascending."""
    from training.video import open_source

    frames = {}
    for number, study in enumerate(manifest.studies):
        reporter.check()
        reporter.progress(number, len(manifest.studies), "studies", "reading the studies")
        with open_source(study.path) as source:
            check_spans(study.study_id, study.spans, len(source))
            check_ends(labels, {study.study_id: len(source)})
            frames[study.study_id] = _inside(study, len(source))
    return frames


def _inside(study: StudyEntry, count: int) -> NDArray[np.int64]:
    inside = np.full(count, not study.spans)
    for span in study.spans:
        inside[span.start : span.stop] = True
    return np.flatnonzero(inside)
