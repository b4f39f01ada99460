"""Scores of a capsule study as they were published: what a reader enters, and what follows from it.

The inputs are a `ReportPart`; a result is always computed, never stored.
"""

from wce_desktop.core.annotation.report_part import PartKind, ReportPart
from wce_desktop.core.calculators.calculator import Calculator, Choice, Field, Result
from wce_desktop.core.calculators.cleansing import (
    CC_CLEAR,
    KodaGrade,
    koda_content,
    koda_frames,
    koda_grades,
    koda_result,
)
from wce_desktop.core.calculators.inflammation import CECDAI, LEWIS
from wce_desktop.core.clock import counted
from wce_desktop.core.language import to_translate

CALCULATORS: dict[PartKind, Calculator] = {calculator.kind: calculator for calculator in (LEWIS, CECDAI, CC_CLEAR)}
"""The calculators whose inputs are choices; KODA's are graded frames."""

SCORES: dict[PartKind, str] = {
    "lewis": to_translate("Lewis score"), "cecdai": "CECDAI", "koda": "KODA", "cc-clear": "CC-CLEAR"
}  # fmt: skip
"""What each is called in short."""


def result_of(part: ReportPart) -> Result | None:
    """What the inputs of a part come to; None for texts, and until all of them are entered.

    Raises:
        ValueError: the inputs are none of this calculator.
    """
    if part.kind == "koda":
        return koda_result(koda_grades(part.content))
    calculator = CALCULATORS.get(part.kind)
    return None if calculator is None else calculator.result(part.content)


def missing_of(part: ReportPart) -> tuple[str, ...]:
    """What must still be entered for a score, in words; empty for a finished score and for texts.

    Raises:
        ValueError: the inputs are none of this calculator.
    """
    if part.kind == "koda":
        left = sum(not grade.is_complete for grade in koda_grades(part.content))
        return (f"grades of {counted(left, 'frame')}",) if left else ()
    calculator = CALCULATORS.get(part.kind)
    return () if calculator is None else tuple(field.named for field in calculator.missing(part.content))


__all__ = [
    "CALCULATORS",
    "SCORES",
    "Calculator",
    "Choice",
    "Field",
    "KodaGrade",
    "Result",
    "koda_content",
    "koda_frames",
    "koda_grades",
    "koda_result",
    "missing_of",
    "result_of",
]
