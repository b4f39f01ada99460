"""What a signed report was made from: kept with it, so that a later change is told from a later look."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import Enum
from typing import Any

from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session


def frozen_content(session: Session, reading: Reading) -> str:
    """The patient record, findings, landmarks, boxes, links, scores and texts of a study as canonical JSON.

    Neither what was seen nor the model, threshold, language or marks on screen are in it: they may change after the
    signature, and the report still says the same.
    """
    study_id = reading.study.study_id
    links = (*session.library.links(study_id), *session.library.links_to(study_id))
    content = {
        "version": 1,
        "record": asdict(session.library.record(study_id)),
        "findings": _sorted(reading.findings),
        "landmarks": _sorted(reading.landmarks),
        "boxes": _sorted(reading.boxes),
        "links": _sorted(links),
        "report_parts": _sorted(reading.report_parts),
    }
    return _canonical(content)


def _sorted(items: Any) -> list[Any]:
    return sorted((asdict(item) for item in items), key=_canonical)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_plain)


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else str(value)
