"""A summary of what an import would add, for confirmation."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from training.datasets.public.contents import term_names
from training.errors import UserError
from training.files.json_text import read_json_object
from wce_desktop.core import counted, number_text, tr
from wce_desktop.core.annotation import Add, Change, Label, Vocabulary, shown_name
from wce_desktop.library.exchange import ImportPlan


def importable_names(vocabulary: Vocabulary) -> tuple[str, ...]:
    """The classes that labels may have: the reader's own, then those of public data sets."""
    return tuple(dict.fromkeys((*vocabulary.names, *term_names())))


def review_lines(plan: ImportPlan, vocabulary: Vocabulary) -> list[str]:
    """Sentences about the whole import, shown below the lines of the plan.

    Totals where there is more than one study; classes that have no key in the window; where the data come from.
    """
    lines, counts = list[str](), Counter[str]()
    for label in _labels(plan):
        counts[label.name] += len(label.span)
    has_several = len({*(study.study_id for study in plan.new_studies), *plan.changes}) > 1
    if has_several and plan.new_studies:
        frames = counted(sum(study.frame_count for study in plan.new_studies), "frame")
        studies = counted(len(plan.new_studies), "new study")
        lines.append(tr("In all: {studies} with {frames}.", studies=studies, frames=frames))
    if has_several and counts:
        names = ", ".join(f"{shown_name(name)} {number_text(count)}" for name, count in counts.most_common())
        lines.append(tr("Frames labelled: {names}.", names=names))
    if keyless := sorted(counts.keys() - set(vocabulary.names)):
        names = ", ".join(map(shown_name, keyless))
        lines.append(tr("Shown in grey under their own names, without a key: {names}.", names=names))
    if record := _record(plan.source):
        origin = tr(
            "From {data_set}, licence: {licence}. Please cite {cite}.",
            data_set=record["data set"],
            licence=record.get("licence", tr("unknown")),
            cite=record.get("cite") or tr("its authors"),
        )
        lines.append(origin)
    return lines


def _labels(plan: ImportPlan) -> Iterable[Label]:
    changes: Iterable[Change] = (change for changes in plan.changes.values() for change in changes)
    return (change.new for change in changes if isinstance(change, Add) and isinstance(change.new, Label))


def source_notes(plan: ImportPlan) -> list[str]:
    """Notes about the data set that the files were exported from; none for other folders."""
    notes = _record(plan.source).get("notes")
    return [str(note) for note in notes] if isinstance(notes, list) else []


def _record(path: Path) -> dict[str, Any]:
    """The export.json of a folder that `datasets export` wrote; empty for any other."""
    beside = (path if path.is_dir() else path.parent) / "export.json"
    try:
        record = read_json_object(beside, "record of an export")
    except UserError:
        return {}
    return record if "data set" in record and isinstance(record.get("notes", []), list) else {}
