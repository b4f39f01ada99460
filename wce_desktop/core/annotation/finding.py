"""A finding, and the boxes drawn around it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, get_args

from wce_desktop.core.identity import new_id
from wce_desktop.core.language import to_translate
from wce_desktop.core.span import Span

Relevance = Literal["", "P0", "P1", "P2"]
"""Whether it explains bleeding (Saurin et al. 2003): P0 not, P1 uncertain, P2 highly likely; empty: not entered."""
RELEVANCES: tuple[Relevance, ...] = get_args(Relevance)
Number = Literal["", "single", "few", "many"]
NUMBERS: tuple[Number, ...] = get_args(Number)
NUMBERS_SHOWN: dict[Number, str] = {
    "single": to_translate("single"),
    "few": to_translate("few"),
    "many": to_translate("many"),
}
"""Those that can be entered, as `tr` shows them."""


MORPHOLOGIES = (
    to_translate("0-Ip pedunculated"),
    to_translate("0-Is sessile"),
    to_translate("0-IIa slightly elevated"),
    to_translate("0-IIb flat"),
    to_translate("0-IIc slightly depressed"),
    to_translate("0-III excavated"),
)
"""The Paris classification of superficial lesions (Endoscopic Classification Review Group, Endoscopy 2005)."""
SEGMENTS = (
    to_translate("oesophagus"),
    to_translate("gastric fundus"),
    to_translate("gastric body"),
    to_translate("gastric antrum"),
    to_translate("duodenal bulb"),
    to_translate("duodenum"),
    to_translate("jejunum"),
    to_translate("proximal small bowel"),
    to_translate("middle small bowel"),
    to_translate("distal small bowel"),
    to_translate("ileum"),
    to_translate("terminal ileum"),
    to_translate("ileocaecal valve"),
    to_translate("caecum"),
    to_translate("ascending colon"),
    to_translate("transverse colon"),
    to_translate("descending colon"),
    to_translate("sigmoid colon"),
    to_translate("rectum"),
)
"""Where a finding can lie, more exactly than the region of its frame says."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding in a study, such as a polyp, a bleeding or an ulcer.

    Args:
        kind: a class of the vocabulary.
        size_mm: largest diameter, greater than 0, or None if unknown.
        morphology: one of `MORPHOLOGIES` where the Paris classification applies, else other words, or empty.
        key_frames: frames that show it best, as frame indices.
        number: how many there are: "single", "few", "many", or empty.
        relevance: see `Relevance`.
        segment: where it lies, one of `SEGMENTS` or other words; empty: the region of its frame.
        when_utc: when it was made, in ISO 8601; empty for findings of older versions.
        model_id: the model that suggested it, or None.
        was_seen_before: whether the reader had seen its frames before the model flagged them; None where not known.
    """

    finding_id: str
    study_id: str
    kind: str
    span: Span
    size_mm: float | None = None
    morphology: str = ""
    key_frames: tuple[int, ...] = ()
    comment: str = ""
    reader: str = ""
    number: Number = ""
    relevance: Relevance = ""
    segment: str = ""
    when_utc: str = ""
    model_id: str | None = None
    was_seen_before: bool | None = None

    @classmethod
    def new(
        cls,
        *,
        study_id: str,
        kind: str,
        span: Span,
        key_frames: tuple[int, ...] = (),
        reader: str = "",
        model_id: str | None = None,
        was_seen_before: bool | None = None,
    ) -> Finding:
        """A new finding with a new id and no details yet."""
        return cls(
            new_id("f-"),
            study_id,
            kind,
            span,
            key_frames=key_frames,
            reader=reader,
            when_utc=datetime.now(UTC).isoformat(timespec="seconds"),
            model_id=model_id,
            was_seen_before=was_seen_before,
        )

    def __post_init__(self) -> None:
        if not self.kind:
            raise ValueError("a finding needs a kind")
        if self.size_mm is not None and not self.size_mm > 0:
            raise ValueError(f"a finding's size is greater than 0 mm, not {self.size_mm}")
        if self.relevance not in RELEVANCES:
            raise ValueError(f"a finding's relevance is P0, P1, P2 or empty, not {self.relevance!r}")
        if self.number not in NUMBERS:
            raise ValueError(f"a finding's number is {', '.join(NUMBERS[1:])} or empty, not {self.number!r}")

    def without_free_text(self) -> Finding:
        """The finding without words of the reader's own, which may name a patient: only listed choices stay."""
        return replace(
            self,
            comment="",
            morphology=self.morphology if self.morphology in MORPHOLOGIES else "",
            segment=self.segment if self.segment in SEGMENTS else "",
        )


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on one frame, in pixels of the study's own frames; the maxima are excluded."""

    box_id: str
    study_id: str
    frame_index: int
    x_min: float
    y_min: float
    x_max: float
    y_max: float
    name: str
    finding_id: str | None = None
    reader: str = ""

    def __post_init__(self) -> None:
        if self.frame_index < 0:
            raise ValueError(f"a box needs a frame index of 0 or more, not {self.frame_index}")
        if not (0 <= self.x_min < self.x_max and 0 <= self.y_min < self.y_max):
            edges = (self.x_min, self.y_min, self.x_max, self.y_max)
            raise ValueError(f"a box needs 0 <= minimum < maximum on both axes, not {edges}")
