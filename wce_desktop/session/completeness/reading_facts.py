"""How far a study that is not open was read, and what the blood indicator marks in it."""

from dataclasses import dataclass

import numpy as np

from wce_desktop.core.annotation.landmark import small_bowel
from wce_desktop.core.blood import is_suspected
from wce_desktop.core.seen import Seen
from wce_desktop.session.completeness.protocol import frames_of_first_pass
from wce_desktop.session.completeness.still_open import still_open
from wce_desktop.session.flags import Flags
from wce_desktop.session.reading import Entries, Place, Reading
from wce_desktop.session.session import Session


@dataclass(frozen=True, slots=True)
class ReadingFacts:
    """Of one study.

    Attributes:
        flags_left: flags that finishing the reading would name, at the threshold of the study; None while they are
            hidden.
        study: how much of it was seen.
        bowel: the same of the small bowel; None without its landmarks.
        blood: frames that the blood indicator marks; None where it was not computed.
        is_blood_suspected: see `core.blood.is_suspected`.
    """

    flags_left: int | None
    study: Seen
    bowel: Seen | None = None
    blood: int | None = None
    is_blood_suspected: bool = False


def reading_facts(session: Session, study_id: str) -> ReadingFacts | None:
    """The facts of a study; None where it has no scores.

    Reads the files of the study, so a window asks in another thread.
    """
    library = session.library
    study = library.studies.get(study_id)
    files = session.files(study)
    index = files.load_index(study.fingerprint)
    loaded = None if index is None else files.load_scores(session.model_id, len(index))
    if index is None or loaded is None:
        return None
    frames = len(index)
    threshold = session.settings["threshold"] if study.threshold is None else study.threshold
    flags = Flags(frames, threshold, session.settings["max_gap_frames"], study.lowest_threshold)
    seen, fast = library.annotations.seen(study_id), library.annotations.fast(study_id)
    landmarks = library.annotations.landmarks(study_id)
    findings = list(library.annotations.findings(study_id))
    entries = Entries(frames, library.annotations.label_track(study_id), findings, landmarks=list(landmarks))
    reading = Reading(study, index, entries, flags, Place(), seen.to_mask(frames), fast.to_mask(frames))
    file, scores = loaded
    flags.confirmed = frames_of_first_pass(session, reading)
    with file:
        flags.set_scores(scores, file)
        bowel, marked = small_bowel(landmarks, frames), reading.marked_as_blood
        return ReadingFacts(
            None if files.is_hidden else still_open(reading).unseen_flags,
            reading.seen_in(),
            None if bowel is None else reading.seen_in(bowel),
            None if marked is None else int(np.count_nonzero(marked)),
            marked is not None and is_suspected(marked),
        )
