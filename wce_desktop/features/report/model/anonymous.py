"""The version of a report without names, dates and file names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from wce_desktop.core.annotation import ENTRIES, Record
from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.core.study import Study
from wce_desktop.features.report.model.content import FindingEntry, Report, Row
from wce_desktop.features.report.model.parts import REQUEST

REMOVED = "[removed]"
OLDEST_DECADE = 90
"""Ages from here on are one group: so few people reach them that a decade could name one."""
MIN_LETTERS = 3
"""Shorter parts of a name would remove syllables of other words."""
COMMON = {"and", "capsule", "case", "colon", "demo", "frames", "images", "patient", "small", "bowel", "study", "video"}
"""Words in names of files that say nothing of a person."""

_PARTS = re.compile(r"[^\W_]+")
_DATE = re.compile(r"\b(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2}))\b")
_FREE = (to_translate("Indication"),)
"""Lines of the examination that are free text."""
_KEPT_OF_EXAMINATION = (
    to_translate("Capsule"),
    to_translate("Preparation"),
    to_translate("Recording"),
    to_translate("Indication"),
)
_KEPT_OF_MODEL = (
    to_translate("Model"),
    to_translate("Threshold"),
    to_translate("Classes"),
    to_translate("Switched off"),
    to_translate("Flags"),
)


def names_of(study: Study, record: Record, readers: Iterable[str]) -> frozenset[str]:
    """The words that may name somebody: of the patient record, the readers, and the file with its folders."""
    path = study.path
    sentences = [
        record.pseudonym,
        record.read_by,
        study.name,
        path.stem,
        path.parent.name,
        path.parent.parent.name,
        *readers,
    ]
    words = {part.lower() for text in sentences for part in _PARTS.findall(text)}
    return frozenset(word for word in words if len(word) >= MIN_LETTERS and word not in COMMON)


def age_group(record: Record) -> str:
    """The decade of the patient's age, such as "60 to 69 years"; empty where it is not known."""
    if record.birth_year is None or not record.exam_date:
        return ""
    age = int(record.exam_date[:4]) - record.birth_year
    if age < 0:
        return ""
    decade = age // 10 * 10
    if decade >= OLDEST_DECADE:
        return tr("{age} years or older", age=OLDEST_DECADE)
    return tr("{first} to {last} years", first=decade, last=decade + 9)


def without_identity(report: Report, record: Record, names: frozenset[str], *, with_free_text: bool) -> Report:
    """The same findings without who, when and where.

    Args:
        report: of the study.
        record: its patient record.
        names: words that are removed from everything that a reader typed; see `names_of`.
        with_free_text: whether comments, indication, question, history, medication, summary and recommendation stay.
            They are free text and may name somebody in words that are not among `names`.
    """

    def clean(text: str) -> str:
        return _without(text, names)

    def free(text: str) -> str:
        return clean(text) if with_free_text else ""

    is_free = set(map(tr, _FREE))
    kept = _chosen(report.examination, _KEPT_OF_EXAMINATION)
    examination = [Row(row.name, free(row.text) if row.name in is_free else clean(row.text)) for row in kept]
    request = [row for row in report.request if row.name != tr(REQUEST["referrer"])]
    patient = (Row(tr("Age"), age_group(record)), Row(tr("Sex"), tr(record.sex)))
    linked = tr_count(
        "{count} place is linked with other studies.",
        "{count} places are linked with other studies.",
        len(report.links),
    )
    return replace(
        report,
        is_anonymous=True,
        patient=tuple(row for row in patient if row.text),
        examination=tuple(row for row in examination if row.text),
        findings=tuple(_finding(finding, clean, free) for finding in report.findings),
        request=tuple(Row(row.name, text) for row in request if (text := free(row.text))),
        letterhead=(),
        logo="",
        summary=free(report.summary),
        recommendation=free(report.recommendation),
        model=_chosen(report.model, _KEPT_OF_MODEL),
        links=(linked,) if report.links else (),
        reader="",
        signature=None,
        amendment=None,
    )


def _chosen(rows: Iterable[Row], names: Iterable[str]) -> tuple[Row, ...]:
    """The rows of these names, which the report has in the language of the window."""
    wanted = set(map(tr, names))
    return tuple(row for row in rows if row.name in wanted)


def _finding(finding: FindingEntry, clean: Callable[[str], str], free: Callable[[str], str]) -> FindingEntry:
    texts = {tr(entry.title) for entry in ENTRIES.values() if entry.kind == "text"}
    rows = [Row(row.name, free(row.text) if row.name in texts else clean(row.text)) for row in finding.rows]
    rows = [Row(row.name, tr("by a model")) if row.name == tr("Suggested") else row for row in rows if row.text]
    return replace(finding, rows=tuple(rows), comment=free(finding.comment))


def _without(text: str, names: frozenset[str]) -> str:
    """A text without dates and without these words."""
    without_dates = _DATE.sub(REMOVED, text)
    return _PARTS.sub(lambda found: REMOVED if found[0].lower() in names else found[0], without_dates)
