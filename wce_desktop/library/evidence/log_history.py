"""What the lines of the audit log say of removed studies, restored backups and signed reports, by their places in it.

Lines can be appended to the log without breaking its chain. So a line explains only what comes before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

REMOVED = "(removed)"
"""Stands in titles for what was removed."""
CLEARED_TITLE = f"Content {REMOVED}"
"""The title of a removed study's lines."""
CLOCK = timedelta(days=1)
"""So much a clock may be wrong (ours)."""
_OWN_STUDY_ONLY = frozenset({"label", "finding", "landmark", "box", "report", "signature key", "library"})
"""Kinds of items that never name another study than their own."""
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class Restored:
    """A line that says that a backup was restored.

    Attributes:
        line: its number.
        place: after how many lines it ends.
        newest: number of the newest backup of then; None where the line holds no such number.
        when: when that was; None where the line holds no time, or one that is still to come.
        until: the latest time at which it can have been, by the line after it.
    """

    line: int
    place: int
    newest: int | None
    when: datetime | None
    until: datetime = _NEVER

    @property
    def is_valid(self) -> bool:
        """Whether such a line can be the program's."""
        return self.newest is not None and self.when is not None


@dataclass(slots=True)
class LogHistory:
    """What the lines say; `place` is the number of lines up to and with one.

    Attributes:
        removal_rows: studies that have a row of `removals`.
        studies: those that are in the library.
        restored: the restored backups, oldest first.
        signed: the signed reports: report, study and place.
    """

    removal_rows: Set[str] = frozenset()
    studies: Set[str] = frozenset()
    restored: list[Restored] = field(default_factory=list)
    signed: list[tuple[str, str, int]] = field(default_factory=list)
    _removed: dict[str, int] = field(default_factory=dict)
    _added: dict[str, int] = field(default_factory=dict)

    def note(self, line: int, place: int, facts: Mapping[str, Any], after: object) -> None:
        """Note what a line says."""
        item = str(facts["item_id"])
        if self.restored and self.restored[-1].place == place - 1:
            following = time_of(facts["when_utc"])
            self.restored[-1].until = min(filter(None, (self.restored[-1].until, following)))
        match facts["action"], facts["kind"]:
            case "remove", "study":
                self._removed[item] = place
            case "add", "study":
                self._added[item] = place
            case "sign", "report":
                self.signed.append((item, str(facts["study_id"]), place))
            case "restore", "library":
                newest, when = json_object(after).get("newest_backup"), time_of(facts["when_utc"])
                newest = None if type(newest) is not int or newest < 0 else newest
                when = None if when is not None and when > datetime.now(UTC) + CLOCK else when
                self.restored.append(Restored(line, place, newest, when, when or _NEVER))

    def is_removed(self, study_id: str, place: int) -> bool:
        """Whether what a line at a place says of a study was removed later, with this study.

        A restored backup may have lost studies that were removed after it was made: their removal is no line of its
        log.
        """
        if study_id not in self.removal_rows:
            return False
        if study_id in self.studies and self._added.get(study_id, 0) <= place:
            return False
        was_restored_later = bool(self.restored) and self.restored[-1].place > place
        return self._removed.get(study_id, 0) > place or was_restored_later

    @property
    def removals_without_line(self) -> int:
        """How many rows of `removals` no line explains."""
        return 0 if self.restored else len(self.removal_rows - self._removed.keys())

    def missing_reports(self, there: Set[str]) -> Iterator[str]:
        """The reports that were signed, and are neither there nor removed with their studies."""
        for report_id, study_id, place in self.signed:
            if report_id not in there and not self.is_removed(study_id, place):
                yield report_id


def may_be_cleared(facts: Mapping[str, Any], title: object, has_content: bool, cleared: Mapping[str, Any]) -> bool:
    """Whether a removal of the studies named in `cleared` can have left a line as it is."""
    own = facts["study_id"]
    is_own = own in cleared["studies"]
    if is_own:
        return {"title", "content"} <= cleared.keys() and title == CLEARED_TITLE and not has_content
    if "title" in cleared and REMOVED not in str(title):
        return False
    if "content" not in cleared:
        return True
    named = f"{own} {facts['item_id']}"
    may_name = facts["kind"] not in _OWN_STUDY_ONLY or any(study in named for study in cleared["studies"])
    return may_name and not has_content


def time_of(text: object) -> datetime | None:
    """A time of the log; None where it is none."""
    with suppress(ValueError, TypeError):
        time = datetime.fromisoformat(text)  # type: ignore[arg-type]
        return time if time.tzinfo is not None else None
    return None


def json_object(text: object) -> dict[str, Any]:
    """A cell that holds a JSON object; an empty one where it holds anything else."""
    with suppress(ValueError, TypeError, RecursionError):
        value = json.loads(text)  # type: ignore[arg-type]
        return value if isinstance(value, dict) else {}
    return {}
