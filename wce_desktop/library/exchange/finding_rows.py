"""Findings as rows of findings.csv, with a column for each entry of a finding."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from training.datasets.findings import FindingRow
from wce_desktop.core.annotation.entry import Entry
from wce_desktop.core.annotation.finding import ENTRIES, Finding


def _column(entry: Entry) -> Any:
    """Type and default of a column."""
    if entry.kind == "number":
        return Annotated[float | None, Field(gt=0, le=entry.most)], None
    literal: Any = Literal
    return (literal["", *entry.values] if entry.is_closed else str), ""


_FURTHER: dict[str, Any] = {
    name: _column(each) for name, each in ENTRIES.items() if name not in FindingRow.model_fields
}
FINDING_ROW = create_model("FINDING_ROW", __base__=FindingRow, **_FURTHER)
"""A row with all columns."""


def row_of(finding: Finding, study_id: str, seconds: float | None = None, same_as: str = "") -> FindingRow:
    """The row of a finding; raises `ValueError` for values that the file cannot hold."""
    return FINDING_ROW.model_validate(
        {
            "finding_id": finding.finding_id,
            "study_id": study_id,
            "kind": finding.kind,
            "start": finding.span.start,
            "stop": finding.span.stop,
            "seconds": seconds,
            "key_frames": ";".join(map(str, finding.key_frames)),
            "when_utc": finding.when_utc,
            "model_id": finding.model_id or "",
            "was_seen_before": finding.was_seen_before,
            "same_as": same_as,
            **finding.entries,
        }
    )
