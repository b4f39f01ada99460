"""One file with everything that readers entered for a study, for another library of this program."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from training.errors import UserError, writing
from training.files import inputs, json_text, outputs
from training.runs.reporter import Reporter, SilentReporter
from wce_desktop.core import counted, number_text, to_translate, tr
from wce_desktop.core.annotation import finding
from wce_desktop.core.study import Study
from wce_desktop.library.exchange.importing import garbage_stays
from wce_desktop.library.library import Library
from wce_desktop.library.rows import shown

KIND, FORMAT = "wce_desktop reading", 1
MAX_BYTES = 512 * 2**20
_TEXT_PARTS = ("texts", "amendment", "drawings")
"""Parts of a report that hold free text."""
_TEXT_FIELDS = ("capsule", "indication", "preparation")
"""Fields of the patient record that are free text."""
Place = Literal["new", "empty", "second"]
_WHERE: dict[Place, str] = {
    "new": to_translate(
        "The library does not have this recording: a study is added, and its video can be located later."
    ),
    "empty": to_translate("It is added to the study {study}."),
    "second": to_translate("The study {study} has a reading already: this one is added as that of a second reader."),
}
HINT = to_translate("Choose a file that “Export this reading” wrote.")


def _is_ours(path: Path) -> bool:
    try:
        return json_text.read_json_object(path, "reading", max_bytes=MAX_BYTES).get("kind") == KIND
    except (UserError, OSError):
        return False


READING_FILE = outputs.OutputKind("reading", _is_ours)


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """What an import of a reading would do.

    Args:
        place: "new": the library does not have the recording; "empty": it does, and nothing was entered for it;
            "second": something was, so the reading becomes that of a second reader.
        study: the library's study of this recording, or None.
        reader: whose reading it is.
    """

    document: Mapping[str, Any]
    place: Place
    study: Study | None
    reader: str

    @property
    def sentences(self) -> tuple[str, ...]:
        """What would happen, for a person to agree with."""
        counts = tr(
            "Reading by {reader}: {labels}, {findings}, {boxes}, {landmarks}.",
            reader=self.reader or tr("an unnamed reader"),
            labels=counted(len(self.document["labels"]), "label"),
            findings=counted(len(self.document["findings"]), "finding"),
            boxes=counted(len(self.document["boxes"]), "box"),
            landmarks=counted(len(self.document["landmarks"]), "landmark"),
        )
        return counts, tr(_WHERE[self.place], study=self.study.name if self.study else "")


def export_reading(
    library: Library, study_id: str, path: Path, *, has_free_text: bool = False, overwrite: bool = False
) -> str:
    """Write everything that readers entered for a study into one JSON file; returns a sentence.

    The file holds no video, no path, no name of the study and no pseudonym of the patient. It does hold names of
    readers and the rest of the patient record.

    Args:
        library: whose study.
        study_id: of the study.
        path: of the file.
        has_free_text: whether comments, texts of the report and other words of the reader are written, which may name a
            patient.
        overwrite: whether a file of another program may be replaced.

    Raises:
        UserError: the file cannot be written, or another program wrote the one that is there.
    """
    outputs.check_output(path, READING_FILE, overwrite=overwrite)
    reading = library.studies.whole_reading(study_id)
    document = {
        "kind": KIND,
        "format": FORMAT,
        "study_id": study_id,
        **(reading if has_free_text else without_free_text(reading)),
    }
    with writing(path), outputs.written_beside(path, clean=True) as beside:
        beside.write_text(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False), encoding="utf-8")
    labels, findings = counted(len(document["labels"]), "label"), counted(len(document["findings"]), "finding")
    return tr("Saved {labels} and {findings}.", labels=labels, findings=findings)


def without_free_text(reading: Mapping[str, Any]) -> dict[str, Any]:
    """A whole reading without words of the reader's own, also in its log."""
    return {
        **reading,
        "findings": [finding.without_free_text(row) for row in reading["findings"]],
        "report_parts": [row for row in reading["report_parts"] if row["kind"] not in _TEXT_PARTS],
        "record": _without_texts(reading["record"]),
        "audit": [
            {**line, "before": _logged(line, "before"), "after": _logged(line, "after")} for line in reading["audit"]
        ],
    }


