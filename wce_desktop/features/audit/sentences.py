"""Lines of the audit log as sentences: what was changed, from what to what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.calculators import CALCULATORS, koda_grades
from wce_desktop.core.clock import counted, format_frame
from wce_desktop.library.audit import ENTERED, AuditEntry
from wce_desktop.library.whole_reading import PAST

MOST_LETTERS = 80
"""Of one value; longer texts are cut."""

Values = Mapping[str, Any]

_VERBS = {"add": "Added", "remove": "Removed", "replace": "Changed", "sign": "Signed"}
_PARTS = {
    "lewis": "the Lewis score",
    "cecdai": "the CECDAI score",
    "koda": "the KODA score",
    "cc-clear": "the CC-CLEAR score",
    "texts": "the texts of the report",
    "settled": "which differences with a second reader are settled",
}
_WORDS = {
    "name": "class",
    "kind": "class",
    "size_mm": "size in mm",
    "number": "number",
    "key_frames": "key frames",
    "when_utc": "time",
    "model_id": "model",
    "finding_id": "finding",
    "was_seen_before": "seen before the model's flag",
    "x_min": "left edge",
    "y_min": "upper edge",
    "x_max": "right edge",
    "y_max": "lower edge",
    "pseudonym": "name or number of the patient",
    "birth_year": "year of birth",
    "exam_date": "date of the examination",
    "read_by": "reader of the study",
    "patient_id": "patient",
    "path": "place of its file",
    "fingerprint": "content of its file",
    "runs": "which frames follow each other",
    "is_same": "the same or not",
    "other_name": "class at the other place",
}
_HIDDEN = {"study_id", "label_id", "box_id", "link_id", "part_id", "stop", "reader", "when_utc", "frame_index"}
"""Columns that a sentence says elsewhere, or not at all."""
_FREE = {
    "comment", "morphology", "segment", "pseudonym", "birth_year", "sex", "exam_date", "capsule", "indication",
    "preparation", "read_by", "path", "summary", "recommendation", "fingerprint",
}  # fmt: skip
"""What may name somebody, or is known of a patient: an export says only that it was changed."""
_FREE_OF_STUDIES = _FREE | {"name"}


def sentence(entry: AuditEntry, *, with_contents: bool = True) -> str:
    """What a line of the log says, such as "Changed the finding polyp on frames 6 to 10: size in mm from 4 to 7".

    Args:
        entry: the line.
        with_contents: False leaves out free text, what is known of the patient, and names of studies and files.
    """
    action = entry.action.removeprefix(PAST)
    values = (entry.after or entry.before or {}) if action != "remove" else (entry.before or {})
    said = ""
    with suppress(KeyError, TypeError, ValueError, AttributeError):  # lines of other versions, or invalid ones
        tell = _TOLD.get(entry.kind)
        said = tell(entry, action, values) if tell else ""
        if said and action == "replace":
            said += _changed(entry, with_contents=with_contents)
    said = said or f"{_VERBS.get(action, action.capitalize())} {entry.kind} {entry.item_id}"
    if entry.title.startswith(("Undo: ", "Redo: ")):
        said = f"{entry.title[:4]}: {said[:1].lower()}{said[1:]}"
    return f"Before an import: {said[:1].lower()}{said[1:]}." if entry.action.startswith(PAST) else f"{said}."


def full_sentence(entry: AuditEntry, when: str, study: str) -> str:
    """The same with who, when and where."""
    where = f", study {study}" if study else ""
    return f"{when}{where}, by {entry.reader or 'somebody without a name'}: {sentence(entry)}"


def _label(entry: AuditEntry, action: str, values: Values) -> str:
    where = _frames(values)
    how = {"implicit_normal": ", because they were seen and have no other label", "accepted_suggestion": ", accepted"}
    why = how.get(str(values.get("source")), "")
    if why == ", accepted" and entry.model_id:
        why += f" from the model {entry.model_id}"
    if action == "add":
        return f"Labelled {where} as {values['name']}{why}"
    return f"{_VERBS[action]} the label {values['name']} on {where}"


def _finding(_: AuditEntry, action: str, values: Values) -> str:
    return f"{_VERBS[action]} the finding {values['kind']} on {_frames(values)}"


def _landmark(entry: AuditEntry, action: str, values: Values) -> str:
    name, frame = Region(values["region"]).landmark, _frame(values["frame_index"])
    if action == "replace":
        return f"Moved the {name} from {_frame((entry.before or {})['frame_index'])} to {frame}"
    return f"Set the {name} to {frame}" if action == "add" else f"Removed the {name} from {frame}"


def _box(_: AuditEntry, action: str, values: Values) -> str:
    verb = "Drew" if action == "add" else _VERBS[action]
    return f"{verb} a box around {values['name']} on {_frame(values['frame_index'])}"


def _link(_: AuditEntry, action: str, values: Values) -> str:
    places = f"{_frame(values['frame_index'])} and {_frame(values['other_frame_index'])}"
    if values["other_study_id"] != values["study_id"]:
        places += f" of study {values['other_study_id']}"
    said = "show the same" if values["is_same"] else "do not show the same"
    verb = {"add": "Noted that", "remove": "Took back that", "replace": "Changed the note that"}[action]
    return f"{verb} {places} {said}"


def _record(_: AuditEntry, action: str, values: Values) -> str:
    return f"{_VERBS[action]} the patient record"


def _part(_: AuditEntry, action: str, values: Values) -> str:
    verb = "Entered" if action == "add" else _VERBS[action]
    return f"{verb} {_PARTS[str(values['kind'])]}"


def _study(entry: AuditEntry, action: str, values: Values) -> str:
    if action == "remove":
        return "Removed the study and everything derived from it"
    if action == "add" and values.get("second_of"):
        return f"Began a second reading of study {values['second_of']}"
    return "Added the study" if action == "add" else "Changed the study"


def _current_model(entry: AuditEntry, _: str, values: Values) -> str:
    before = (entry.before or {}).get("model_id")
    return f"Took the model {values['model_id']} into use" + (f" instead of {before}" if before else "")


def _model(entry: AuditEntry, action: str, _: Values) -> str:
    return f"{_VERBS[action]} the model {entry.item_id}"


def _report(_: AuditEntry, action: str, values: Values) -> str:
    return f"{_VERBS[action]} version {values['version']} of the report"


_TOLD: dict[str, Callable[[AuditEntry, str, Values], str]] = {
    "label": _label,
    "finding": _finding,
    "landmark": _landmark,
    "box": _box,
    "link": _link,
    "record": _record,
    "report part": _part,
    "study": _study,
    "model": _model,
    "current model": _current_model,
    "report": _report,
}


def _changed(entry: AuditEntry, *, with_contents: bool) -> str:
    """ ": size from 4 to 7, comment from … to …"; of an item that was changed."""
    before, after = _plain(entry.kind, entry.before), _plain(entry.kind, entry.after)
    if entry.kind in ("landmark", "current model"):
        return ""
    free = _FREE_OF_STUDIES if entry.kind == "study" else _FREE
    parts = []
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        if old == new:  # also of two pseudonyms, which the log does not hold
            continue
        words = "name" if (entry.kind, name) == ("study", "name") else _WORDS.get(name, name.replace("_", " "))
        if ENTERED in (old, new):
            parts.append(f"{words} {'entered' if new == ENTERED else 'removed'}")
            continue
        parts.append(f"{words} {_from_to(old, new)}" if with_contents or name not in free else f"{words} changed")
    return f": {', '.join(parts)}" if parts else ""


def _plain(kind: str, values: Values | None) -> dict[str, Any]:
    """The values of an item that a sentence tells, by their words."""
    told = dict(values or {})
    if "start" in told and "stop" in told:
        told = {"frames": _frames(told).removeprefix("frames ").removeprefix("frame "), **told}
        del told["start"]
    if isinstance(told.get("key_frames"), list):
        told["key_frames"] = ", ".join(format_frame(frame + 1) for frame in told["key_frames"])
    if kind == "report part":
        return _plain_part(str(told.get("kind")), told.get("content") or {})
    return {name: value for name, value in told.items() if name not in _HIDDEN and name != f"{kind}_id"}


def _plain_part(kind: str, content: Values) -> dict[str, Any]:
    calculator = next((one for name, one in CALCULATORS.items() if name == kind), None)
    if calculator is not None:
        fields = {field.key: field for field in calculator.fields}
        return {
            f"{fields[key].group} {fields[key].title}".strip().lower(): choice.title
            for key in content
            if key in fields and (choice := fields[key].chosen(content)) is not None
        }
    if kind == "koda":
        grades = {grade.frame_index: (grade.visualised, grade.obstruction) for grade in koda_grades(content)}
        return {_frame(frame): " and ".join("-" if g is None else str(g) for g in two) for frame, two in grades.items()}
    if kind == "settled":
        return {"settled": counted(len(content), "difference")}
    return dict(content)


def _from_to(old: object, new: object) -> str:
    if old in (None, "", [], {}):
        return f"entered as {_shown(new)}"
    if new in (None, "", [], {}):
        return f"{_shown(old)} removed"
    return f"from {_shown(old)} to {_shown(new)}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int):
        return str(value)
    text = " ".join(str(value).split())
    return f"“{text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + '…'}”"


def _frames(values: Values) -> str:
    """ "frames 6 to 10", as the window counts."""
    first, last = int(values["start"]) + 1, int(values["stop"])
    return f"frame {format_frame(first)}" if first == last else f"frames {format_frame(first)} to {format_frame(last)}"


def _frame(frame_index: object) -> str:
    return f"frame {format_frame(int(str(frame_index)) + 1)}"
