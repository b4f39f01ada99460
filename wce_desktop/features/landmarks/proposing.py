"""Landmarks proposed from the organs that all frames of a study show; runs in a thread, no Qt.

The linear head is learned from the library's studies whose small bowel and colon are both set, once there are
`LEAST_STUDIES`, else it is the shipped one of the model's network, which was learned from synthetic studies.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from training.embeddings.file import EmbeddingFile
from training.embeddings.organs import ORGANS, Learned, borders_in, learn_head, read_head
from wce_desktop.core.annotation.landmark import Region, first_frames, regions
from wce_desktop.session.places import resources_folder
from wce_desktop.session.session import Session

PROPOSED = (Region.SMALL_BOWEL, Region.COLON)
"""What begins with a border between two organs."""
LEAST_STUDIES = 3
Check = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Where a landmark is likely to be, and the first and last frame where it may be."""

    frame_index: int
    earliest: int
    latest: int
    studies: int
    """From how many studies of the library the organs were learned; 0: from synthetic ones."""


def learned_studies(session: Session) -> tuple[Learned, ...]:
    """All other recordings with small bowel and colon, scored by the model in use; none where they are too few."""
    reading, model_id = session.opened(), session.model_id
    own, result = reading.study.second_of or reading.study.study_id, []
    for study in session.library.studies.all():
        files = session.files(study)
        if own in (study.study_id, study.second_of) or not files.has_scores(model_id):
            continue
        landmarks = session.library.annotations.landmarks(study.study_id)
        if set(PROPOSED) <= first_frames(landmarks).keys():
            organs = np.full(study.frame_count, -1)
            for region, span in regions(landmarks, study.frame_count):
                if region.value in ORGANS:
                    organs[span.start : span.stop] = ORGANS.index(region.value)
            result.append(Learned(files.scores_path(model_id), study.fingerprint, organs))
    return tuple(result) if len(result) >= LEAST_STUDIES else ()


def shipped_head(model_sha256: str) -> Path:
    """Where the shipped head of a model lies, if there is one."""
    return resources_folder() / "organs" / f"{model_sha256}.npz"


def propose(
    file: EmbeddingFile, learned: Sequence[Learned], region: Region, start: int, stop: int, check: Check
) -> Proposal | None:
    """Where the organs put a landmark; None where they say that the recording does not show it.

    Args:
        file: of the study.
        learned: the studies to learn from; none: the shipped head.
        region: one of `PROPOSED`.
        start, stop: frames in question, between the landmarks that are set.
        check: raises when this shall stop.
    """
    head = learn_head(learned, check) if learned else read_head(shipped_head(file.header.model_sha256))
    border = borders_in(file, head, check)[ORGANS.index(region.value) - 1]
    if not 0 < border.row < len(file):
        return None
    frames = file.frame_index[np.minimum([border.row, border.low, border.high], len(file) - 1)]
    frame, earliest, latest = (int(each) for each in frames)
    if not start <= frame < stop:
        return None
    return Proposal(frame, max(earliest, start), min(latest, stop - 1), len(learned))
