"""Thresholds from the frames that readers of this library confirmed as normal, for a device that the card lacks.

They are those labelled as normal and, of finished readings, those that were seen and not labelled. A study counts where
at least half of it was confirmed, since readers who went to the flags only confirmed frames of high scores: among the
frames that are left no more than as many again could reach a threshold. Patients whose frames the model was trained on
do not count: such frames score too low.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.metrics.operating_points import RATES, threshold_at
from training.runs.provenance import patients_seen
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.rates import FEWEST_FRAMES, Stated
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.study import Study
from wce_desktop.library import Library, Model
from wce_desktop.library.exchange.exporting import implicit_normals
from wce_desktop.library.run_files import read_card
from wce_desktop.session.study_files import StudyFiles

LEAST_SHARE = 0.5
FEWEST_STUDIES = 3
"""Frames of a single other patient flag about twice as many normal frames as stated (docs/results/models.md)."""
MOST_STUDIES, MOST_OF_STUDY = 10, 2000
"""The newest studies, and frames evenly over each: enough for 0.5 of 1,000."""


def stated_by_library(library: Library, model: Model, study: Study) -> Stated | None:
    """From the studies of the same source; from this study alone where the source is not known, or they are fewer than
    `FEWEST_STUDIES`.

    None with fewer than `FEWEST_FRAMES` frames. Reads files, at most `MOST_STUDIES`.
    """
    try:
        learned = patients_seen(read_card(model))
    except UserError:
        return None
    studies = [study]
    if study.source:
        others = [each for each in library.studies.all() if each.source == study.source]
        others = [each for each in others if each.recording_id != study.recording_id]  # a second reading is its own
        studies += sorted(others, key=lambda each: each.created_utc, reverse=True)
    found = dict[str, dict[str, NDArray[np.float32]]]()
    for each in studies:
        if each.patient_id not in learned and (tracks := _confirmed(library, model, each)):
            found[each.study_id] = tracks
        if len(found) == MOST_STUDIES:
            break
    own = [found[study.study_id]] if study.study_id in found else []
    parts = own if len(found) < FEWEST_STUDIES else list(found.values())
    frames = sum(len(next(iter(part.values()))) for part in parts)
    if frames < FEWEST_FRAMES:
        return None
    every = {name: np.concatenate([part[name] for part in parts]) for name in model.classes if name != NORMAL}
    thresholds = {name: _rates(track) for name, track in every.items()}
    return Stated(thresholds, frames, len(parts))


def _rates(track: NDArray[np.float32]) -> dict[float, float]:
    return {rate: threshold for rate in RATES if (threshold := threshold_at(track, rate)) is not None}


def _confirmed(library: Library, model: Model, study: Study) -> dict[str, NDArray[np.float32]]:
    """Class -> scores of the confirmed normal frames; empty where too little was confirmed, or nothing is scored."""
    spans = _normal_spans(library, study)
    if sum(map(len, spans)) < LEAST_SHARE * study.frame_count:
        return {}
    files = StudyFiles(library.studies.folder(study.recording_id), study.fingerprint)
    try:
        with files.open_embeddings(files.scores_path(model.model_id)) as file:
            rows = np.flatnonzero(SpanSet(spans).to_mask(study.frame_count)[file.frame_index])
            rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), MOST_OF_STUDY)).astype(np.int64))]
            values = file.scores
            if values is None or file.header.classes != model.classes:
                return {}
            values = values[rows]
    except (UserError, IndexError):
        return {}
    values = values[~np.isnan(values).any(axis=1)]
    return {name: values[:, column] for column, name in enumerate(model.classes) if name != NORMAL and len(values)}


def _normal_spans(library: Library, study: Study) -> list[Span]:
    labelled: Iterable[Span] = (
        label.span
        for label in library.annotations.labels(study.study_id)
        if label.name == NORMAL and not label.is_from_rejecting
    )
    return [*labelled, *(Span(row.start, row.stop) for row in implicit_normals(library, study))]
