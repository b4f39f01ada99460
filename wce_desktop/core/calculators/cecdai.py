"""The Capsule Endoscopy Crohn's Disease Activity Index (CECDAI), also called Niv score.

Gal E, Geller A, Fraser G, Levi Z, Niv Y: Assessment and validation of the new capsule endoscopy Crohn's disease
activity index (CECDAI). Dig Dis Sci 2008; 53: 1933-1937.

The steps and their points, A x B + C for each half, are those of the publication; the words for them are ours.
"""

from __future__ import annotations

from wce_desktop.core.calculators.calculator import Calculator, Choice, Field, Points

SEGMENTS = (("proximal", "Proximal half"), ("distal", "Distal half"))
_INFLAMMATION = tuple(
    Choice(str(points), title, points)
    for points, title in enumerate(
        (
            "None",
            "Mild to moderate oedema, hyperaemia or denudation",
            "Severe oedema, hyperaemia or denudation",
            "Bleeding, exudate, aphthae, erosion or small ulcer (up to 0.5 cm)",
            "Moderate ulcer (0.5 to 2 cm) or pseudopolyp",
            "Large ulcer (more than 2 cm)",
        )
    )
)
_EXTENT = tuple(
    Choice(str(points), title, points)
    for points, title in enumerate(
        ("None", "Focal: one segment", "Patchy: two to three segments", "Diffuse: more than three segments")
    )
)
_STRICTURE = tuple(
    Choice(str(points), title, points)
    for points, title in enumerate(("None", "Single, passed", "Multiple, passed", "Obstruction, not passed"))
)


def _compute(points: Points) -> tuple[int, str, str, bool | None]:
    """(A1 x B1 + C1) + (A2 x B2 + C2)."""
    parts = [tuple(points[f"{letter}-{key}"] for letter in "abc") for key, _ in SEGMENTS]
    formula = " + ".join(f"({a} × {b} + {c})" for a, b, c in parts)
    return sum(a * b + c for a, b, c in parts), "of 36; 0 is no disease", formula, None


CECDAI = Calculator(
    kind="cecdai",
    title="CECDAI",
    fields=tuple(
        field
        for key, group in SEGMENTS
        for field in (
            Field(f"a-{key}", "Inflammation (A)", _INFLAMMATION, group),
            Field(f"b-{key}", "Extent of disease (B)", _EXTENT, group),
            Field(f"c-{key}", "Stricture (C)", _STRICTURE, group),
        )
    ),
    compute=_compute,
    source=(
        "Gal E et al., Assessment and validation of the new capsule endoscopy Crohn's disease activity index "
        "(CECDAI). Dig Dis Sci 2008; 53: 1933-1937"
    ),
    about=(
        "The two halves divide the transit time through the small bowel into two equal parts. What is normal must be "
        "entered, too: the score is computed once everything is."
    ),
    has_nothing=True,
)
