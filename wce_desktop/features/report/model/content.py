"""What a report says, as the template sees it: texts only, so that a template cannot reach anything else."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from wce_desktop.core.language import to_translate, tr

MOST_PICTURES = 4
"""Of a finding; more do not fit beside each other on a page."""
LARGEST_PX = 180
"""Side of a large picture on a page, in px of CSS (48 mm), where there is room."""
DISCLAIMER = to_translate("Research use only – not for diagnosis")


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
        pictures: of the frames that stand for it; of more than a page shows `Report.collapsed` leaves the first.
        more_frames: further key frames without a picture.
    """

    number: int
    title: str
    place: str
    rows: tuple[Row, ...]
    comment: str
    pictures: tuple[Picture, ...]
    more_frames: int = 0


@dataclass(frozen=True, slots=True)
class LandmarkEntry:
    """One landmark: the region that begins there, and its picture."""

    title: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """One score of a calculator with everything it was computed from, and sentences that must stand beside it."""

    title: str
    value: str
    meaning: str
    inputs: tuple[Row, ...]
    formula: str
    source: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """Who signed, when (local time), which version, what was acknowledged, and the key's fingerprint."""

    reader: str
    when: str
    version: int
    acknowledged: tuple[str, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Amendment:
    """What an amended report says at its head.

    Attributes:
        version, when, signed_by: of the version that it replaces.
        reader: who amends.
        reason: why, in the reader's words; free text.
        changes: what has changed since, a sentence each.
        problem: a sentence: why the changes cannot be listed, or that no entry has changed; else empty.
        earlier: a sentence for each version before the one that is replaced.
    """

    version: int
    when: str
    signed_by: str
    reader: str
    reason: str
    changes: tuple[str, ...]
    problem: str = ""
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A report; its fields are what a template may use.

    Attributes:
        is_anonymous: whether it is the version without names and dates.
        patient, examination: the patient record, lines with something in them only.
        request: who asks for the examination and what, history and medication; lines with something in them only.
        adequacy: whether the preparation was adequate, in words, with what says so; empty where nothing was entered.
        landmarks: in anatomical order.
        transit: transit times.
        transit_notes: sentences such as that the caecum was not reached.
        summary, recommendation: the reader's words; free text.
        model: which model, threshold and version flagged frames.
        reading: how much was read and how fast.
        links: places linked with other studies, a sentence each.
        note: what must be said beside the scores of this model; empty for most.
        reader: who reads the study.
        signature: None until it is signed.
        amendment: None where it replaces no signed version.
        program: name and version of this program.
        letterhead: lines at the head of the first page.
        logo: a `data:` address; may be empty.
        picture_px: side of a large picture: smaller where all of them would take a further page.
    """

    is_anonymous: bool
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
    amendment: Amendment | None = None
    request: tuple[Row, ...] = ()
    landmarks: tuple[LandmarkEntry, ...] = ()
    pictures: tuple[Picture, ...] = ()
    letterhead: tuple[str, ...] = ()
    logo: str = ""
    picture_px: int = LARGEST_PX

    @property
    def frames(self) -> tuple[int, ...]:
        """The frames whose pictures it shows, each once, in order."""
        of_findings = (each for one in self.findings for each in one.pictures)
        shown = [*(mark.picture for mark in self.landmarks), *of_findings, *self.pictures]
        return tuple(sorted({picture.frame_index for picture in shown}))

    def collapsed(
        self,
        are_similar: Callable[[int, int], bool],
        with_boxes: Collection[int] = (),
        missing: Collection[int] = (),
    ) -> Report:
        """The same report with at most `MOST_PICTURES` of a finding, none near-identical to one before.

        It says how many were left out, and of the frames `missing` that they cannot be decoded. Frames `with_boxes` are
        never left out as similar.
        """

        def fewer(finding: FindingEntry) -> FindingEntry:
            kept: list[Picture] = []
            for picture in finding.pictures:
                frame = picture.frame_index
                if frame in with_boxes or not any(are_similar(frame, one.frame_index) for one in kept):
                    kept.append(picture)
            alike = len(finding.pictures) - len(kept)
            more = finding.more_frames + max(len(kept) - MOST_PICTURES, 0)
            rows = finding.rows
            if more:
                rows += (Row(tr("More key frames"), tr("{count} not shown", count=more)),)
            if alike:
                left_out = tr("{count} left out: near-identical to a picture that is shown", count=alike)
                rows += (Row(tr("Similar key frames"), left_out),)
            shown = (replace(picture, is_missing=picture.frame_index in missing) for picture in kept[:MOST_PICTURES])
            return replace(finding, pictures=tuple(shown), rows=rows)

        marks = (
            replace(mark, picture=replace(mark.picture, is_missing=mark.picture.frame_index in missing))
            for mark in self.landmarks
        )
        findings = tuple(fewer(finding) for finding in self.findings)
        shown = {picture.frame_index for finding in findings for picture in finding.pictures}
        others = (
            replace(picture, is_missing=picture.frame_index in missing)
            for picture in self.pictures
            if picture.frame_index not in shown
        )
        return replace(self, landmarks=tuple(marks), findings=findings, pictures=tuple(others))
