"""Answers to scores that findings already give; a reader confirms them before they count.

Only what was entered as a finding is proposed, never that something is absent. How far a lesion reaches and how much of
the circumference it takes is in no finding. Of the grades of KODA only one follows from an entry: a frame without view
shows less than a fourth of the mucosa; how much bubbles or a reduced view hide is in no entry.
"""

from collections.abc import Iterable, Sequence
from itertools import compress

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.report_part import PartKind

DIVISIONS: dict[PartKind, tuple[str, ...]] = {"lewis": ("1", "2", "3"), "cecdai": ("proximal", "distal")}
"""Kind -> what the equal parts of the transit time are called in the keys of its fields."""
_AT_LEAST = {"": 1, "single": 1, "few": 2, "many": 8}
"""`Finding.number` -> how many lesions there are at least."""
_SMALL = {"aphtha", "erosion", "blood"}
_SMALL_ULCER_MM, _MODERATE_ULCER_MM = 5.0, 20.0


def proposed(
    kind: PartKind, findings: Iterable[Finding], places: Sequence[float], *, is_passed: bool
) -> dict[str, str]:
    """Key of a field -> name of the answer.

    Args:
        kind: of the calculator.
        findings: of the study.
        places: of each finding, the share of the transit time through the small bowel when it was reached; those below
            0 and from 1 lie outside of it.
        is_passed: whether the capsule reached the colon, and so passed all stenoses.
    """
    names = DIVISIONS.get(kind, ())
    inside = [0 <= place < 1 for place in places]
    here = [(names[int(place * len(names))], one) for one, place in compress(zip(findings, places, strict=True), inside)
            if names]  # fmt: skip
    grouped = {name: [one for at, one in here if at == name] for name in names}
    if kind == "lewis":
        answers = {f"ulcers-{name}": _ulcers(group) for name, group in grouped.items()}
        count = _count(one for _, one in here if one.kind == "stenosis")
        answers["stenosis"] = ("", "single", "multiple")[min(count, 2)]
        answers["stenosis-traversed"] = "yes" if count and is_passed else ""
    else:
        answers = {f"a-{name}": _inflammation(group) for name, group in grouped.items()}
        for name, group in grouped.items():
            count = _count(one for one in group if one.kind == "stenosis")
            answers[f"c-{name}"] = ("", "1", "2")[min(count, 2)] if is_passed else ""
    return {key: answer for key, answer in answers.items() if answer}


def koda_proposed(names: Iterable[str]) -> int | None:
    """The grade of the visualised mucosa of a frame with entries of these classes; None where none says it."""
    return 0 if "no view" in names else None


def _count(findings: Iterable[Finding]) -> int:
    return sum(_AT_LEAST.get(one.number, 1) for one in findings)


def _ulcers(findings: Iterable[Finding]) -> str:
    count = _count(one for one in findings if one.kind in ("ulcer", "aphtha"))
    if count >= 8:
        return "multiple"
    return ("", "single", "few")[min(count, 2)]


def _inflammation(findings: Sequence[Finding]) -> str:
    """The worst lesion; nothing where an ulcer was not measured, since it may be worse."""
    ulcers = [one.size_mm for one in findings if one.kind == "ulcer"]
    if None in ulcers:
        return ""
    largest = max((size for size in ulcers if size is not None), default=0.0)
    if largest > _SMALL_ULCER_MM:
        return "5" if largest > _MODERATE_ULCER_MM else "4"
    return "3" if largest or any(one.kind in _SMALL for one in findings) else ""
