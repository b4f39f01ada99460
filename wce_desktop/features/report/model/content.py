"""What a report says, as the template sees it: texts only, so that a template cannot reach anything else."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

DISCLAIMER = "Research use only – not for diagnosis"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: what it is, and what is known of it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A key frame of a finding.

    Attributes:
        frame_index: of the study.
        caption: frame number and time.
        is_missing: whether the frame cannot be decoded; there is no picture then.
    """

    frame_index: int
    caption: str
    is_missing: bool = False

    @property
    def src(self) -> str:
        """For the template's `<img>`: a name that is replaced by the picture itself."""
        return f"picture:{self.frame_index}"


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """One finding.

    Attributes:
        number: counted from 1 in order of time.
        title: its kind.
        place: when, and in which region.
        rows: what was entered of it.
        comment: the reader's words; free text.
    """

    number: int
    title: str
    place: str
    rows: tuple[Row, ...]
    comment: str
    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """One score of a calculator with everything it was computed from."""

    title: str
    value: str
    meaning: str
    inputs: tuple[Row, ...]
    formula: str
    source: str


@dataclass(frozen=True, slots=True)
class Signature:
    """Who signed, when (local time), which version, and what was acknowledged."""

    reader: str
    when: str
    version: int
    acknowledged: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A report; its fields are what a template may use.

    Attributes:
        is_teaching: whether it is the version without names and dates.
        patient, examination: the patient record, lines with something in them only.
        adequacy: whether the preparation was adequate, in words, with what says so; empty where nothing was entered.
        transit: transit times.
        transit_notes: sentences such as that the caecum was not reached.
        summary, recommendation: the reader's words; free text.
        model: which model, threshold and version flagged frames.
        reading: how much was read and how fast.
        links: places linked with other studies, a sentence each.
        note: what must be said beside the scores of this model; empty for most.
        reader: who reads the study.
        signature: None until it is signed.
        program: name and version of this program.
    """

    is_teaching: bool
    patient: tuple[Row, ...]
    examination: tuple[Row, ...]
    adequacy: str
    transit: tuple[Row, ...]
    transit_notes: tuple[str, ...]
    findings: tuple[FindingEntry, ...]
    scores: tuple[ScoreEntry, ...]
    summary: str
    recommendation: str
    model: tuple[Row, ...]
    reading: tuple[Row, ...]
    links: tuple[str, ...]
    note: str
    reader: str
    signature: Signature | None
    program: str
    disclaimer: str = DISCLAIMER

    @property
    def frames(self) -> tuple[int, ...]:
        """The frames whose pictures it shows, each once, in order."""
        return tuple(sorted({each.frame_index for one in self.findings for each in one.pictures}))

    def without(self, missing: Collection[int]) -> Report:
        """The same report, saying of these frames that they cannot be decoded."""
        if not missing:
            return self

        def marked(finding: FindingEntry) -> FindingEntry:
            pictures = (replace(one, is_missing=one.frame_index in missing) for one in finding.pictures)
            return replace(finding, pictures=tuple(pictures))

        return replace(self, findings=tuple(marked(finding) for finding in self.findings))
