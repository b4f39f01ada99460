"""Scores of small-bowel inflammation.

The Capsule Endoscopy Crohn's Disease Activity Index (CECDAI), also called Niv score: Gal E, Geller A, Fraser G, Levi Z,
Niv Y: Assessment and validation of the new capsule endoscopy Crohn's disease activity index (CECDAI). Dig Dis Sci 2008;
53: 1933-1937. The steps and their points, A x B + C for each half, are those of the publication; the words for them are
ours.

Its bands (below 3.5 normal, from 3.5 to below 5.8 mild, from 5.8 moderate to severe) are not of that publication: they
are those of "Usefulness of the Capsule Endoscopy Crohn's Disease Activity Index in assessing the necessity of early
additional treatment in patients with Crohn's disease in clinical remission", Medicine (Baltimore) 2021; 100
(PMC8294877), as its abstract gives them. Others put the limits higher: in Yablecovitch D, Lahat A, Neuman S, et al.,
Therap Adv Gastroenterol 2018; 11, 5.4 and 9.2 correspond to Lewis scores of 135 and 790. The score is a whole
number, so that the bands are 0 to 3, 4 to 5, and 6 to 36.

The Lewis score: Gralnek IM, Defranchis R, Seidman E, Leighton JA, Legnani P, Lewis BS: Development of a capsule
endoscopy scoring index for small bowel mucosal inflammatory change. Aliment Pharmacol Ther 2008; 27: 146-154.

The abstract gives the limits of 135 and 790. The weights are those of the publication as we read it. Reviews print the
weights of the ulcers' extent differently (5/10/25 in World J Gastrointest Endosc 2016; 8: 477-488, and 8/12/20 in World
J Gastrointest Endosc 2011; 3: 23-29); we take 5/10/15, with which a single small ulcer in a short segment has 3 x 5 x 9
= 135, the limit of what is normal.
"""

from wce_desktop.core.calculators.calculator import Calculator, Choice, Field, Points, Result
from wce_desktop.core.language import number_text, to_translate

SEGMENTS = (("proximal", to_translate("Proximal half")), ("distal", to_translate("Distal half")))


def _graded(*titles: str) -> tuple[Choice, ...]:
    """Answers with 0, 1, 2 … points."""
    return tuple(Choice(str(points), title, points) for points, title in enumerate(titles))


_INFLAMMATION = _graded(
    to_translate("None"),
    to_translate("Mild to moderate oedema, hyperaemia or denudation"),
    to_translate("Severe oedema, hyperaemia or denudation"),
    to_translate("Bleeding, exudate, aphthae, erosion or small ulcer (up to 0.5 cm)"),
    to_translate("Moderate ulcer (0.5 to 2 cm) or pseudopolyp"),
    to_translate("Large ulcer (more than 2 cm)"),
)
_EXTENT = _graded(
    to_translate("None"),
    to_translate("Focal: one segment"),
    to_translate("Patchy: two to three segments"),
    to_translate("Diffuse: more than three segments"),
)
_STRICTURE = _graded(
    to_translate("None"),
    to_translate("Single, passed"),
    to_translate("Multiple, passed"),
    to_translate("Obstruction, not passed"),
)


def _cecdai(points: Points) -> Result:
    """(A1 x B1 + C1) + (A2 x B2 + C2)."""
    parts = [tuple(points[f"{letter}-{key}"] for letter in "abc") for key, _ in SEGMENTS]
    formula = " + ".join(f"({a} × {b} + {c})" for a, b, c in parts)
    total = sum(a * b + c for a, b, c in parts)
    return Result("cecdai", number_text(total), _cecdai_band(total), formula)


CECDAI_MILD_FROM, CECDAI_SEVERE_FROM = 3.5, 5.8


def _cecdai_band(score: int) -> str:
    if score < CECDAI_MILD_FROM:
        return to_translate("of 36; normal (below 3.5)")
    if score < CECDAI_SEVERE_FROM:
        return to_translate("of 36; mild inflammation (3.5 to below 5.8)")
    return to_translate("of 36; moderate to severe inflammation (5.8 or more)")


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
    compute=_cecdai,
    source=(
        "Gal E et al., Assessment and validation of the new capsule endoscopy Crohn's disease activity index "
        "(CECDAI). Dig Dis Sci 2008; 53: 1933-1937; Medicine (Baltimore) 2021; 100 (PMC8294877)"
    ),
    about=to_translate(
        "The two halves divide the transit time through the small bowel into two equal parts. What is normal must be "
        "entered, too: the score is computed once everything is."
    ),
    has_nothing=True,
)


NORMAL_BELOW = 135
"""Scores below are normal or clinically insignificant."""
MILD_BELOW = 790
"""Scores from 135 to below this one are mild inflammation, higher ones moderate to severe: the abstract says "between
135 and 790" and ">= 790"."""
TERTILES = (
    ("1", to_translate("First tertile")),
    ("2", to_translate("Second tertile")),
    ("3", to_translate("Third tertile")),
)

