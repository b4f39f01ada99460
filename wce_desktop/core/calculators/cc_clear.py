"""CC-CLEAR: how clean the colon was in a colon capsule study.

de Sousa Magalhães R, et al.: Colon Capsule CLEansing Assessment and Report (CC-CLEAR):
a new approach for evaluation of the quality of bowel preparation in capsule colonoscopy. Gastrointest Endosc 2021; 93:
212-223.

A segment with 75 to 90 % has 2, one with exactly 75 % has 1 (our reading of its grades "more than 75 %" and "more than
90 %").
"""

from __future__ import annotations

from wce_desktop.core.calculators.calculator import Calculator, Choice, Computed, Field, Points
from wce_desktop.core.language import to_translate

EXCELLENT_FROM, GOOD_FROM = 8, 6
INADEQUATE_SEGMENT = 1
"""A segment with this grade or a lower one makes the whole preparation inadequate."""
SEGMENTS = (
    ("right", to_translate("Right colon")),
    ("transverse", to_translate("Transverse colon")),
    ("left", to_translate("Left colon")),
)
_GRADES = (
    Choice("0", to_translate("0: less than 50 % of the mucosa seen"), 0),
    Choice("1", to_translate("1: 50 to 75 % of the mucosa seen"), 1),
    Choice("2", to_translate("2: more than 75 % of the mucosa seen"), 2),
    Choice("3", to_translate("3: more than 90 % of the mucosa seen"), 3),
)


def _compute(points: Points) -> Computed:
    """The sum of the three grades; inadequate below 6, or where a segment has 0 or 1."""
    grades = [points[key] for key, _ in SEGMENTS]
    total, formula = sum(grades), " + ".join(map(str, grades))
    if total < GOOD_FROM:
        return Computed(total, to_translate("inadequate (0 to 5)"), formula, is_adequate=False)
    if min(grades) <= INADEQUATE_SEGMENT:
        return Computed(total, to_translate("inadequate (a segment has 0 or 1)"), formula, is_adequate=False)
    meaning = to_translate("excellent (8 to 9)") if total >= EXCELLENT_FROM else to_translate("good (6 to 7)")
    return Computed(total, meaning, formula, is_adequate=True)


CC_CLEAR = Calculator(
    kind="cc-clear",
    title=to_translate("CC-CLEAR (cleanliness of the colon)"),
    fields=tuple(Field(key, title, _GRADES) for key, title in SEGMENTS),
    compute=_compute,
    source=(
        "de Sousa Magalhães R et al., Colon Capsule CLEansing Assessment and Report (CC-CLEAR). Gastrointest Endosc "
        "2021; 93: 212-223"
    ),
    about=to_translate(
        "Each segment is graded by the share of its mucosa that could be seen; all three must be entered."
    ),
)
