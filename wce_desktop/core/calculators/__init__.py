"""Scores of a capsule study as they were published: what a reader enters, and what follows from it.

The inputs are a `ReportPart`; a result is always computed, never stored.
"""

from wce_desktop.core.annotation.report_part import PartKind, ReportPart
from wce_desktop.core.calculators.calculator import Calculator, Choice, Field, Result
from wce_desktop.core.calculators.cc_clear import CC_CLEAR
from wce_desktop.core.calculators.cecdai import CECDAI
from wce_desktop.core.calculators.koda import KodaGrade, koda_content, koda_frames, koda_grades, koda_result
from wce_desktop.core.calculators.lewis import LEWIS

CALCULATORS: dict[PartKind, Calculator] = {one.kind: one for one in (LEWIS, CECDAI, CC_CLEAR)}
"""The calculators whose inputs are choices; KODA's are graded frames."""


def result_of(part: ReportPart) -> Result | None:
    """What the inputs of a part come to; None for texts, and while nothing was entered.

    Raises:
        ValueError: the inputs are none of this calculator.
    """
    if part.kind == "koda":
        return koda_result(koda_grades(part.content))
    calculator = CALCULATORS.get(part.kind)
    return None if calculator is None else calculator.result(part.content)


__all__ = [
    "CALCULATORS",
    "Calculator",
    "Choice",
    "Field",
    "KodaGrade",
    "Result",
    "koda_content",
    "koda_frames",
    "koda_grades",
    "koda_result",
    "result_of",
]
