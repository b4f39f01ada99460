"""Checks the audit log: its chain of hashes, and that it goes on from the logs of its backups and signed reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from training.runs.reporter import Reporter
from wce_desktop.core.language import tr, tr_count
from wce_desktop.library.backup.backup_file import Backup, find_backups, noted_head
from wce_desktop.library.backup.copies import copies
from wce_desktop.library.evidence.audit_chain import ChainCheck, Head
from wce_desktop.library.library import Library


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that is no problem, and worth knowing."""

    text: str


@dataclass(frozen=True, slots=True)
class Witness:
    """What holds the end of the log as it was at some time.

    Args:
        name: in a sentence, such as "the backup of 2026-11-27 10:00".
        sequence: number of a backup; None for what belongs to this very log.
        made_utc: when a copy was made, whose number says nothing of this library's backups; empty for others.
    """

    name: str
    head: Head
    sequence: int | None = None
    made_utc: str = ""


def check_log(library: Library, reporter: Reporter, chosen: Path | None = None) -> list[str | Note]:
    """What is wrong with the log, and what is worth knowing of it.

    Args:
        library: whose log.
        reporter: may stop the check.
        chosen: a folder with copies of backups, which are compared, too.
    """
    copied = [] if chosen is None else copies(library.folder, chosen)
    witnesses = [one for one in (*_backups(library), *_copies(copied), *_reports(library)) if one.head.hash]
    result = library.check_audit_log({one.head.hash for one in witnesses}, reporter.check)
    said: list[str | Note] = [*_breaks(result)]
    apart = [one for one in witnesses if result.places.get(one.head.hash) != one.head.lines]
    excused = [one for one in apart if _is_excused(one, result)]
    said += [_differs(one, result) for one in apart if one not in excused]
    if excused:
        said.append(Note(_restored(excused)))
    if result.cleared:
        said.append(
            Note(
                tr_count(
                    "{count} line has lost its content, because a study was removed. Its hash is kept.",
                    "{count} lines have lost their content, because studies were removed. Their hashes are kept.",
                    result.cleared,
                )
            )
        )
    return said


def _backups(library: Library) -> Iterator[Witness]:
    for backup in find_backups(library.folder):
        head = noted_head(backup.path)
        if head is not None:
            yield Witness(tr("the backup of {time}", time=backup.local_time), head, backup.sequence)


def _copies(copied: list[Backup]) -> Iterator[Witness]:
    for copy in copied:
        head = noted_head(copy.path)
        if head is not None:
            yield Witness(tr("the copy of {time}", time=copy.local_time), head, made_utc=copy.made.isoformat())


def _reports(library: Library) -> Iterator[Witness]:
    for study in (*library.studies(), *library.second_readings()):
        for report in library.signed_reports(study.study_id):
            if report.signed is not None and (head := _head(report.signed.values.get("audit"))) is not None:
                yield Witness(tr("version {version} of a signed report", version=report.version), head)


def _head(found: object) -> Head | None:
    match found:
        case {"lines": int(lines), "hash": str(last)}:
            return Head(lines, last)
    return None


def _is_excused(witness: Witness, result: ChainCheck) -> bool:
    """Whether a line of the log says that an older backup was restored after this one was made."""
    if witness.made_utc:
        return witness.made_utc <= result.restored_utc
    return result.restored is not None and witness.sequence is not None and witness.sequence <= result.restored


def _breaks(result: ChainCheck) -> list[str]:
    if not result.breaks:
        return []
    return [
        tr_count(
            "The log breaks at line {line}: lines were changed, inserted, removed or put in another order. Compare it "
            "with a backup.",
            "The log breaks at {count} lines, first at line {line}: lines were changed, inserted, removed or put in "
            "another order. Compare it with a backup.",
            len(result.breaks),
            line=result.breaks[0],
        )
    ]


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


def _restored(excused: list[Witness]) -> str:
    return tr_count(
        "The log does not continue that of {witness}, because an older backup was restored, as a line of the log "
        "says. What was done in between is in that backup only.",
        "The log does not continue those of {count} backups, the last of them {witness}, because an older backup was "
        "restored, as a line of the log says. What was done in between is in those backups only.",
        len(excused),
        witness=excused[-1].name,
    )
