"""Which backups are kept: the newest few, one for each of some days and weeks, and those that hold most."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from wce_desktop.library.backup.backup_file import Backup, Contents, contents_of

KEEP_LATEST = 5
KEEP_DAYS = 7
KEEP_WEEKS = 8


def backups_to_delete(backups: Iterable[Backup]) -> list[Backup]:
    """The backups to delete.

    Opening the library ten times in an hour does not remove yesterday's backup, and a library that lost its labels
    does not remove the backups that have them.
    """
    ordered = sorted(backups, key=lambda one: one.order)
    days = _newest_of_each((one.made.date(), one) for one in ordered)
    weeks = _newest_of_each((one.made.isocalendar()[:2], one) for one in ordered)
    kept = {*ordered[-KEEP_LATEST:], *days[-KEEP_DAYS:], *weeks[-KEEP_WEEKS:]}
    if len(kept) < len(ordered):
        kept |= most_complete(ordered)
    return [one for one in ordered if one not in kept and not one.has_own_name]


def most_complete(ordered: Sequence[Backup]) -> set[Backup]:
    """The newest of those with the most labels, findings, edits, and the longest log; `ordered` is oldest first."""
    held = [(contents_of(one.path) or Contents(), one) for one in ordered]
    counts = [[(c.labels, c.findings, c.edits, c.log_lines)[kind] for c, _ in held] for kind in range(4)]
    return {ordered[_last_index_of_max(of_kind)] for of_kind in counts if of_kind}


def _last_index_of_max(values: Sequence[int]) -> int:
    return max(range(len(values)), key=lambda index: (values[index], index))


def _newest_of_each(backups: Iterable[tuple[Hashable, Backup]]) -> list[Backup]:
    """The last of each group, in the order of these."""
    return sorted(dict(backups).values(), key=lambda one: one.order)
