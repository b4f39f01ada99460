"""What was not seen of a study that is not open."""

from typing import NamedTuple

from wce_desktop.core.annotation.landmark import small_bowel
from wce_desktop.core.seen import Seen
from wce_desktop.core.span import Span
from wce_desktop.session.completeness.still_open import still_open
from wce_desktop.session.flags import Flags
from wce_desktop.session.reading import Entries, Place, Reading
from wce_desktop.session.session import Session


class Left(NamedTuple):
    """The flags that finishing the reading would name, at the threshold of the study, and what was seen of the study
    and of the small bowel, if its landmarks are set."""

    flags: int
    study: Seen
    bowel: Seen | None


def count_left(session: Session, study_id: str) -> Left | None:
    """What is left of a study; None where it has no scores.

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
    landmarks = list(library.annotations.landmarks(study_id))
    entries = Entries(frames, library.annotations.label_track(study_id), landmarks=landmarks)
    reading = Reading(study, index, entries, flags, Place(), seen.to_mask(frames), fast.to_mask(frames))
    file, scores = loaded
    with file:
        flags.set_scores(scores, file)
        bowel = small_bowel(landmarks, frames)
        whole, of_bowel = reading.seen_in(Span(0, frames)), None if bowel is None else reading.seen_in(bowel)
    return Left(still_open(reading).unseen_flags, whole, of_bowel)
