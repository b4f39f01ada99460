"""Copies of signed reports beside the backups of the database, and the way back from them.

A signed report never changes, so all backups share one copy of each. It is copied when it is signed, and with each
backup where that failed.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath

from training.files.outputs import written_beside
from wce_desktop.library.storage.integrity import table_names
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS, open_file

REPORTS = "reports"
LOG = logging.getLogger(__name__)


def copies_folder(library: Path) -> Path:
    """Where the copies are: the same folders and names as in the library's `reports/`."""
    return library / "backups" / REPORTS


def copy_reports(library: Path) -> int:
    """Copy the signed reports that have no copy yet; returns how many files.

    Only files that are those that were signed. One that cannot be copied is left for the next time, and noted in the
    log.
    """
    copied = 0
    for relative, sha256 in _signed_files(library / "library.sqlite"):
        source, target = library / relative, copies_folder(library).parent / relative
        try:
            if not target.is_file() and _is_file_of(source, sha256):
                _copy(source, target)
                copied += 1
        except OSError as error:
            LOG.warning("the signed report %s has no copy in the backups: %s", relative.name, error)
    return copied


def copy_copies(library: Path, place: Path) -> None:
    """Copy the copies of signed reports to another folder, as far as they are not there.

    Raises:
        OSError: one cannot be written.
    """
    kept = copies_folder(library)
    for path in sorted(kept.rglob("*")):
        target = place / REPORTS / path.relative_to(kept)
        if path.is_file() and not target.exists():
            _copy(path, target)


def restore_reports(library: Path) -> int:
    """Copy back the signed reports of the database that are missing or were changed; returns how many files.

    Raises:
        OSError: one cannot be written.
    """
    restored = 0
    for relative, sha256 in _signed_files(library / "library.sqlite"):
        there, kept = library / relative, copies_folder(library).parent / relative
        if not _is_file_of(there, sha256) and _is_file_of(kept, sha256):
            _copy(kept, there)
            restored += 1
    return restored


def forget_copies(library: Path, study_ids: Iterable[str]) -> None:
    """Delete the copies of the reports of these studies."""
    for study_id in study_ids:
        shutil.rmtree(copies_folder(library) / study_id, ignore_errors=True)


def _signed_files(database: Path) -> Iterator[tuple[Path, str]]:
    """The files of all signed reports, relative to the library's folder, with their checksums."""
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


def _is_file_of(path: Path, sha256: str) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with written_beside(target, sync=True) as beside:
        beside.write_bytes(source.read_bytes())
