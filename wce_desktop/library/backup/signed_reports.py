"""Copies of signed reports beside the backups of the database, and the way back from them.

A signed report never changes, so all backups share one copy of each. It is copied when it is signed, and with each
backup where that failed. In an encrypted library reports and copies are sealed (`storage.sealing`).
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from wce_desktop.library.storage import sealing
from wce_desktop.library.storage.integrity import table_names
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS, key_of, open_file

REPORTS = "reports"
DATABASE = "library.sqlite"
LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A file of a signed report, in any form; `sha256` is empty where the database does not know it."""

    path: Path
    sha256: str


def copies_folder(library: Path) -> Path:
    """Where the copies are: the same folders and names as in the library's `reports/`."""
    return library / "backups" / REPORTS


def report_key(library: Path) -> str:
    """The key with which the signed reports of a library are sealed; empty where they are not."""
    return key_of(library / DATABASE)


def copy_reports(library: Path) -> int:
    """Copy the signed reports that have no copy yet; returns how many files.

    Only files that are those that were signed. One that cannot be copied is left for the next time, and noted in the
    log.
    """
    copied, key = 0, report_key(library)
    for relative, sha256 in signed_files(library / DATABASE):
        target = copies_folder(library).parent / relative
        try:
            if not sealing.is_there(target) and (content := read_signed(library / relative, sha256)) is not None:
                sealing.write(target, content, key)
                copied += 1
        except OSError as error:
            LOG.warning("the signed report %s has no copy in the backups: %s", relative.name, error)
    return copied


def restore_reports(library: Path) -> int:
    """Copy back the signed reports of the database that are missing or were changed; returns how many files.

    Raises:
        OSError: one cannot be written.
    """
    restored, key = 0, report_key(library)
    for relative, sha256 in signed_files(library / DATABASE):
        kept = read_signed(copies_folder(library).parent / relative, sha256)
        if kept is not None and read_signed(library / relative, sha256) is None:
            sealing.write(library / relative, kept, key)
            restored += 1
    return restored


def forget_copies(place: Path, study_ids: Iterable[str]) -> None:
    """Delete the copies of the reports of these studies in a folder of backups."""
    for study_id in study_ids:
        # An id of a damaged database may be "" or "..", and would take other folders along.
        if (place / REPORTS / study_id).resolve().parent == (place / REPORTS).resolve():
            shutil.rmtree(place / REPORTS / study_id, ignore_errors=True)


def files_to_convert(library: Path, places: Iterable[Path] = (), key: str | None = None) -> list[ReportFile]:
    """The signed reports that are sealed in a plain library, or open in an encrypted one.

    Args:
        library: the library's folder.
        places: folders with a folder of reports; by default the library and its backups.
        key: of the library as it shall be; by default as it is.
    """
    key = report_key(library) if key is None else key
    places = tuple(places) or (library, library / "backups")
    signed = dict(signed_files(library / DATABASE))
    return [
        ReportFile(path, signed.get(path.relative_to(place), ""))
        for place in places
        for path in sealing.files_below(place / REPORTS)
        if (path if key else sealing.sealed(path)).exists()
    ]


def signed_files(database: Path) -> Iterator[tuple[Path, str]]:
    """The files of all signed reports that a database knows, relative to its library's folder, with their checksums."""
    try:
        with closing(open_file(database, read_only=True)) as connection:
            if "reports" not in table_names(connection):  # of an older version
                return
            rows = connection.execute("SELECT path, sha256, html_sha256 FROM reports").fetchall()
    except DATABASE_ERRORS:  # damaged: nothing is known of its reports
        return
    for path, sha256, html_sha256 in rows:
        parts = PurePosixPath(str(path)).parts
        if parts[:1] == (REPORTS,) and ".." not in parts:
            pdf = Path(*parts)
            yield pdf, str(sha256)
            yield pdf.with_suffix(".html"), str(html_sha256)


def read_signed(path: Path, sha256: str) -> bytes | None:
    """The content of a report's file; None where it is not the one that was signed."""
    try:
        return sealing.read(path, sha256)
    except (OSError, sealing.AlteredError, sealing.CannotUnsealError):
        return None
