"""Lines of the audit log as sentences: what was changed, from what to what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from string import Formatter
from typing import Any

from wce_desktop.core import counted, format_frame, frame_range, number_text, to_translate, tr
from wce_desktop.core.annotation import finding, label, landmark, record, vocabulary
from wce_desktop.core.calculators import CALCULATORS, Field, koda_grades
from wce_desktop.core.identity import is_random_id
from wce_desktop.features.audit.wordings import DONE, OTHER, PARTS, WORDS
from wce_desktop.library.audit import ENTERED, AuditEntry
from wce_desktop.library.whole_reading import PAST
from wce_desktop.session.settings import PROTOCOLS

MOST_LETTERS = 80
"""Of one value; longer texts are cut."""

Values = Mapping[str, Any]

_HIDDEN = {
    "study_id",
    "label_id",
    "box_id",
    "link_id",
    "part_id",
    "stop",
    "reader",
    "when_utc",
    "frame_index",
    "removed_utc",
}
"""Columns that a sentence says elsewhere, or not at all."""
_FREE = {
    *record.TITLES, "path", "summary", "recommendation", "fingerprint",
    *(name for name, entry in finding.ENTRIES.items() if entry.is_free_text),
}  # fmt: skip
"""What may name somebody, or is known of a patient: an export says only that it was changed."""
_CLASSES = {("label", "name"), ("box", "name"), ("finding", "kind"), ("link", "name"), ("link", "other_name")}
"""What names a class."""
_FREE_OF_STUDIES = _FREE | {"name"}
_TRANSLATED = {"state", "sex", *(name for name, entry in finding.ENTRIES.items() if entry.options)}
"""Columns with words of the program, which are stored in English."""
_NOTHING: tuple[object, ...] = (None, "", [], {})
_BEING_READ = to_translate("being read")
"""The state of a study that is stored as "reading", which other texts use in another sense."""


def with_names(entry: AuditEntry, names: Mapping[str, str]) -> AuditEntry:
    """A line that names what it speaks of, for the screen; the log itself, and its export, keep ids.

    Args:
        entry: the line.
        names: what studies, models and runs are called, by their ids.
    """

    def named(values: Values | None) -> Values | None:
        if values is None:
            return None
        others = {"second_of", "model_id"}
        others |= {"other_study_id"} if values.get("other_study_id") != values.get("study_id") else set()
        return {key: known_as(str(value), names) if key in others and value else value for key, value in values.items()}

    return replace(
        entry,
        before=named(entry.before),
        after=named(entry.after),
        item_id=known_as(entry.item_id, names),
        model_id=known_as(entry.model_id, names) if entry.model_id else entry.model_id,
    )


def known_as(item_id: str, names: Mapping[str, str]) -> str:
    """The name of what has this id; of what was removed only an id that somebody gave."""
    return names.get(item_id, tr("(removed)") if is_random_id(item_id) else item_id)


def sentence(entry: AuditEntry, *, with_contents: bool = True) -> str:
    """What a line of the log says, such as "Changed the finding polyp on frames 6 to 10: size in mm from 4 to 7".

    Args:
        entry: the line.
        with_contents: False leaves out free text, what is known of the patient, and names of studies and files.
    """
    action = entry.action.removeprefix(PAST)
    values = (entry.after or entry.before or {}) if action != "remove" else (entry.before or {})
    message = ""
    with suppress(KeyError, TypeError, ValueError, AttributeError):  # lines of other versions, or invalid ones
        message = _told(entry, action, values)
        if action == "replace":
            message += _changed(entry, with_contents=with_contents)
    kind = tr(entry.kind)
    if not message and action in OTHER:
        message = tr(OTHER[action], kind=kind, item=entry.item_id)
    message = f"{message or f'{action.capitalize()} {kind} {entry.item_id}'}."
    if entry.title.startswith("Undo: "):
        message = tr("Undo: {sentence}", sentence=message)
    elif entry.title.startswith("Redo: "):
        message = tr("Redo: {sentence}", sentence=message)
    return tr("Before an import: {sentence}", sentence=message) if entry.action.startswith(PAST) else message


def full_sentence(entry: AuditEntry, when: str, study: str) -> str:
    """The same with who, when and where."""
    reader, message = entry.reader or tr("somebody without a name"), sentence(entry)
    if study:
        return tr("{when}, study {study}, by {reader}: {said}", when=when, study=study, reader=reader, said=message)
    return tr("{when}, by {reader}: {said}", when=when, reader=reader, said=message)


def _told(entry: AuditEntry, action: str, values: Values) -> str:
    """What was done to the item; raises KeyError for kinds and actions of other versions."""
    wording = DONE[_case(entry, action, values), "replace" if entry.kind == "current model" else action]
    named = {name for _, name, _, _ in Formatter().parse(wording) if name}
    done = tr(wording, **{name: _VALUES[name](entry, values) for name in named})
    if entry.kind != "label" or action != "add":
        return done
    source, is_negative = values.get("source"), values.get("answer") == "no"
    if entry.model_id and (is_negative or (values["name"] == label.NORMAL and source == "reader")):
        return tr("{done}, rejecting the model {model}", done=done, model=entry.model_id)
    if source == "implicit_normal":
        return tr("{done}, because they were seen and have no other label", done=done)
    if source == "accepted_suggestion" and entry.model_id:
        return tr("{done}, accepted from the model {model}", done=done, model=entry.model_id)
    return tr("{done}, accepted", done=done) if source == "accepted_suggestion" else done


def _case(entry: AuditEntry, action: str, values: Values) -> str:
    """The kind of an item, or the case of it that has a wording of its own in `DONE`."""
    match entry.kind:
        case "label" if values.get("answer") == "no":
            return "negative"
        case "link":
            is_far = values["other_study_id"] != values["study_id"]
            return f"{'far ' if is_far else ''}link {bool(values['is_same'])}"
        case "record" if action == "replace" and (gone := values.get("removed_utc", "")) != (entry.before or {}).get(
            "removed_utc", ""
        ):
            return "removed study" if gone else "returned study"
        case "study" if action == "add" and values.get("second_of"):
            return "second study"
        case "current model" if (entry.before or {}).get("model_id"):
            return "changed model"
        case "library" if not values["backup_utc"]:
            return "empty library"
        case "signature key" if values.get("earlier"):
            return "other signature key"
    return entry.kind


def _before(entry: AuditEntry, _: Values) -> str:
    before = entry.before or {}
    return _frame(before["frame_index"]) if entry.kind == "landmark" else str(before["model_id"])


_VALUES: dict[str, Callable[[AuditEntry, Values], object]] = {
    "before": _before,
    "first": lambda _, values: values["second_of"],
    "frame": lambda _, values: _frame(values["frame_index"]),
    "frames": lambda _, values: _frames(values),
    "key": lambda entry, _: entry.item_id,
    "landmark": lambda _, values: tr(landmark.Region(values["region"]).landmark),
    "model": lambda entry, values: entry.item_id if entry.kind == "model" else values["model_id"],
    "name": lambda entry, values: vocabulary.shown_name(values["kind" if entry.kind == "finding" else "name"]),
    "other": lambda _, values: _frame(values["other_frame_index"]),
    "part": lambda _, values: tr(PARTS[str(values["kind"])]),
    "protocol": lambda _, values: tr(PROTOCOLS.get(str(values["protocol"]), "")),
    "study": lambda _, values: values["other_study_id"],
    "time": lambda _, values: f"{datetime.fromisoformat(values['backup_utc']).astimezone():%Y-%m-%d %H:%M}",
    "version": lambda _, values: values["version"],
}
"""What stands in the wordings."""


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
        words = tr("name" if (entry.kind, name) == ("study", "name") else WORDS.get(name, name.replace("_", " ")))
        is_hidden = name == "fingerprint" or (not with_contents and name in free)
        if ENTERED in (old, new):
            message = tr("{value} entered", value=words) if new == ENTERED else tr("{value} removed", value=words)
        elif is_hidden or is_random_id(str(old)) or is_random_id(str(new)):
            message = tr("{value} changed", value=words)
        else:
            old, new = (_translated(value) if name in _TRANSLATED and value else value for value in (old, new))
            if (entry.kind, name) in _CLASSES:
                old, new = (vocabulary.shown_name(str(value)) if value else value for value in (old, new))
            if old in _NOTHING:
                message = tr("{value} entered as {new}", value=words, new=_shown(new))
            elif new in _NOTHING:
                message = tr("{value} {old} removed", value=words, old=_shown(old))
            else:
                message = tr("{value} from {old} to {new}", value=words, old=_shown(old), new=_shown(new))
        parts.append(message)
    return f": {', '.join(parts)}" if parts else ""


def _translated(word: str) -> str:
    return tr(_BEING_READ if word == "reading" else word)


def _plain(kind: str, values: Values | None) -> dict[str, Any]:
    """The values of an item that a sentence tells, by their words."""
    told = dict(values or {})
    if "start" in told and "stop" in told:
        told = {"frames": frame_range(told["start"], told["stop"]), **told}
        del told["start"]
    if isinstance(told.get("key_frames"), list):
        told["key_frames"] = ", ".join(format_frame(frame + 1) for frame in told["key_frames"])
    if kind == "report part":
        return _plain_part(str(told.get("kind")), told.get("content") or {})
    return {name: value for name, value in told.items() if name not in _HIDDEN and name != f"{kind}_id"}


def _plain_part(kind: str, content: Values) -> dict[str, Any]:
    fields = [field for name, calculator in CALCULATORS.items() if name == kind for field in calculator.fields]
    if fields:
        chosen = [(field, field.chosen(content)) for key in content for field in fields if field.key == key]
        return {_input_named(field): tr(choice.title) for field, choice in chosen if choice is not None}
    if kind == "koda":
        return {
            _frame(grade.frame_index): tr(
                "{one} and {other}", one=_grade(grade.visualised), other=_grade(grade.obstruction)
            )
            for grade in koda_grades(content)
        }
    if kind == "settled":
        return {"settled": counted(len(content), "difference")}
    if kind == "checked":
        return {"checked": counted(len(content.get("entries", ())), "frame")}
    if kind == "audit":
        return {"looked at": counted(int(content.get("looked", 0)), "frame")}
    if kind == "drawings":
        shown = {"drawings": content.get("frames", {}), "pictures of the report": content.get("report", [])}
        return {name: ", ".join(_frame(int(frame)) for frame in frames) for name, frames in shown.items() if frames}
    return dict(content)


def _input_named(field: Field) -> str:
    """A calculator's input in the middle of a sentence; only English writes its title small there."""
    message = " ".join(filter(None, (tr(field.group), tr(field.title))))
    return message.lower() if message == f"{field.group} {field.title}".strip() else message


def _grade(grade: int | None) -> str:
    return "-" if grade is None else str(grade)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, float):
        return number_text(value, "g")
    if isinstance(value, int):
        return str(value)
    text = " ".join(str(value).split())
    return tr("“{value}”", value=text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…")


def _frames(values: Values) -> str:
    """ "frames 6 to 10", as the window counts."""
    first, last = int(values["start"]) + 1, int(values["stop"])
    if first == last:
        return tr("frame {number}", number=format_frame(first))
    return tr("frames {first} to {last}", first=format_frame(first), last=format_frame(last))


def _frame(frame_index: object) -> str:
    return tr("frame {number}", number=format_frame(int(str(frame_index)) + 1))
