"""The reading protocol: whether flags are hidden, and by which protocols a study was read."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from wce_desktop.core import percent, to_translate, tr
from wce_desktop.core.annotation.landmark import small_bowel
from wce_desktop.core.seen import seen_in
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.core.visible_mucosa import frames_with_view
from wce_desktop.session.flags import Flags
from wce_desktop.session.settings import PROTOCOLS
from wce_desktop.session.study_files import StudyFiles

if TYPE_CHECKING:
    from wce_desktop.session.reading import Reading
    from wce_desktop.session.state import SessionState

FIRST_PASS = "first pass finished"
HIDDEN = to_translate("Suggestions are hidden until the first pass is finished.")


def share_seen(session: SessionState, study: Study) -> float:
    """The share that was seen and saved of what is to be read, in [0, 1]: of the small bowel, or of the study.

    Without its landmarks the study counts. Frames without visible mucosa are not to be read; blood marks, which the
    protocol may hide, are left aside.
    """
    stored, frames = session.library.annotations, study.frame_count
    within = small_bowel(stored.landmarks(study.study_id), frames) or Span(0, frames)
    seen = seen_in(stored.seen(study.study_id).to_mask(frames), _has_view(session, study), within)
    return seen.seen / seen.frames if seen.frames else 1.0


def _has_view(session: SessionState, study: Study) -> NDArray[np.bool_]:
    """(N,) bool: see `Flags.has_view`."""
    reading = session.reading
    if reading is not None and reading.study.study_id == study.study_id:  # in memory: this is asked at every save
        visible = reading.flags.visible_mucosa
        return np.ones(study.frame_count, np.bool_) if visible is None else frames_with_view(visible)
    with suppress(UserError, OSError):  # without its folder or scores nothing is known of the frames
        folder = session.library.studies.folder(study.recording_id)
        written = StudyFiles(folder).scores_path(session.model_id).stat().st_mtime_ns
        return _view_in(folder, study.fingerprint, session.model_id, study.frame_count, written)
    return np.ones(study.frame_count, np.bool_)


@lru_cache(maxsize=8)
def _view_in(folder: Path, fingerprint: str, model_id: str, frames: int, written: int) -> NDArray[np.bool_]:
    """The same, of scores that were `written` then."""
    flags, loaded = (
        Flags(frames, 1.0, 0),
        StudyFiles(folder, fingerprint, hides=lambda: True).load_scores(model_id, frames),
    )
    if loaded is not None:
        with loaded[0] as file:
            flags.set_scores(None, file)
            return flags.has_view
    return flags.has_view


def hides_flags(session: SessionState, study: Study) -> bool:
    """Whether the protocol is *unaided first* and its first pass of the study is not finished; in any thread."""
    if session.settings["protocol"] != "unaided" or study.state == "finished":
        return False
    steps = session.library.annotations.protocols(study.study_id)
    return all(what != FIRST_PASS for _, what, _ in steps) and share_seen(session, study) < 1.0


def protocol_of(session: SessionState, study: Study) -> str:
    """The protocol by which the study was read last; that of the settings where no frame was seen."""
    steps = session.library.annotations.protocols(study.study_id)
    chosen = [what for _, what, _ in steps if what != FIRST_PASS]
    return chosen[-1] if chosen else str(session.settings["protocol"])


def note(session: SessionState, study: Study, what: str = "") -> None:
    """Record that the study is read by the protocol of the settings, where the last record says otherwise.

    Args:
        what: record this, too, once.
    """
    if session.library.read_only:
        return
    if what:
        note(session, study)
    steps = session.library.annotations.protocols(study.study_id)
    chosen, protocol = [each for _, each, _ in steps if each != FIRST_PASS], str(session.settings["protocol"])
    is_new = all(each != what for _, each, _ in steps) if what else not chosen or chosen[-1] != protocol
    if is_new:
        session.library.annotations.note_protocol(study.study_id, what or protocol, share_seen(session, study))


def frames_of_first_pass(session: SessionState, reading: Reading) -> NDArray[np.bool_] | None:
    """(N,) bool: the frames of findings that were entered before the first pass was finished; None without one."""
    steps = session.library.annotations.protocols(reading.study.study_id)
    until = next((when for when, what, _ in steps if what == FIRST_PASS), None)
    if until is None:
        return None
    frames = np.zeros(reading.frame_count, dtype=bool)
    for finding in reading.entries.findings:
        if finding.when_utc <= until and not finding.model_id:
            frames[finding.span.start : finding.span.stop] = True
    return frames


def protocol_words(session: SessionState, study: Study) -> str:
    """ "Unaided first; first pass finished 2026-11-29 with 98 % seen"; empty where no frame was seen."""
    words = []
    for when, what, share in session.library.annotations.protocols(study.study_id):
        name = tr(PROTOCOLS.get(what, what))
        if what == FIRST_PASS:
            words.append(tr("first pass finished {day} with {share} seen", day=when[:10], share=percent(share)))
        elif not words:
            words.append(name)
        else:
            words.append(
                tr("changed to {name} {day} with {share} seen", name=name, day=when[:10], share=percent(share))
            )
    return "; ".join(words)
