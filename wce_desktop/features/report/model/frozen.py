"""What a signed report was made from: kept with it, so that a later change is told from a later look."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from wce_desktop.core.annotation.finding import ENTRIES
from wce_desktop.core.annotation.record import TITLES
from wce_desktop.core.drawings import read_drawings
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

VERSION = 2
"""Of the content; 1 did not say which frames show a finding without key frames."""
NOT_IN_THE_REPORT = ("settled", "amendment", "audit", "checked")
"""Kinds of `ReportPart` that are kept with the report, but are no part of what it says."""


def frozen_content(session: Session, reading: Reading) -> str:
    """The patient record, findings, landmarks, boxes, links, scores and texts of a study as canonical JSON.

    Neither what was seen, in the audit too, nor the model, threshold, language or marks on screen are in it: they may
    change after the signature, and the report still says the same.
    """
    study_id = reading.study.study_id
    links = (*session.library.annotations.links(study_id), *session.library.annotations.links_to(study_id))
    content = {
        "version": VERSION,
        "record": asdict(session.library.studies.record(study_id)),
        "findings": sorted(
            (asdict(one) | {"pictures": reading.entries.frames_of(one)} for one in reading.entries.findings),
            key=_canonical,
        ),
        "landmarks": _sorted(reading.entries.landmarks),
        "boxes": _sorted(reading.entries.boxes),
        "links": _sorted(links),
        "report_parts": _sorted(
            report_part for report_part in reading.entries.report_parts if report_part.kind not in NOT_IN_THE_REPORT
        ),
    }
    return _canonical(content)


def shown_content(content: str) -> dict[str, dict[str, Any]]:
    """What a reader sees of a frozen content, by what it is of: ids, readers and times of entries are left out.

    Returns:
        "record": its fields; "findings": id -> fields with "pictures" (frames, None where they were not kept);
        "landmarks": region -> frame; "boxes" and "links": id -> fields; "report_parts": kind -> content.

    Raises:
        ValueError: it is not a frozen content.
    """
    try:
        held = json.loads(content)
        parts = {one["kind"]: one["content"] for one in held["report_parts"] if one["kind"] not in NOT_IN_THE_REPORT}
        frames = [frame for one in held["findings"] for frame in one.get("pictures") or one["key_frames"]]
        frames += [one["frame_index"] for one in held["landmarks"]]
        drawings = read_drawings(parts.pop("drawings", {})).of_frames(frames).content
        return {
            "record": _chosen(held["record"], TITLES),
            "findings": {one["finding_id"]: _finding(one) for one in held["findings"]},
            "landmarks": {one["region"]: one["frame_index"] for one in held["landmarks"]},
            "boxes": {one["box_id"]: _chosen(one, _BOX_FIELDS) for one in held["boxes"]},
            "links": {one["link_id"]: _chosen(one, _LINK_FIELDS) for one in held["links"]},
            "report_parts": parts | ({"drawings": drawings} if drawings else {}),
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("this is not the content of a report") from error


def is_same(old: str | None, new: str) -> bool:
    """Whether two frozen contents make the same report; False where the old one was not kept or cannot be read."""
    if old is None or old == new:
        return old is not None
    try:
        first, second = shown_content(old), shown_content(new)
    except ValueError:
        return False
    for finding_id, finding in first["findings"].items():
        other = second["findings"].get(finding_id)
        if other is not None and finding["pictures"] is None:
            other["pictures"] = None
    return _without_ids(first) == _without_ids(second)


_FINDING_FIELDS = ("kind", "span", "model_id", "was_seen_before")
_BOX_FIELDS = ("frame_index", "x_min", "y_min", "x_max", "y_max", "name")
_LINK_FIELDS = ("study_id", "frame_index", "other_study_id", "other_frame_index", "is_same")


def _chosen(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: values.get(name) for name in names}


def _finding(values: Mapping[str, Any]) -> dict[str, Any]:
    pictures = values.get("pictures") or values["key_frames"] or None
    entered = {name: values.get(name, entry.default) for name, entry in ENTRIES.items()}  # an older report has fewer
    return _chosen(values, _FINDING_FIELDS) | entered | {"pictures": pictures}


def _without_ids(content: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    lists = {name: sorted(map(_canonical, content[name].values())) for name in ("findings", "boxes", "links")}
    return {**content, **lists}


def _sorted(items: Any) -> list[Any]:
    return sorted((asdict(item) for item in items), key=_canonical)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
