"""A finding, and the boxes drawn around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from training.datasets.findings import MAX_SIZE_MM
from wce_desktop.core.annotation.entry import OURS, SNOMED, Entry, Option, Term, entered
from wce_desktop.core.identity import new_id
from wce_desktop.core.language import names_to_translate, to_translate
from wce_desktop.core.span import Span

MORPHOLOGIES = names_to_translate(
    "0-Ip pedunculated, 0-Is sessile, 0-IIa slightly elevated, 0-IIb flat, 0-IIc slightly depressed, 0-III excavated"
)
"""The Paris classification of superficial lesions (Endoscopic Classification Review Group, Endoscopy 2005)."""
SEGMENTS = names_to_translate(
    "oesophagus, gastric fundus, gastric body, gastric antrum, duodenal bulb, duodenum, jejunum, proximal small bowel, "
    "middle small bowel, distal small bowel, ileum, terminal ileum, ileocaecal valve, caecum, ascending colon, "
    "transverse colon, descending colon, sigmoid colon, rectum"
)
"""Where a finding can lie, more exactly than the region of its frame says."""
NUMBERS = names_to_translate("single, few, many")
RELEVANCES = (
    Option(
        "P0",
        to_translate("P0: does not bleed"),
        to_translate("P0, no potential for bleeding"),
        "P0: no bleeding potential",
    ),
    Option(
        "P1",
        to_translate("P1: may bleed"),
        to_translate("P1, uncertain potential for bleeding"),
        "P1: uncertain bleeding potential",
    ),
    Option(
        "P2",
        to_translate("P2: likely to bleed"),
        to_translate("P2, high potential for bleeding"),
        "P2: high bleeding potential",
    ),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding in a study, such as a polyp, a bleeding or an ulcer.

    What a reader enters is declared by its `Entry`: the form, lists, reports, the log, tables, exports and imports
    follow from it.

    Args:
        kind: a class of the vocabulary.
        size_mm: largest diameter.
        morphology: the Paris classification where it applies.
        key_frames: frames that show it best, as frame indices.
        number: how many there are.
        relevance: whether it explains bleeding (Saurin et al., Endoscopy 2003).
        segment: where it lies; empty: the region of its frame.
        when_utc: when it was made, in ISO 8601; empty for findings of older versions.
        model_id: the model that suggested it, or None.
        was_seen_before: whether the reader had seen its frames before the model flagged them; None where not known.
    """

    finding_id: str
    study_id: str
    kind: str
    span: Span
    size_mm: float | None = entered(
        Entry(
            "number",
            to_translate("Size"),
            to_translate("size in mm"),
            spoken=to_translate("Size of the finding in mm"),
            tip=to_translate("Largest diameter, as 5 mm, 0.5 cm or 5; empty: not measured"),
            empty=to_translate("not measured"),
            unit="mm",
            most=MAX_SIZE_MM,
            ask_above=150.0,
            term=Term("81827009", SNOMED, "Diameter"),
        )
    )
    morphology: str = entered(
        Entry(
            "choice",
            to_translate("Morphology"),
            to_translate("morphology"),
            label=to_translate("Paris class"),
            spoken=to_translate("Morphology (Paris)"),
            tip=to_translate("Paris classification of superficial lesions, where it applies"),
            options=tuple(map(Option, MORPHOLOGIES)),
        )
    )
    key_frames: tuple[int, ...] = ()
    comment: str = entered(
        Entry(
            "text",
            to_translate("Comment"),
            to_translate("comment"),
            spoken=to_translate("Comment of the finding"),
            term=Term("121106", "DCM", "Comment"),
        )
    )
    reader: str = ""
    number: str = entered(
        Entry(
            "choice",
            to_translate("Number"),
            to_translate("number"),
            options=tuple(map(Option, NUMBERS)),
            is_closed=True,
            term=Term("number", OURS, "Number of lesions"),
        )
    )
    relevance: str = entered(
        Entry(
            "choice",
            to_translate("Relevance"),
            to_translate("relevance"),
            label=to_translate("Bleeding risk"),
            spoken=to_translate("Relevance for bleeding (Saurin)"),
            tip=to_translate("Whether it explains bleeding (Saurin et al. 2003): P0 no, P1 uncertain, P2 likely"),
            options=RELEVANCES,
            is_closed=True,
            term=Term("relevance", OURS, "Bleeding potential (Saurin)"),
        )
    )
    segment: str = entered(
        Entry(
            "choice",
            to_translate("Segment"),
            to_translate("segment"),
            empty=to_translate("as the landmark says"),
            options=tuple(map(Option, SEGMENTS)),
        )
    )
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
        for name, entry in ENTRIES.items():
            entry.check(getattr(self, name))

    @property
    def entries(self) -> dict[str, Any]:
        """What a reader has entered: name -> value, also where it is empty."""
        return {name: getattr(self, name) for name in ENTRIES}

    @property
    def is_described(self) -> bool:
        """Whether a reader has entered anything."""
        return any(value != ENTRIES[name].default for name, value in self.entries.items())

    def without_free_text(self) -> Finding:
        """The finding without words of the reader's own, which may name a patient: only listed choices stay."""
        return replace(self, **without_free_text(self.entries))


ENTRIES: dict[str, Entry] = {each.name: each.metadata["entry"] for each in fields(Finding) if "entry" in each.metadata}
"""What a reader can enter for a finding, in the order of the columns of tables and files."""


def _ordered(*first: str) -> dict[str, Entry]:
    return {name: ENTRIES[name] for name in dict.fromkeys((*first, *ENTRIES))}


FORM_ENTRIES = _ordered("segment", "size_mm", "number", "morphology", "relevance")
"""In the order of the form and the list; here and below, new entries follow."""
REPORT_ENTRIES = _ordered("segment", "number", "size_mm", "morphology", "relevance")
CODED_ENTRIES = _ordered("size_mm", "number", "relevance", "morphology", "segment")
"""In the order of the files for hospital systems."""
CARD_ENTRIES = "relevance", "size_mm", "number", "comment"
"""What is asked for at the frame once a finding was made."""
_NO_PARIS = frozenset({"morphology"})
_DIFFUSE = frozenset({"morphology", "size_mm", "number"})
_NOT_OF: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("blood", "erythema", "lymphangiectasia", "villous edema"), _DIFFUSE),
    **dict.fromkeys(
        ("vascular lesion", "inflammation", "stenosis", "diverticulum", "foreign body", "parasites"), _NO_PARIS
    ),
}
"""Class -> what is not asked for a finding of it, or of a class below it. The Paris classification is of superficial
neoplastic lesions; what is diffuse is neither measured nor counted."""


def asked_entries(path: Iterable[str]) -> frozenset[str]:
    """The names of the entries that a finding of a class can have.

    Args:
        path: the names of the class and those above it, as of `Vocabulary.path`.
    """
    return frozenset(ENTRIES).difference(*(_NOT_OF.get(name, ()) for name in path))


def without_free_text(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a finding by their names, without words of the reader's own."""
    return {
        name: ENTRIES[name].without_free_text(value) if name in ENTRIES else value for name, value in values.items()
    }


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
