"""Checks the audit log: its chain of hashes, and that it goes on from the logs of its backups and signed reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from training.runs.reporter import Reporter
from wce_desktop.core.language import tr, tr_count
from wce_desktop.library.backup.backup_file import Backup, find_backups, lacks_note, noted_head
from wce_desktop.library.backup.copies import copies
from wce_desktop.library.evidence.audit_chain import ChainCheck, Head
from wce_desktop.library.evidence.log_history import CLOCK, LogHistory, Restored
from wce_desktop.library.library import Library

MOST_LOST = 10_000
"""So many backups may be missing since one was restored (ours): numbers begin anew in an emptied folder."""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that is no problem, and worth knowing."""

    text: str


@dataclass(frozen=True, slots=True)
class Witness:
    """What holds the end of the log as it was at some time.

    Args:
        name: in a sentence, such as "the backup of 2026-11-27 10:00".
        sequence: number of a backup; None for a copy, whose number says nothing of this library's backups.
        made: when a backup or a copy was made; None for what belongs to this very log.
    """

    name: str
    head: Head
    sequence: int | None = None
    made: datetime | None = None


def check_log(library: Library, reporter: Reporter, chosen: Path | None = None) -> list[str | Note]:
    """What is wrong with the log, and what is worth knowing of it.

    Args:
        library: whose log.
        reporter: may stop the check.
        chosen: a folder with copies of backups, which are compared, too.
    """
    copied = [] if chosen is None else copies(library.folder, chosen)
    backups = find_backups(library.folder)
    witnesses = [witness for witness in (*_files(backups, copied), *_reports(library)) if witness.head.hash]
    result = library.audit.check({witness.head.hash for witness in witnesses}, reporter.check)
    history, newest = result.history, max((witness.sequence for witness in backups), default=0)
    remarks: list[str | Note] = [*_breaks(result), *_odd_lines(history, newest), *_without_note(backups)]
    if missing := set(history.missing_reports(library.reports.ids())):
        text = tr_count(
            "The log says that {count} report was signed that is no longer in the database, and its study was not "
            "removed. Look for it in the folder backups/reports of the library, and in a backup.",
            "The log says that {count} reports were signed that are no longer in the database, and their studies were "
            "not removed. Look for them in the folder backups/reports of the library, and in a backup.",
            len(missing),
        )
        remarks.append(text)
    apart = [witness for witness in witnesses if result.places.get(witness.head.hash) != witness.head.lines]
    fitting = [witness for witness in witnesses if witness not in apart]
    excused = [witness for witness in apart if any(_excuses(each, witness, fitting) for each in history.restored)]
    remarks += [_differs(witness, result) for witness in apart if witness not in excused]
    if excused:
        text = tr_count(
            "The log does not continue that of {witness}, because an older backup was restored, as a line of the log "
            "says. What was done in between is in that backup only.",
            "The log does not continue those of {count} backups, the last of them {witness}, because an older backup "
            "was restored, as a line of the log says. What was done in between is in those backups only.",
            len(excused),
            witness=excused[-1].name,
        )
        remarks.append(Note(text))
    if result.cleared:
        text = tr_count(
            "{count} line has lost its content, because a study was removed. Its hash is kept.",
            "{count} lines have lost their content, because studies were removed. Their hashes are kept.",
            result.cleared,
        )
        remarks.append(Note(text))
    return remarks


def _files(backups: list[Backup], copied: list[Backup]) -> Iterator[Witness]:
    for file in (*backups, *copied):
        if (head := noted_head(file.path)) is None:
            continue
        if file in copied:
            yield Witness(tr("the copy of {time}", time=file.local_time), head, made=file.made)
        else:
            yield Witness(tr("the backup of {time}", time=file.local_time), head, file.sequence, file.made)


def _reports(library: Library) -> Iterator[Witness]:
    for study in (*library.studies.all(), *library.studies.second_readings(), *library.studies.removed()):
        for report in library.reports.signed(study.study_id):
            if report.signed is not None and (head := _head(report.signed.values.get("audit"))) is not None:
                yield Witness(tr("version {version} of a signed report", version=report.version), head)


def _head(value: object) -> Head | None:
    match value:
        case {"lines": int(lines), "hash": str(last)}:
            return Head(lines, last)
    return None


def _excuses(restored: Restored, witness: Witness, fitting: Sequence[Witness]) -> bool:
    """Whether a line says that an older backup was restored after this backup or copy was made.

    A backup whose log holds the line was made after it; so were all later ones, whatever number the line names.
    """
    if witness.made is None or restored.newest is None or restored.when is None:
        return False
    if witness.sequence is None:
        return witness.made <= restored.until
    after = [other.sequence for other in fitting if other.sequence and other.head.lines >= restored.place]
    if witness.sequence > restored.newest or (after and witness.sequence >= min(after)):
        return False
    # The time of a file with a name of its own is that of its last change, which can be later.
    return witness.sequence == 0 or witness.made <= restored.until + CLOCK


def _odd_lines(history: LogHistory, newest: int) -> Iterator[str]:
    for restored in history.restored:
        if not restored.is_valid or (restored.newest or 0) > newest + MOST_LOST:
            yield tr(
                "Line {line} says that a backup was restored, with a time or a number that cannot be. It was added "
                "outside of the program.",
                line=restored.line,
            )
    if count := history.removals_without_line:
        yield tr_count(
            "{count} study is noted as removed, and no line of the log says so.",
            "{count} studies are noted as removed, and no line of the log says so.",
            count,
        )


def _without_note(backups: Sequence[Backup]) -> Iterator[str | Note]:
    for backup in backups:
        if lacks_note(backup.path):
            text = tr(
                "The backup of {time} does not note where its log ends, so the log cannot be compared with it.",
                time=backup.local_time,
            )
            yield Note(text) if backup.has_own_name else text


def _breaks(result: ChainCheck) -> Iterator[str]:
    if result.breaks:
        yield tr_count(
            "The log breaks at line {line}: lines were changed, inserted, removed or put in another order. Compare it "
            "with a backup.",
            "The log breaks at {count} lines, first at line {line}: lines were changed, inserted, removed or put in "
            "another order. Compare it with a backup.",
            len(result.breaks),
            line=result.breaks[0],
        )


def _differs(witness: Witness, result: ChainCheck) -> str:
    head = witness.head
    if result.head.lines < head.lines:
        return tr(
            "The log has {lines} lines and is shorter than that of {witness}, which had {more}. Either an older "
            "database was put in the place of this one outside of the program, or lines were removed; which of the two "
            "cannot be seen here. Compare it with that one.",
            lines=result.head.lines,
            more=head.lines,
            witness=witness.name,
        )
    return tr(
        "The log does not continue that of {witness}: line {line} differs. Either an older database was "
        "put in the place of this one outside of the program, or lines were changed; which of the two cannot be seen "
        "here. Compare it with that one.",
        witness=witness.name,
        line=head.lines,
    )