def _without_texts(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: "" if name in _TEXT_FIELDS else value for name, value in record.items()}


def _logged(line: Mapping[str, Any], side: str) -> Any:
    """What a line of the log says was there before or after, without free text."""
    value = line[side]
    if not isinstance(value, dict):
        return value
    if line["kind"] == "report part" and value.get("kind") in _TEXT_PARTS:
        return None
    cleaned = {"finding": finding.without_free_text, "record": _without_texts}
    return cleaned[line["kind"]](value) if line["kind"] in cleaned else value


@garbage_stays()
def plan_reading(library: Library, path: Path, reporter: Reporter | None = None) -> ReadingPlan:
    """Read a file and work out where its reading belongs.

    Raises:
        UserError: it is not such a file, of a later version, or does not fit the library's study.
        Cancelled: the reporter asked to end.
    """
    reporter = reporter or SilentReporter()
    document = _document(path, reporter)
    if document.get("kind") != KIND:
        raise UserError("{file} is not a reading.", HINT, path.name)
    if document.get("format") != FORMAT:
        raise UserError(
            "{file} was written by a newer version of the application.", "Update the application.", path.name
        )
    facts = document.get("study")
    if not isinstance(facts, dict) or not isinstance(facts.get("fingerprint"), str):
        raise UserError("{file} does not say of which recording it is.", HINT, path.name)
    library.studies.check_reading(document, reporter.check)
    study = next(
        (one for one in library.studies.all() if facts["fingerprint"] and one.fingerprint == facts["fingerprint"]), None
    )
    if study is None:
        return ReadingPlan(document, "new", None, _reader(document))
    theirs = facts.get("frame_count")
    if study.frame_count and theirs not in (0, study.frame_count):
        raise UserError(
            "{file} is of a recording with {theirs} frames; {study} has {ours:,}.",
            "Is it the same recording?",
            path.name,
            number_text(theirs) if type(theirs) is int else shown(theirs),
            study.name,
            study.frame_count,
        )
    place: Place = "empty" if library.studies.is_untouched(study.study_id) else "second"
    return ReadingPlan(document, place, study, _reader(document))


def _document(path: Path, reporter: Reporter) -> dict[str, Any]:
    def check(done: int, total: int) -> None:
        reporter.check()
        reporter.progress(done * 100 // total, 100, "steps", "reading")

    try:
        return json_text.parse_large_object(inputs.read_text(path, "reading", max_bytes=MAX_BYTES), check)
    except ValueError as error:
        raise UserError("{file} is not a valid reading ({error}).", HINT, path.name, error) from error


@garbage_stays()
def import_reading(library: Library, plan: ReadingPlan, reporter: Reporter | None = None) -> Study:
    """Do what was planned, in one transaction; returns the study that has the reading now.

    Raises:
        UserError: items of the file contradict each other, or the library cannot be written.
        Cancelled: the reporter asked to end; nothing was written.
    """
    check, reader, is_second = (reporter or SilentReporter()).check, plan.reader, plan.place == "second"
    if plan.study is not None and is_second:  # with a number where the study has a reading by that name already
        taken, name = library.studies.readers_of(plan.study.study_id), plan.reader or "imported"
        reader = next(one for one in (name, *(f"{name} {number}" for number in range(2, 1000))) if one not in taken)
    return library.studies.add_whole_reading(plan.document, plan.study, reader, is_second=is_second, check=check)


def _reader(document: Mapping[str, Any]) -> str:
    """Who reads it, as the record says; else who gave most labels and findings."""
    record = document.get("record")
    if isinstance(record, dict) and isinstance(record.get("read_by"), str) and record["read_by"]:
        return str(record["read_by"])
    names = (row.get("reader") for name in ("labels", "findings") for row in document[name])
    counts = Counter(name for name in names if isinstance(name, str) and name)
    return max(sorted(counts), key=lambda name: counts[name], default="")
