"""One text file with what helps to find a fault, and no patient data: versions, settings, library, jobs, log."""

import os
import platform
import re
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import distributions
from pathlib import Path

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from training.errors import writing
from training.files.outputs import written_beside
from wce_desktop.library import Library
from wce_desktop.library.backup.backup_file import list_backups
from wce_desktop.library.storage import integrity, key_file
from wce_desktop.library.storage.database import FILE_NAME
from wce_desktop.session.places import account_name, log_file
from wce_desktop.session.session import Session
from wce_desktop.session.settings import SETTINGS
from wce_desktop.shell.logging_setup import FORMATTER, LAST, without_values
from wce_desktop.threads.job import Job

LOG_BYTES = 200_000
JOBS, JOB_LINES = 10, 40
"""So many of the last jobs, and of each one's last lines."""
_WITHOUT_VALUES = re.compile(
    r"(It ended with an unexpected error \(\w+\)|The (graphics card|computer) ran out of memory)\.$"
)


def write_diagnostics(path: Path, session: Session, jobs: Sequence[Job]) -> None:
    """Write the file; names of studies, patients, readers and folders are left out.

    Raises:
        UserError: it cannot be written.
    """
    text = diagnostics(session, jobs)
    with writing(path), written_beside(path, clean=True) as beside:
        beside.write_text(text, encoding="utf-8")


def diagnostics(session: Session, jobs: Sequence[Job]) -> str:
    """The text of the file."""
    parts = (
        ("Versions", _versions()),
        ("Screens", _screens()),
        ("Library", _library(session.library)),
        ("Settings", _settings(session)),
        ("Last jobs", _jobs(jobs)),
        ("Last unexpected end", _tail(log_file().parent / LAST)),
        ("Log", _tail(log_file())),
    )
    text = "\n\n".join("\n".join((f"== {title} ==", *lines)) for title, lines in parts)
    return _without_places(FORMATTER.hidden(text), session) + "\n"


def _versions() -> Iterator[str]:
    yield f"Python {sys.version}"
    yield f"{platform.platform()}, {platform.machine()}, {os.cpu_count()} processors"
    yield f"Qt {qVersion()}, platform {QGuiApplication.platformName()}, SQLite {sqlite3.sqlite_version}"
    named = {f"{distribution.metadata['Name']} {distribution.version}" for distribution in distributions()}
    yield ", ".join(sorted(named, key=str.casefold))


def _screens() -> Iterator[str]:
    for screen in QGuiApplication.screens():
        size = screen.size()
        yield f"{size.width()} x {size.height()}, scale {screen.devicePixelRatio():g}"


def _library(library: Library) -> Iterator[str]:
    studies, labels, runs = library.studies.all(), library.models.label_totals().new_frames, library.runs.all()
    yield f"{len(studies)} studies, {sum(labels.values())} labelled frames, {len(runs)} runs"
    size, backups = integrity.size_of(library.folder / FILE_NAME), list_backups(library.folder)
    yield f"database {size:,} bytes, {len(backups)} backups"
    yield f"encrypted: {key_file.is_protected(library.folder)}, read only: {library.read_only or 'no'}"
    for study in studies:
        yield f"{study.study_id}: {study.frame_count:,} frames, {study.path.suffix}, video found: {study.path.exists()}"


def _settings(session: Session) -> Iterator[str]:
    """Those that cannot hold a name: numbers, yes or no, and choices of a list."""
    for setting in SETTINGS:
        if setting.titles or not isinstance(setting.default, str):
            yield f"{setting.key}: {session.settings[setting.key]}"


def _jobs(jobs: Sequence[Job]) -> Iterator[str]:
    for job in jobs[-JOBS:]:
        yield f"{job.spec.command}, {job.state}{_reason(job)}"
        yield from (f"    {without_values(line)}" for line in list(job.log)[-JOB_LINES:])


def _reason(job: Job) -> str:
    """Why a job failed, where its sentence holds nothing but kinds of errors: any other may name a file or a class."""
    if job.outcome is None or job.outcome.kind != "failed":
        return ""
    if reason := (job.outcome.result or {}).get("reason"):
        return f": {reason}"
    return f": {job.outcome.message}" if _WITHOUT_VALUES.match(job.outcome.message) else ""


def _tail(path: Path) -> Iterable[str]:
    try:
        return path.read_bytes()[-LOG_BYTES:].decode("utf-8", "replace").splitlines()
    except OSError:
        return ("(none)",)


def _without_places(text: str, session: Session) -> str:
    """Without the names of folders and of the account."""
    for folder, word in ((session.library.folder, "(library)"), (Path.home(), "(home)")):
        text = text.replace(str(folder), word)
    for name in {account_name(), session.library.reader, str(session.settings["reader"])}:
        if len(name) > 2 and name != "root":
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "(reader)", text)
    return text
