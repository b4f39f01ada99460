"""An amendment of a signed report: which version it replaces, why, and what has changed since, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from wce_desktop.core import capital, format_frame, frame_range, local_time, number_text, to_translate, tr
from wce_desktop.core.annotation import PartKind, Region, ReportPart, part_of
from wce_desktop.core.annotation.finding import REPORT_ENTRIES
from wce_desktop.core.annotation.record import TITLES as RECORD_TITLES
from wce_desktop.core.calculators import CALCULATORS, SCORES, koda_grades, result_of
from wce_desktop.core.drawings import Drawings, read_drawings
from wce_desktop.features.report.model.content import Amendment
from wce_desktop.features.report.model.frozen import is_same, shown_content
from wce_desktop.features.report.model.gathering import SEEN_BEFORE, Names
from wce_desktop.features.report.model.parts import ADEQUACY, CONFIRMED, REQUEST
from wce_desktop.library.evidence.signature import SignedReport

Values = Mapping[str, Any]
AROUND_WORDS = 3
"""Of a long text: so many words before and behind what has changed are shown."""
_FINDING = {
    "kind": to_translate("Class"),
    "span": to_translate("Frames"),
    **{name: entry.title for name, entry in REPORT_ENTRIES.items()},
    "model_id": to_translate("Suggested"),
    "was_seen_before": to_translate("Seen before the model flagged it"),
    "pictures": to_translate("Pictures"),
}
_TEXTS = {
    **REQUEST,
    "summary": to_translate("Summary"),
    "recommendation": to_translate("Recommendation"),
    "adequacy": to_translate("Bowel cleansing"),
    **CONFIRMED,
}
_ACKNOWLEDGED = {
    "unseen_flags": to_translate("Flags not seen"),
    "flags": to_translate("Flags"),
    "unseen_frames": to_translate("Frames not seen"),
}


def reason_of(part: ReportPart | None) -> str:
    """Why it is amended; empty where nothing readable was entered."""
    reason = part.content.get("reason", "") if part is not None else ""
    return reason.strip() if isinstance(reason, str) else ""


def open_amendment(parts: Iterable[ReportPart], versions: Sequence[SignedReport]) -> ReportPart | None:
    """The part of an amendment that was begun and not signed: it replaces the newest version."""
    part = part_of(parts, "amendment")
    if part is None or not versions or not reason_of(part):
        return None
    return part if part.content.get("replaces") == versions[-1].version else None


def amendment_of(
    versions: Sequence[SignedReport],
    content: str,
    acknowledged: Values,
    names: Names,
    *,
    reader: str,
    reason: str,
) -> Amendment:
    """What an amendment of the newest version says at its head.

    Args:
        versions: the signed ones, oldest first; at least one.
        content: what the report is made from now; see `frozen_content`.
        acknowledged: what is acknowledged now, as a signed report keeps it.
        reader: who amends.
    """
    old = versions[-1]
    changes, problem = changes_of(old, content, acknowledged, names)
    earlier = tuple(
        tr("Version {version} of {when}, signed by {reader}.", version=one.version, when=local_time(one.created_utc),
           reader=one.reader)
        for one in versions[:-1]
    )  # fmt: skip
    return Amendment(old.version, local_time(old.created_utc), old.reader, reader, reason, changes, problem, earlier)


def changes_of(old: SignedReport, content: str, acknowledged: Values, names: Names) -> tuple[tuple[str, ...], str]:
    """What has changed since a version was signed, a sentence each; and why there is nothing to list, or empty."""
    if old.content is None:
        return (), tr(
            "What has changed cannot be listed: version {version} was signed before the program kept what a report "
            "is made from.",
            version=old.version,
        )
    try:
        before, now = shown_content(old.content), shown_content(content)
    except ValueError:
        return (), tr(
            "What has changed cannot be listed: what was kept of version {version} cannot be read.",
            version=old.version,
        )
    result = list(_changes(before, now, names))
    if not result and not is_same(old.content, content):
        result = [tr("Other entries")]
    problem = "" if result else tr("No entry has changed.")
    looked = _fields("", _ACKNOWLEDGED, old.acknowledged, acknowledged, lambda _, value: number_text(value))
    return (*result, *looked), problem


def _changes(before: Mapping[str, Values], now: Mapping[str, Values], names: Names) -> Iterator[str]:
    def record_text(name: str, value: Any) -> str:
        return tr(value) if name == "sex" else str(value)

    titles = {name: title for name, (title, _) in RECORD_TITLES.items()}
    yield from _fields(tr("Patient record"), titles, before["record"], now["record"], record_text)
    yield from _part_changes(before["report_parts"], now["report_parts"], "texts")
    yield from _finding_changes(before["findings"], now["findings"], names)
    for region in Region:
        name = str(region)
        first, second = (_frame(one["landmarks"].get(name), names) for one in (before, now))
        title = tr(region.landmark)
        yield from _field(tr("Landmarks"), capital(title), first, second)
    for kind in SCORES:
        yield from _part_changes(before["report_parts"], now["report_parts"], kind)
    yield from _drawing_changes(*(read_drawings(one["report_parts"].get("drawings", {})) for one in (before, now)))
    yield from _removed_and_added(_BOX, before["boxes"], now["boxes"], names)
    yield from _removed_and_added(_LINK, before["links"], now["links"], names)


def _finding_changes(before: Mapping[str, Values], now: Mapping[str, Values], names: Names) -> Iterator[str]:
    taken = [one for key, one in before.items() if key not in now]
    entered = []
    for one in (one for key, one in now.items() if key not in before):
        if one in taken:  # removed and entered again
            taken.remove(one)
        else:
            entered.append(one)
    for one in taken:
        yield tr("Finding removed: {finding}", finding=_finding_title(one, names))
    for one in entered:
        yield tr("Finding added: {finding}", finding=_finding_title(one, names))
    for key, old in before.items():
        if key in now:
            new = dict(now[key])
            if old["pictures"] is None:
                new["pictures"] = None
            yield from _fields(_finding_title(old, names), _FINDING, old, new, partial(_finding_text, names))


def _finding_title(one: Values, names: Names) -> str:
    start = int(one["span"]["start"])
    return tr("{finding} at {time}", finding=names.kind(one["kind"]), time=names.time(start))


def _finding_text(names: Names, name: str, value: Any) -> str:
    if name in REPORT_ENTRIES:
        return REPORT_ENTRIES[name].words(value, in_report=True)
    match name:
        case "kind":
            return names.kind(value)
        case "span":
            return frame_range(value["start"], value["stop"])
        case "model_id":
            return tr("by the model “{model}”", model=names.models.get(value, value))
        case "was_seen_before":
            return tr(SEEN_BEFORE[bool(value)])
        case "pictures":
            return ", ".join(format_frame(frame + 1) for frame in value)
    return str(value)


def _part_changes(before: Mapping[str, Values], now: Mapping[str, Values], kind: PartKind) -> Iterator[str]:
    old, new = before.get(kind, {}), now.get(kind, {})
    if old == new:
        return
    if kind == "texts":
        yield from _fields("", _TEXTS, old, new, _text_of_part)
        return
    title = tr(SCORES[kind])
    try:
        first, second = _value(kind, old), _value(kind, new)
        inputs = [_inputs(kind, one) for one in (old, new)]
    except ValueError:  # written by something else
        yield tr("{what}: changed", what=title)
        return
    yield from _field("", title, first, second)
    for name in dict.fromkeys((*inputs[0], *inputs[1])):
        yield from _field(title, name, inputs[0].get(name, ""), inputs[1].get(name, ""))


def _drawing_changes(before: Drawings, now: Drawings) -> Iterator[str]:
    for frame in sorted({*before.in_report} ^ {*now.in_report}):
        text = to_translate("Picture added: frame {frame}")
        if frame in before.in_report:
            text = to_translate("Picture removed: frame {frame}")
        yield tr(text, frame=format_frame(frame + 1))
    for frame in sorted({*before.shapes, *now.shapes}):
        if before.shapes.get(frame) != now.shapes.get(frame):
            yield tr("Drawing changed: frame {frame}", frame=format_frame(frame + 1))


def _value(kind: PartKind, content: Values) -> str:
    """A score as the report shows it; empty where nothing was entered."""
    if not content:
        return ""
    result = result_of(ReportPart.new(study_id="", kind=kind, content=content))
    return result.value if result is not None else tr("not complete")


def _inputs(kind: PartKind, content: Values) -> dict[str, str]:
    """What was entered for a score: the question -> the answer, in words."""
    if kind == "koda":
        grades = koda_grades(content) if content else ()
        shown = {grade.frame_index: (grade.visualised, grade.obstruction) for grade in grades}
        return {
            tr("Frame {frame}", frame=format_frame(frame + 1)): " / ".join(
                "–" if one is None else str(one) for one in two
            )
            for frame, two in shown.items()
        }
    answers = {}
    for field in CALCULATORS[kind].fields:
        choice = field.chosen(content)
        if choice is not None:
            answers[", ".join(filter(None, (tr(field.group), tr(field.title))))] = tr(choice.title)
    return answers


_BOX = to_translate("Box removed: {kind}, frame {frame}"), to_translate("Box added: {kind}, frame {frame}")
_LINK = (
    to_translate("Link with another study removed: frames {frame} and {other}"),
    to_translate("Link with another study added: frames {frame} and {other}"),
)


def _removed_and_added(
    words: tuple[str, str], before: Mapping[str, Values], now: Mapping[str, Values], names: Names
) -> Iterator[str]:
    """Boxes or links that are there only once; one that was changed counts as removed and added."""
    for text, items, others in zip(words, (before, now), (now, before), strict=True):
        for one in [one for one in items.values() if one not in others.values()]:
            frames = {"frame": one["frame_index"], "other": one.get("other_frame_index", 0)}
            shown = {name: format_frame(frame + 1) for name, frame in frames.items()}
            yield tr(text, kind=names.kind(one["name"]) if "name" in one else "", **shown)


def _text_of_part(name: str, value: str) -> str:
    if name in CONFIRMED:
        return tr("confirmed by the reader")
    return tr(ADEQUACY.get(value, value)) if name == "adequacy" else str(value)


def _fields(
    where: str, titles: Mapping[str, str], before: Values, now: Values, in_words: Callable[[str, Any], str]
) -> Iterator[str]:
    for name, title in titles.items():
        old, new = (
            "" if value is None or value in ("", ()) else in_words(name, value)
            for value in (before.get(name), now.get(name))
        )
        yield from _field(where, tr(title), old, new)


def _field(where: str, title: str, old: str, new: str) -> Iterator[str]:
    """ "Polyp at 0:00:11, Size: 7 mm, now 9 mm"; nothing where both are the same."""
    old, new = old.strip(), new.strip()
    if old == new:
        return
    what = ", ".join(filter(None, (where, title)))
    if not old:
        yield tr("{what}: entered: “{new}”", what=what, new=new)
    elif not new:
        yield tr("{what}: removed: “{old}”", what=what, old=old)
    else:
        before, after = _around_change(old, new)
        yield tr("{what}: “{old}”, now “{new}”", what=what, old=before, new=after)


def _around_change(old: str, new: str) -> tuple[str, str]:
    """The passages of two texts that differ, with some words around them."""
    first, second = old.split(), new.split()
    least = min(len(first), len(second))
    head = next((at for at in range(least) if first[at] != second[at]), least)
    tail = next((at for at in range(least - head) if first[-1 - at] != second[-1 - at]), least - head)
    start = max(head - AROUND_WORDS, 0)
    behind = max(tail - AROUND_WORDS, 0)

    def passage(words: list[str]) -> str:
        shown = " ".join(words[start : len(words) - behind])
        return f"{'… ' if start else ''}{shown}{' …' if behind else ''}"

    before, after = passage(first), passage(second)
    return (before, after) if before != after else (old, new)  # only spaces or lines differ


def _frame(frame: int | None, names: Names) -> str:
    if frame is None:
        return ""
    return tr("Frame {frame}, {time}", frame=format_frame(frame + 1), time=names.time(frame))