_SEGMENTS = (
    to_translate("Short segment (up to 10 %)"),
    to_translate("Long segment (11 to 50 %)"),
    to_translate("Whole tertile (more than 50 %)"),
)
_EXTENTS = ("short", "long", "whole")


def _extent(points: tuple[int, int, int]) -> tuple[Choice, ...]:
    return tuple(Choice(*row) for row in zip(_EXTENTS, _SEGMENTS, points, strict=True))


_VILLI = (Choice("normal", to_translate("Normal"), 0), Choice("oedematous", to_translate("Oedematous"), 1))
_VILLI_EXTENT = _extent((8, 12, 20))
_VILLI_PATTERN = (
    Choice("single", to_translate("Single"), 1),
    Choice("patchy", to_translate("Patchy"), 14),
    Choice("diffuse", to_translate("Diffuse"), 17),
)
_ULCERS = (
    Choice("none", to_translate("None"), 0),
    Choice("single", to_translate("Single"), 3),
    Choice("few", to_translate("Few (2 to 7)"), 5),
    Choice("multiple", to_translate("Multiple (8 or more)"), 10),
)
_ULCER_EXTENT = _extent((5, 10, 15))
_ULCER_SIZE = (
    Choice("small", to_translate("Less than 1/4 of the circumference"), 9),
    Choice("medium", to_translate("1/4 to 1/2 of the circumference"), 12),
    Choice("large", to_translate("More than 1/2 of the circumference"), 18),
)
_STENOSIS = (
    Choice("none", to_translate("None"), 0),
    Choice("single", to_translate("Single"), 14),
    Choice("multiple", to_translate("Multiple"), 20),
)
_ULCERATED = (Choice("no", to_translate("No"), 2), Choice("yes", to_translate("Yes"), 24))
_WHOLE = to_translate("Whole small bowel")
_TRAVERSED = (Choice("yes", to_translate("Yes"), 7), Choice("no", to_translate("No"), 10))


def _tertile_fields(key: str, group: str) -> tuple[Field, ...]:
    return (
        Field(f"villi-{key}", to_translate("Villous appearance"), _VILLI, group),
        Field(f"villi-extent-{key}", to_translate("Oedema extent"), _VILLI_EXTENT, group, f"villi-{key}"),
        Field(f"villi-pattern-{key}", to_translate("Oedema distribution"), _VILLI_PATTERN, group, f"villi-{key}"),
        Field(f"ulcers-{key}", to_translate("Ulcers"), _ULCERS, group),
        Field(f"ulcer-extent-{key}", to_translate("Ulcer extent"), _ULCER_EXTENT, group, f"ulcers-{key}"),
        Field(f"ulcer-size-{key}", to_translate("Largest ulcer"), _ULCER_SIZE, group, f"ulcers-{key}"),
    )


def tertile_score(points: Points, key: str) -> int:
    """(villous appearance x extent x distribution) + (ulcers x extent x size) of one tertile."""
    villi = points[f"villi-{key}"] * points[f"villi-extent-{key}"] * points[f"villi-pattern-{key}"]
    return villi + points[f"ulcers-{key}"] * points[f"ulcer-extent-{key}"] * points[f"ulcer-size-{key}"]


def category(score: int) -> str:
    """What a score means."""
    if score < NORMAL_BELOW:
        return to_translate("normal or clinically insignificant (below 135)")
    if score < MILD_BELOW:
        return to_translate("mild inflammation (135 to 789)")
    return to_translate("moderate to severe inflammation (790 or more)")


def _lewis(points: Points) -> Result:
    """The highest score of a tertile plus (stenoses x ulcerated x traversed)."""
    tertiles = [tertile_score(points, key) for key, _ in TERTILES]
    stenosis = points["stenosis"] * points["stenosis-ulcerated"] * points["stenosis-traversed"]
    score = max(tertiles) + stenosis
    formula = to_translate("tertiles {tertiles}; the highest {highest} + stenosis {stenosis}")
    shown = ", ".join(number_text(each) for each in tertiles)
    numbers = {"tertiles": shown, "highest": number_text(max(tertiles)), "stenosis": number_text(stenosis)}
    return Result("lewis", number_text(score), category(score), formula, numbers=numbers)


LEWIS = Calculator(
    kind="lewis",
    title=to_translate("Lewis score"),
    fields=(
        *(field for key, group in TERTILES for field in _tertile_fields(key, group)),
        Field("stenosis", to_translate("Stenosis"), _STENOSIS, _WHOLE),
        Field("stenosis-ulcerated", to_translate("Ulcerated"), _ULCERATED, _WHOLE, "stenosis"),
        Field("stenosis-traversed", to_translate("Traversed by the capsule"), _TRAVERSED, _WHOLE, "stenosis"),
    ),
    compute=_lewis,
    source=(
        "Gralnek IM et al., Development of a capsule endoscopy scoring index for small bowel mucosal inflammatory "
        "change. Aliment Pharmacol Ther 2008; 27: 146-154"
    ),
    about=to_translate(
        "The tertiles divide the transit time through the small bowel into three equal parts. What is normal must be "
        "entered, too: the score is computed once everything is."
    ),
    has_nothing=True,
)
