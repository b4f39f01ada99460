"""CC-CLEAR: how clean the colon was in a colon capsule study.

de Sousa Magalhães R, et al.: Colon Capsule CLEansing Assessment and Report (CC-CLEAR):
a new approach for evaluation of the quality of bowel preparation in capsule colonoscopy. Gastrointest Endosc 2021; 93:
212-223.

A segment with 75 to 90 % has 2, one with exactly 75 % has 1 (our reading of its grades "more than 75 %" and "more than
90 %").
"""

from __future__ import annotations

from wce_desktop.core.calculators.calculator import Calculator, Choice, Field, Points

EXCELLENT_FROM, GOOD_FROM = 8, 6
INADEQUATE_SEGMENT = 1
"""A segment with this grade or a lower one makes the whole preparation inadequate."""
SEGMENTS = (("right", "Right colon"), ("transverse", "Transverse colon"), ("left", "Left colon"))
_GRADES = tuple(
    Choice(str(grade), f"{grade}: {words} of the mucosa seen", grade)
    for grade, words in enumerate(("less than 50 %", "50 to 75 %", "more than 75 %", "more than 90 %"))
)


def _compute(points: Points) -> tuple[int, str, str, bool | None]:
    """The sum of the three grades; inadequate below 6, or where a segment has 0 or 1."""
    grades = [points[key] for key, _ in SEGMENTS]
    total, formula = sum(grades), " + ".join(map(str, grades))
    if total < GOOD_FROM:
        return total, "inadequate (0 to 5)", formula, False
    if min(grades) <= INADEQUATE_SEGMENT:
        return total, "inadequate (a segment has 0 or 1)", formula, False
    return total, "excellent (8 to 9)" if total >= EXCELLENT_FROM else "good (6 to 7)", formula, True


CC_CLEAR = Calculator(
    kind="cc-clear",
    title="CC-CLEAR (cleanliness of the colon)",
    fields=tuple(Field(key, title, _GRADES) for key, title in SEGMENTS),
    compute=_compute,
    source=(
        "de Sousa Magalhães R et al., Colon Capsule CLEansing Assessment and Report (CC-CLEAR). Gastrointest Endosc "
        "2021; 93: 212-223"
    ),
    about="Each segment is graded by the share of its mucosa that could be seen; all three must be entered.",
)
