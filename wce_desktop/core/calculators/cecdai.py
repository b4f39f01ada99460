"""The Capsule Endoscopy Crohn's Disease Activity Index (CECDAI), also called Niv score.

Gal E, Geller A, Fraser G, Levi Z, Niv Y: Assessment and validation of the new capsule endoscopy Crohn's disease
activity index (CECDAI). Dig Dis Sci 2008; 53: 1933-1937.

The steps and their points, A x B + C for each half, are those of the publication; the words for them are ours.
"""

from __future__ import annotations

from wce_desktop.core.calculators.calculator import Calculator, Choice, Computed, Field, Points
from wce_desktop.core.language import to_translate

SEGMENTS = (("proximal", to_translate("Proximal half")), ("distal", to_translate("Distal half")))
_INFLAMMATION = tuple(
    Choice(str(points), title, points)
    for points, title in enumerate(
        (
            to_translate("None"),
            to_translate("Mild to moderate oedema, hyperaemia or denudation"),
            to_translate("Severe oedema, hyperaemia or denudation"),
            to_translate("Bleeding, exudate, aphthae, erosion or small ulcer (up to 0.5 cm)"),
            to_translate("Moderate ulcer (0.5 to 2 cm) or pseudopolyp"),
            to_translate("Large ulcer (more than 2 cm)"),
        )
    )
)
_EXTENT = tuple(
    Choice(str(points), title, points)
    for points, title in enumerate(
        (
            to_translate("None"),
            to_translate("Focal: one segment"),
            to_translate("Patchy: two to three segments"),
            to_translate("Diffuse: more than three segments"),
        )
    )
)
_STRICTURE = tuple(
    Choice(str(points), title, points)
    for points, title in enumerate(
        (
            to_translate("None"),
            to_translate("Single, passed"),
            to_translate("Multiple, passed"),
            to_translate("Obstruction, not passed"),
        )
    )
)


def _compute(points: Points) -> Computed:
    """(A1 x B1 + C1) + (A2 x B2 + C2)."""
    parts = [tuple(points[f"{letter}-{key}"] for letter in "abc") for key, _ in SEGMENTS]
    formula = " + ".join(f"({a} × {b} + {c})" for a, b, c in parts)
    return Computed(sum(a * b + c for a, b, c in parts), to_translate("of 36; 0 is no disease"), formula)


CECDAI = Calculator(
    kind="cecdai",
    title="CECDAI",
    fields=tuple(
        field
        for key, group in SEGMENTS
        for field in (
            Field(f"a-{key}", to_translate("Inflammation (A)"), _INFLAMMATION, group),
            Field(f"b-{key}", to_translate("Extent of disease (B)"), _EXTENT, group),
            Field(f"c-{key}", to_translate("Stricture (C)"), _STRICTURE, group),
        )
    ),
    compute=_compute,
    source=(
        "Gal E et al., Assessment and validation of the new capsule endoscopy Crohn's disease activity index "
        "(CECDAI). Dig Dis Sci 2008; 53: 1933-1937"
    ),
    about=to_translate(
        "The two halves divide the transit time through the small bowel into two equal parts. What is normal must be "
        "entered, too: the score is computed once everything is."
    ),
    has_nothing=True,
)
