"""The scores of a study as its report shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from wce_desktop.core.annotation.landmark import Region, regions
from wce_desktop.core.annotation.report_part import PartKind
from wce_desktop.core.calculators import KodaGrade, Result, koda_frames, koda_grades, missing_of, result_of
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.report.model.content import Row, ScoreEntry
from wce_desktop.features.report.model.texts import Texts
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading

TITLES: Mapping[PartKind, str] = {
    "lewis": to_translate("Lewis score"), "cecdai": "CECDAI", "koda": "KODA", "cc-clear": "CC-CLEAR"
}  # fmt: skip
ADEQUACY = {"": "", "adequate": to_translate("adequate"), "inadequate": to_translate("not adequate")}


def results_of(reading: Reading) -> Iterable[Result]:
    """The scores for which everything was entered."""
    for part in reading.entries.report_parts:
        try:
            result = result_of(part)
            is_old = part.kind == "koda" and not _is_of_small_bowel(reading, koda_grades(part.content))
        except ValueError:  # written by something else; the window of the calculators says so
            continue
        if result is not None and not is_old:
            yield result


def _is_of_small_bowel(reading: Reading, grades: Sequence[KodaGrade]) -> bool:
    """Whether frames were graded that lie in the small bowel as it is marked now: its landmarks may have been moved."""
    passed = regions(reading.entries.landmarks, reading.frame_count)
    span = next((span for region, span in passed if region is Region.SMALL_BOWEL), None)
    wanted = () if span is None else koda_frames(reading.index.video_seconds, span)
    return span is None or tuple(one.frame_index for one in grades) == wanted


def adequacy(texts: Texts, results: Iterable[Result]) -> str:
    """Whether the preparation was adequate, by the reader's word and by the scores that say so."""
    said = []
    for result in results:
        if result.is_adequate is not None:
            value, meaning = _value_and_meaning(result)
            between = "; " if value != result.value else ", "
            said.append(f"{tr(result.title)}: {value}{between}{meaning}")
    return "; ".join(filter(None, (tr(ADEQUACY[texts.adequacy]), *said)))


def _value_and_meaning(result: Result) -> tuple[str, str]:
    """“2.50 of 3” and “adequate”: with the best or the worst value there is, where the meaning begins with it."""
    meaning = tr(result.meaning)
    most, semicolon, rest = meaning.partition("; ")
    return (f"{result.value} {most}", rest) if semicolon else (result.value, meaning)


def score_entry(result: Result) -> ScoreEntry:
    """One score with its inputs, those of a tertile or half in one line."""
    grouped: dict[str, list[str]] = {}
    for name, text in result.inputs:
        group, _, field = name.partition(": ")
        grouped.setdefault(tr(group), []).append(f"{tr(field)} {_lower(tr(text))}" if field else tr(text))
    inputs = tuple(Row(name, ", ".join(texts)) for name, texts in grouped.items())
    value, meaning = _value_and_meaning(result)
    meaning = f"{meaning[:1].upper()}{meaning[1:]}"
    formula = tr(result.formula_text, **result.numbers)
    return ScoreEntry(tr(result.title), value, meaning, inputs, formula, result.source)


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def unfinished(reading: Reading) -> str:
    """A sentence about scores that are not in the report since something is not entered yet; empty for none."""
    titles = []
    for part in reading.entries.report_parts:
        with suppress(ValueError):  # written by something else; the window of the calculators says so
            if missing_of(part):
                titles.append(tr(TITLES[part.kind]))
    if not titles:
        return ""
    return tr(
        "Not in the report, since something is not entered yet: {scores} ({key}).",
        scores=", ".join(titles),
        key=key_of("show_calculators"),
    )
