"""The reading protocol: whether flags are hidden, and by which protocols a study was read."""

from wce_desktop.core import percent, tr
from wce_desktop.core.annotation.landmark import small_bowel
from wce_desktop.core.span import Span
from wce_desktop.session.reading import Reading
from wce_desktop.session.settings import PROTOCOLS
from wce_desktop.session.state import SessionState

FIRST_PASS = "first pass finished"


def share_seen(reading: Reading) -> float:
    """The share of the small bowel that was seen, in [0, 1]; of the study where its landmarks are not set."""
    within = small_bowel(reading.entries.landmarks, reading.frame_count) or Span(0, reading.frame_count)
    read, count = reading.count_read(within)
    return read / count if count else 1.0


def hides_flags(session: SessionState, reading: Reading) -> bool:
    """Whether the protocol is *unaided first* and its first pass is not finished."""
    if session.settings["protocol"] != "unaided" or reading.study.state == "finished" or share_seen(reading) == 1.0:
        return False
    steps = session.library.annotations.protocols(reading.study.study_id)
    return all(what != FIRST_PASS for _, what, _ in steps)


def note(session: SessionState, reading: Reading, what: str = "") -> None:
    """Record that the study is read by the protocol of the settings, where the last record says otherwise.

    Args:
        what: record this instead, once.
    """
    steps = session.library.annotations.protocols(reading.study.study_id)
    said, protocol = [each for _, each, _ in steps], str(session.settings["protocol"])
    chosen = [each for each in said if each != FIRST_PASS]
    is_new = what not in said if what else not chosen or chosen[-1] != protocol
    if is_new and not session.library.read_only:
        session.library.annotations.note_protocol(reading.study.study_id, what or protocol, share_seen(reading))


def protocol_words(session: SessionState, reading: Reading) -> str:
    """ "Unaided first; first pass finished 2026-11-29 with 98 % seen"; empty where no frame was seen."""
    words = []
    for when, what, share in session.library.annotations.protocols(reading.study.study_id):
        if what == FIRST_PASS:
            words.append(tr("first pass finished {day} with {share} seen", day=when[:10], share=percent(share)))
        elif not words:
            words.append(tr(PROTOCOLS.get(what, what)))
        else:
            name = tr(PROTOCOLS.get(what, what))
            words.append(
                tr("changed to {name} {day} with {share} seen", name=name, day=when[:10], share=percent(share))
            )
    return "; ".join(words)
