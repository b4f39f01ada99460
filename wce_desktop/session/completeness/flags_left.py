"""How many flags of a study that is not open were neither seen nor answered."""

from wce_desktop.session.completeness.protocol import frames_of_first_pass
from wce_desktop.session.completeness.still_open import still_open
from wce_desktop.session.flags import Flags
from wce_desktop.session.reading import Entries, Place, Reading
from wce_desktop.session.session import Session


def count_flags_left(session: Session, study_id: str) -> int | None:
    """The flags that finishing the reading would name, at the threshold of the study; None where it has no scores.

    Reads the files of the study, so a window asks in another thread.
    """
    library = session.library
    study = library.studies.get(study_id)
    files = session.files(study)
    index = files.load_index(study.fingerprint)
    scores = None if index is None else files.read_scores(session.model_id, len(index))
    if index is None or scores is None:
        return None
    frames = len(index)
    threshold = session.settings["threshold"] if study.threshold is None else study.threshold
    flags = Flags(frames, threshold, session.settings["max_gap_frames"], study.lowest_threshold)
    seen, fast = library.annotations.seen(study_id), library.annotations.fast(study_id)
    findings = list(library.annotations.findings(study_id))
    entries = Entries(frames, library.annotations.label_track(study_id), findings)
    reading = Reading(study, index, entries, flags, Place(), seen.to_mask(frames), fast.to_mask(frames))
    flags.confirmed = frames_of_first_pass(session, reading)
    flags.set_scores(scores, None)
    return still_open(reading).unseen_flags
