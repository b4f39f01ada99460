"""What a reader enters for the report of a study beside its findings: scores of calculators, and texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from wce_desktop.core.identity import new_id

PartKind = Literal[
    "lewis", "cecdai", "koda", "cc-clear", "texts", "settled", "amendment", "drawings", "audit", "checked"
]
KINDS: tuple[PartKind, ...] = get_args(PartKind)


@dataclass(frozen=True, slots=True)
class ReportPart:
    """What one calculator asks, the texts of the report, differences with second readers that are settled ("settled"),
    what is drawn on frames and which of them the report shows ("drawings"; see `core.drawings`),
    the sample of unseen frames ("audit"; see `session.completeness.frame_audit`),
    what of the lists of *Clean labels* is right as it is ("checked"),
    or which signed version is being amended, and why ("amendment": `replaces`, its number, and `reason`).

    A study has at most one of a kind.

    Args:
        content: JSON values. Results are computed from them, never stored.
    """

    part_id: str
    study_id: str
    kind: PartKind
    content: Mapping[str, Any]
    reader: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"a part of a report is one of {', '.join(KINDS)}, not {self.kind!r}")

    @classmethod
    def new(cls, *, study_id: str, kind: PartKind, content: Mapping[str, Any], reader: str = "") -> ReportPart:
        """A new part with a new id."""
        return cls(new_id("rp-"), study_id, kind, content, reader)


def part_of(parts: Iterable[ReportPart], kind: PartKind) -> ReportPart | None:
    """The part of a kind, or None."""
    return next((part for part in parts if part.kind == kind), None)
