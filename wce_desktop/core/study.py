"""A study: one recording of one patient, with its reading progress."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from training.video import FIRST_NUMBERING
from wce_desktop.core.identity import is_random_id
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.span import Span

_RANDOM = re.compile(r"p-[0-9a-f]{16}")
"""What a library calls the patient of a new study."""
StudyState = Literal["new", "scored", "reading", "finished"]
STATES: tuple[StudyState, ...] = get_args(StudyState)

_STATES_SHOWN = {
    "new": to_translate("new"),
    "scored": to_translate("scored"),
    "reading": to_translate("in reading"),
    "finished": to_translate("finished"),
}


@dataclass(frozen=True, slots=True)
class Study:
    """One study as stored in the library; an immutable value, so read it again after a change.

    Args:
        study_id: safe as a folder's name; what exported files call the study.
        patient_id: a pseudonym; the studies of one patient are never on both sides of a split.
        name: what the list shows; never exported.
        path: the video file or the folder of images.
        fingerprint: of the content, so that a moved file is found again.
        frame_count: frames that the packets announce; 0 while not yet counted.
        duration_seconds: time of the last frame.
        last_frame: where reading stopped.
        threshold: as last set for this study, or None for the application's default.
        lowest_threshold: at which flags were shown while frames were looked at, or None for the present one.
        model_id: whose scores are shown, or None.
        seen_frames: how many frames were on screen long enough.
        created_utc: ISO 8601.
        runs: stretches in which each frame follows the one before in time; None: all of the study is one, as a video
            is; none at all: stills.
        pseudonym: what the reader calls the patient (see `Record`), or empty; never exported.
        exam_date: of the examination, as YYYY-MM-DD, or empty.
        second_of: the study of which this is the reading of a second reader, or None.
        read_by: who reads it, as the patient record says, or empty.
        removed_utc: when it was removed, or empty; see `Record`.
        numbering: the rules by which its frames are numbered (see `training.video.build_index`); None: those before
            there were several.
        source: the device or data set that the frames come from, where an import said it; a model is also evaluated
            within each source.
    """

    study_id: str
    patient_id: str
    name: str
    path: Path
    fingerprint: str = ""
    frame_count: int = 0
    duration_seconds: float = 0.0
    state: StudyState = "new"
    last_frame: int = 0
    threshold: float | None = None
    lowest_threshold: float | None = None
    model_id: str | None = None
    seen_frames: int = 0
    created_utc: str = ""
    runs: tuple[Span, ...] | None = None
    pseudonym: str = ""
    exam_date: str = ""
    second_of: str | None = None
    read_by: str = ""
    numbering: int | None = None
    source: str = ""
    removed_utc: str = ""

    def __post_init__(self) -> None:
        if self.state not in STATES:
            raise ValueError(f"a study is one of {', '.join(STATES)}, not {self.state!r}")
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise ValueError(f"a threshold lies in [0, 1], not at {self.threshold}")

    @property
    def title(self) -> str:
        """The patient, where one is entered, and the name: of windows; never exported."""
        return ", ".join(filter(None, (self.pseudonym, self.name)))

    @property
    def recording_id(self) -> str:
        """The study whose files (index, scores) are those of this recording."""
        return self.second_of or self.study_id

    @property
    def frame_numbering(self) -> int:
        """`numbering`, as a number."""
        return FIRST_NUMBERING if self.numbering is None else self.numbering

    @property
    def second_reader(self) -> str:
        """The name of the second reader; empty for the first reading."""
        return self.read_by if self.second_of else ""

    @property
    def seen_share(self) -> float:
        """Share of the frames that were seen, in [0, 1]; 0 while the frames are not yet counted."""
        return min(1.0, self.seen_frames / self.frame_count) if self.frame_count else 0.0

    @property
    def name_parts(self) -> tuple[str, ...]:
        """Patient, date and name, as far as they were entered; without a patient the name stands first."""
        parts = (self.pseudonym, self.exam_date, self.name) if self.pseudonym else (self.name, self.exam_date)
        return tuple(filter(None, parts))

    @property
    def shown_name(self) -> str:
        """What a study is called wherever patient and date do not stand beside its name."""
        return " · ".join(self.name_parts)

    @property
    def state_text(self) -> str:
        """The state as the list of studies shows it."""
        return tr(_STATES_SHOWN[self.state])


def advance(state: StudyState, to: StudyState) -> StudyState:
    """The later of two states: scoring a study that is being read does not reset it."""
    return max(state, to, key=STATES.index)


def readable_name(path: Path, taken: Collection[str]) -> str:
    """A name for a study that was given none: that of its file, which a reader knows.

    Where another study has this name, the folder's name stands behind it: many devices call every file alike. A file
    that is called by an id, or whose names are taken, gets a number.
    """
    stem = "" if is_random_id(path.stem) else path.stem
    for name in (stem, f"{stem} ({path.parent.name})" if stem and path.parent.name else ""):
        if name and name not in taken:
            return name
    base, number = stem or "Study", 1 if not stem else 2
    while f"{base} {number}" in taken:
        number += 1
    return f"{base} {number}"


def names_apart(studies: Sequence[Study]) -> dict[str, str]:
    """Study id -> name; of several studies of one name each with the place of its file."""
    count = Counter(study.shown_name for study in studies)
    return {
        study.study_id: tr("{study} ({file})", study=name, file=Path(study.path.parent.name, study.path.name))
        if count[name := study.shown_name] > 1
        else name
        for study in studies
    }


def without_patient(studies: Iterable[Study]) -> frozenset[str]:
    """The ids of studies whose patient was neither entered, nor imported, nor joined with that of another study.

    Args:
        studies: all of a library; readings by a second reader do not count.
    """
    own = [study for study in studies if study.second_of is None]
    shared = Counter(study.patient_id for study in own)
    return frozenset(
        study.study_id
        for study in own
        if not study.pseudonym and shared[study.patient_id] == 1 and _RANDOM.fullmatch(study.patient_id)
    )
