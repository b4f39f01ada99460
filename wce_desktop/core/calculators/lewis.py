"""The Lewis score of small-bowel inflammation.

Gralnek IM, Defranchis R, Seidman E, Leighton JA, Legnani P, Lewis BS: Development of a capsule endoscopy scoring index
for small bowel mucosal inflammatory change. Aliment Pharmacol Ther 2008; 27: 146-154.

The abstract gives the limits of 135 and 790. The weights are those of the publication as we read it. Reviews print the
weights of the ulcers' extent differently (5/10/25 in World J Gastrointest Endosc 2016; 8: 477-488, and 8/12/20 in World
J Gastrointest Endosc 2011; 3: 23-29); we take 5/10/15, with which a single small ulcer in a short segment has 3 x 5 x 9
= 135, the limit of what is normal.
"""

from __future__ import annotations

from wce_desktop.core.calculators.calculator import Calculator, Choice, Field, Points

NORMAL_BELOW = 135
"""Scores below are normal or clinically insignificant."""
MILD_BELOW = 790
"""Scores from 135 to below this one are mild inflammation, higher ones moderate to severe: the abstract says "between
135 and 790" and ">= 790"."""
TERTILES = (("1", "First tertile"), ("2", "Second tertile"), ("3", "Third tertile"))

_SEGMENTS = ("Short segment (up to 10 %)", "Long segment (11 to 50 %)", "Whole tertile (more than 50 %)")
_EXTENTS = ("short", "long", "whole")


def _extent(points: tuple[int, int, int]) -> tuple[Choice, ...]:
    return tuple(Choice(*row) for row in zip(_EXTENTS, _SEGMENTS, points, strict=True))


_VILLI = (Choice("normal", "Normal", 0), Choice("oedematous", "Oedematous", 1))
_VILLI_EXTENT = _extent((8, 12, 20))
_VILLI_PATTERN = (Choice("single", "Single", 1), Choice("patchy", "Patchy", 14), Choice("diffuse", "Diffuse", 17))
_ULCERS = (
    Choice("none", "None", 0),
    Choice("single", "Single", 3),
    Choice("few", "Few (2 to 7)", 5),
    Choice("multiple", "Multiple (8 or more)", 10),
)
_ULCER_EXTENT = _extent((5, 10, 15))
_ULCER_SIZE = (
    Choice("small", "Less than 1/4 of the circumference", 9),
    Choice("medium", "1/4 to 1/2 of the circumference", 12),
    Choice("large", "More than 1/2 of the circumference", 18),
)
_STENOSIS = (Choice("none", "None", 0), Choice("single", "Single", 14), Choice("multiple", "Multiple", 20))
_ULCERATED = (Choice("no", "No", 2), Choice("yes", "Yes", 24))
_TRAVERSED = (Choice("yes", "Yes", 7), Choice("no", "No", 10))


def _tertile_fields(key: str, group: str) -> tuple[Field, ...]:
    return (
        Field(f"villi-{key}", "Villous appearance", _VILLI, group),
        Field(f"villi-extent-{key}", "Oedema extent", _VILLI_EXTENT, group, f"villi-{key}"),
        Field(f"villi-pattern-{key}", "Oedema distribution", _VILLI_PATTERN, group, f"villi-{key}"),
        Field(f"ulcers-{key}", "Ulcers", _ULCERS, group),
        Field(f"ulcer-extent-{key}", "Ulcer extent", _ULCER_EXTENT, group, f"ulcers-{key}"),
        Field(f"ulcer-size-{key}", "Largest ulcer", _ULCER_SIZE, group, f"ulcers-{key}"),
    )


def tertile_score(points: Points, key: str) -> int:
    """(villous appearance x extent x distribution) + (ulcers x extent x size) of one tertile."""
    villi = points[f"villi-{key}"] * points[f"villi-extent-{key}"] * points[f"villi-pattern-{key}"]
    return villi + points[f"ulcers-{key}"] * points[f"ulcer-extent-{key}"] * points[f"ulcer-size-{key}"]


def category(score: int) -> str:
    """What a score means."""
    if score < NORMAL_BELOW:
        return "normal or clinically insignificant (below 135)"
    return "mild inflammation (135 to 789)" if score < MILD_BELOW else "moderate to severe inflammation (790 or more)"


def _compute(points: Points) -> tuple[int, str, str, bool | None]:
    """The highest score of a tertile plus (stenoses x ulcerated x traversed)."""
    tertiles = [tertile_score(points, key) for key, _ in TERTILES]
    stenosis = points["stenosis"] * points["stenosis-ulcerated"] * points["stenosis-traversed"]
    shown = ", ".join(f"{score:,}" for score in tertiles)
    formula = f"tertiles {shown}; the highest {max(tertiles):,} + stenosis {stenosis:,}"
    return max(tertiles) + stenosis, category(max(tertiles) + stenosis), formula, None


LEWIS = Calculator(
    kind="lewis",
    title="Lewis score",
    fields=(
        *(field for key, group in TERTILES for field in _tertile_fields(key, group)),
        Field("stenosis", "Stenosis", _STENOSIS, "Whole small bowel"),
        Field("stenosis-ulcerated", "Ulcerated", _ULCERATED, "Whole small bowel", "stenosis"),
        Field("stenosis-traversed", "Traversed by the capsule", _TRAVERSED, "Whole small bowel", "stenosis"),
    ),
    compute=_compute,
    source=(
        "Gralnek IM et al., Development of a capsule endoscopy scoring index for small bowel mucosal inflammatory "
        "change. Aliment Pharmacol Ther 2008; 27: 146-154"
    ),
    about=(
        "The tertiles divide the transit time through the small bowel into three equal parts. What is normal must be "
        "entered, too: the score is computed once everything is."
    ),
    has_nothing=True,
)
