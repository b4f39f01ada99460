"""What a reader enters for the report itself: its texts, with blocks to insert, and the scores as it shows them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from training.errors import UserError, writing
from training.files.json_text import read_json_object
from training.files.outputs import written_beside
from wce_desktop.core.annotation import ReportPart, part_of
from wce_desktop.core.annotation.transit import transit
from wce_desktop.core.calculators import SCORES, Result, missing_of, result_of
from wce_desktop.core.language import capital, to_translate, tr
from wce_desktop.features.report.model.content import Row, ScoreEntry
from wce_desktop.session.completeness.score_basis import are_frames_graded, disagreement, score_notes
from wce_desktop.session.keys import key_of
from wce_desktop.session.places import resource
from wce_desktop.session.reading import Reading

Adequacy = Literal["", "adequate", "inadequate"]
BLOCKS_NAME = "text-blocks.json"
"""In the library's folder once a reader has changed them."""
MAX_BLOCKS = 500


@dataclass(frozen=True, slots=True)
class Texts:
    """What a reader writes for the report; free text, except for the adequacy of the preparation.

    `cleansing` and `blood` are the figures that the reader has confirmed (see `session.measured`), or empty.
    """

    summary: str = ""
    recommendation: str = ""
    adequacy: Adequacy = ""
    referrer: str = ""
    question: str = ""
    history: str = ""
    medication: str = ""
    cleansing: str = ""
    blood: str = ""

    @property
    def content(self) -> dict[str, str]:
        """As the content of a `ReportPart`: those that earlier versions lack only where entered."""
        return {name: text for name, text in asdict(self).items() if text or name not in (*REQUEST, *CONFIRMED)}


REQUEST = {
    "referrer": to_translate("Referred by"),
    "question": to_translate("Question"),
    "history": to_translate("History"),
    "medication": to_translate("Medication"),
}
"""Texts about why the study was made -> what the report calls them."""
CONFIRMED = {"cleansing": to_translate("Visible mucosa"), "blood": to_translate("Blood indicator")}
"""Measurements that a reader can confirm -> what the report calls them."""


def texts_of(parts: Iterable[ReportPart]) -> Texts:
    """The texts of a report; empty where none were entered. What breaks the rules is left out."""
    part = part_of(parts, "texts")
    content = part.content if part is not None else {}
    texts = {each.name: content.get(each.name) for each in fields(Texts)}
    entered = {name: text for name, text in texts.items() if isinstance(text, str)}
    if entered.get("adequacy") not in ADEQUACY:
        entered.pop("adequacy", None)
    return Texts(**entered)  # type: ignore[arg-type]  # one of `ADEQUACY`


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A text to insert, its title in the menu, and whether it says that the study is complete and normal."""

    title: str
    text: str
    is_normal: bool = False


def read_blocks(library: Path) -> tuple[TextBlock, ...]:
    """The library's text blocks; those that the application ships until a reader has changed them.

    Raises:
        UserError: the file cannot be read.
    """
    own = library / BLOCKS_NAME
    path = own if own.is_file() else resource("report", BLOCKS_NAME)
    adapter = TypeAdapter(Annotated[tuple[TextBlock, ...], Field(max_length=MAX_BLOCKS)])
    try:
        blocks = adapter.validate_python(read_json_object(path, "list of text blocks").get("blocks"))
    except ValidationError as error:
        raise UserError(
            "The text blocks {path} cannot be read ({reason}).",
            "Correct the file, or delete it.",
            path,
            error.errors()[0]["msg"],
        ) from error
    return (
        blocks if path == own else tuple(replace(block, title=tr(block.title), text=tr(block.text)) for block in blocks)
    )


def write_blocks(library: Path, blocks: Sequence[TextBlock]) -> None:
    """Keep the text blocks in the library's folder.

    Raises:
        UserError: it cannot be written.
    """
    path = library / BLOCKS_NAME
    document = {"blocks": [asdict(block) for block in blocks]}
    with writing(path), written_beside(path) as beside:
        beside.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8")


ADEQUACY = {"": "", "adequate": to_translate("adequate"), "inadequate": to_translate("not adequate")}


def results_of(reading: Reading) -> Iterable[Result]:
    """The scores for which everything was entered."""
    for part in reading.entries.report_parts:
        try:
            result = result_of(part)
            is_old = part.kind == "koda" and not are_frames_graded(reading, part)
        except ValueError:  # written by something else; the window of the calculators says so
            continue
        if result is not None and not is_old:
            yield result


def adequacy(texts: Texts, results: Iterable[Result]) -> str:
    """Whether the preparation was adequate, by the reader's word and by the scores that say so."""
    sentences = []
    for result in results:
        if result.is_adequate is not None:
            value, meaning = _value_and_meaning(result)
            between = "; " if value != result.value else ", "
            sentences.append(f"{tr(result.title)}: {value}{between}{meaning}")
    return "; ".join(filter(None, (tr(ADEQUACY[texts.adequacy]), *sentences)))


def _value_and_meaning(result: Result) -> tuple[str, str]:
    """“2.50 of 3” and “adequate”: with the best or the worst value there is, where the meaning begins with it."""
    meaning = tr(result.meaning, **result.numbers)
    most, semicolon, rest = meaning.partition("; ")
    return (f"{result.value} {most}", rest) if semicolon else (result.value, meaning)


def score_entry(reading: Reading, result: Result) -> ScoreEntry:
    """One score with its inputs, those of a tertile or half in one line."""
    grouped: dict[str, list[str]] = {}
    for name, text in result.inputs:
        group, _, field = name.partition(": ")
        grouped.setdefault(tr(group), []).append(
            f"{tr(field)}: {tr(text)[:1].lower()}{tr(text)[1:]}" if field else tr(text)
        )
    inputs = tuple(Row(name, ", ".join(texts)) for name, texts in grouped.items())
    value, meaning = _value_and_meaning(result)
    meaning = capital(meaning)
    formula = tr(result.formula_text, **result.numbers)
    return ScoreEntry(
        tr(result.title), value, meaning, inputs, formula, result.source, score_notes(reading, result.kind)
    )


def unfinished(reading: Reading) -> str:
    """A sentence about scores that are not in the report since something is not entered yet; empty for none."""
    titles = []
    for part in reading.entries.report_parts:
        with suppress(ValueError):  # written by something else; the window of the calculators says so
            if missing_of(part) or (part.kind == "koda" and not are_frames_graded(reading, part)):
                titles.append(tr(SCORES[part.kind]))
    if not titles:
        return ""
    return tr(
        "Not in the report, since something is not entered yet: {scores} ({key}).",
        scores=", ".join(titles),
        key=key_of("show_calculators"),
    )


def to_confirm(reading: Reading, blocks: Iterable[TextBlock] = ()) -> tuple[str, ...]:
    """A sentence for each score that no longer agrees with findings or landmarks, and each text that contradicts them.

    `blocks` are the library's.
    """
    scores = ((result.title, disagreement(reading, result.kind)) for result in results_of(reading))
    summary, findings = texts_of(reading.entries.report_parts).summary, len(reading.entries.findings)
    is_normal = any(block.is_normal and block.text in summary for block in blocks)
    complete = transit(reading.entries.landmarks, reading.index.video_seconds).is_complete
    return (
        *(f"{tr(title)}: {why}" for title, why in scores if why),
        *((tr("The summary says that nothing was seen; there are findings."),) if is_normal and findings else ()),
        *((tr("The summary says that the study is complete; the caecum was not reached."),)
          if is_normal and complete is False else ()),
    )  # fmt: skip
