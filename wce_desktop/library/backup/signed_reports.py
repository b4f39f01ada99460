"""Copies of signed reports beside the backups of the database and in folders of copies, and the way back from them.

A signed report never changes, so all backups share one copy of each. It is copied when it is signed, and with each
backup where that failed. No copy is ever replaced by another one: reports of earlier versions of the program have names
that two of them can share (`report-1.pdf`), and the copy of the second one is named by its content. In an encrypted
library reports and copies are sealed (`storage.sealing`).

In a folder of copies each is in a form that opens as the copies do which know it. A sealed form that the library's key
does not open belongs to copies of an earlier encryption. It is set aside under a number (`report-1.pdf.1.sealed`), so
that these copies keep their reports with the passphrase of then.
"""

import errno
import hashlib
import logging
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path, PurePosixPath

from wce_desktop.library.evidence.signature import SUFFIX, Signed
from wce_desktop.library.storage import integrity, sealing, sqlite_file

REPORTS = "reports"
DATABASE = "library.sqlite"
LOG = logging.getLogger(__name__)


def copies_folder(library: Path) -> Path:
    """Where the copies are: the same folders and names as in the library's `reports/`."""
    return library / "backups" / REPORTS


def report_key(library: Path) -> str:
    """The key with which the signed reports of a library are sealed; empty where they are not."""
    return sqlite_file.key_of(library / DATABASE)


def copy_reports(library: Path) -> int:
    """Copy the signed reports that have no copy yet; returns how many files.

    Only files that are those that were signed. One that cannot be copied is left for the next time, and noted in the
    log.
    """
    copied, key = 0, report_key(library)
    for relative, sha256 in signed_files(library / DATABASE):
        try:
            names = copy_names(relative, sha256)
            is_copied = any(sealing.is_there(copies_folder(library).parent / name) for name in names)
            if not is_copied and (content := read_signed(library / relative, sha256)) is not None:
                keep_copy(library, relative, content, key)
                copied += 1
        except OSError as error:
            LOG.warning("the signed report %s has no copy in the backups: %s", relative.name, error)
    return copied


def restore_reports(library: Path, *, only_missing: bool = False) -> int:
    """Copy back the signed reports of the database that are missing or were changed; returns how many files.

    Args:
        only_missing: only those whose files are gone, as a process leaves them that was killed while restoring. One
            that cannot be written is left for the next time, and noted in the log.

    Raises:
        OSError: one cannot be written.
    """
    restored, key = 0, report_key(library)
    for relative, sha256 in signed_files(library / DATABASE):
        path = library / relative
        if sealing.is_there(path) if only_missing else read_signed(path, sha256) is not None:
            continue
        try:
            if (kept := copy_of(library, relative, sha256)) is not None:
                with suppress(FileNotFoundError, sealing.CannotUnsealError):  # it may be another report of this name
                    content = sealing.read_any(path)
                    if copy_of(library, relative, hashlib.sha256(content).hexdigest()) is None:
                        keep_copy(library, relative, content, key)
                sealing.write(path, kept, key)
                restored += 1
        except OSError as error:
            if not only_missing:
                raise
            LOG.warning("a signed report was not restored: %s", error.strerror)
    return restored


def forget_copies(place: Path, study_ids: Iterable[str]) -> None:
    """Delete the copies of the reports of these studies in a folder of backups."""
    for study_id in study_ids:
        # An id of a damaged database may be "" or "..", and would take other folders along.
        if (place / REPORTS / study_id).resolve().parent == (place / REPORTS).resolve():
            shutil.rmtree(place / REPORTS / study_id, ignore_errors=True)


def files_to_convert(library: Path, key: str | None = None) -> list[tuple[Path, str]]:
    """The signed reports that are sealed in a plain library, or open in an encrypted one, with their checksums.

    The checksum of a file that the database does not know is empty.

    Args:
        library: the library's folder.
        key: of the library as it shall be; by default as it is.
    """
    key = report_key(library) if key is None else key
    signed = dict(signed_files(library / DATABASE))
    return [
        (path, signed.get(path.relative_to(place), ""))
        for place in (library, library / "backups")
        for path in sealing.files_below(place / REPORTS)
        if (path if key else sealing.sealed(path)).exists()
    ]


def signed_files(database: Path) -> Iterator[tuple[Path, str]]:
    """The files of all signed reports that a database knows, relative to its library's folder, with their checksums."""
    try:
        with closing(sqlite_file.open_file(database, read_only=True)) as connection:
            if "reports" not in integrity.table_names(connection):  # of an older version
                return
            columns = {row[1] for row in connection.execute("PRAGMA table_info(reports)")}
            signature = "statement, public_key, signature" if "signature" in columns else "NULL, NULL, NULL"
            rows = connection.execute(f"SELECT path, sha256, html_sha256, {signature} FROM reports").fetchall()
    except sqlite_file.DATABASE_ERRORS:  # damaged: nothing is known of its reports
        return
    for path, sha256, html_sha256, *signature in rows:
        parts = PurePosixPath(str(path)).parts
        if parts[:1] == (REPORTS,) and ".." not in parts:
            pdf = Path(*parts)
            yield pdf, str(sha256)
            yield pdf.with_suffix(".html"), str(html_sha256)
            if all(isinstance(part, str) for part in signature):
                yield pdf.with_suffix(SUFFIX), hashlib.sha256(Signed(*signature).file).hexdigest()


def copy_names(relative: Path, sha256: str) -> tuple[Path, Path]:
    """Where the copy of a report's file may lie: by its name, or by its content where another one has that name."""
    return relative, relative.with_stem(f"{relative.stem}-{sha256[:16]}")


def copy_of(library: Path, relative: Path, sha256: str) -> bytes | None:
    """The content of a report's file from the copies; None where no copy is the one that was signed."""
    copies = (read_signed(copies_folder(library).parent / name, sha256) for name in copy_names(relative, sha256))
    return next((content for content in copies if content is not None), None)


def keep_copy(library: Path, relative: Path, content: bytes, key: str) -> None:
    """Write a copy under the first name that no other file has.

    Raises:
        OSError: it cannot be written.
    """
    for name in copy_names(relative, hashlib.sha256(content).hexdigest()):
        target = copies_folder(library).parent / name
        if sealing.has_only(target, content):
            sealing.write(target, content, key)
            return
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))


def read_signed(path: Path, sha256: str) -> bytes | None:
    """The content of a report's file; None where it is not the one that was signed."""
    try:
        return sealing.read(path, sha256)
    except (OSError, sealing.AlteredError, sealing.CannotUnsealError):
        return None


def copy_reports_to(library: Path, place: Path) -> None:
    """Copy the signed reports of a library and its backups, sealed in an encrypted library and open in a plain one.

    Raises:
        OSError: one cannot be written.
    """
    key, signed = report_key(library), dict(signed_files(library / DATABASE))
    sealing.remove_partials(place / REPORTS)
    kept = copies_folder(library)
    names = {path.relative_to(kept) for path in sealing.files_below(kept)}
    there = {path.relative_to(place / REPORTS) for path in sealing.files_below(place / REPORTS)}
    for name in sorted(names | {name for name in there if (place / REPORTS / name).is_file()}):
        _bring(kept / name, place / REPORTS / name, signed.get(REPORTS / name, ""), key)


def can_be_read(place: Path) -> bool:
    """Whether a folder of copies has a signed report that every program can open."""
    return any(path.is_file() for path in sealing.files_below(place / REPORTS))


def copied_report(place: Path, path: Path, sha256: str) -> bytes | None:
    """The content of a copied report's file, from any form that a held key opens; None where there is none.

    Args:
        path: relative to the folder, as `signed_files` gives it.
    """
    contents = (read_signed(form, sha256) for name in copy_names(path, sha256) for form in _forms(place / name))
    return next((content for content in contents if content is not None), None)


def has_sealed_form(place: Path, path: Path) -> bool:
    """Whether a copied report is there in an encrypted form."""
    return any(sealing.sealed(form).is_file() for form in _forms(place / path))


def _forms(path: Path) -> Iterator[Path]:
    yield path
    for aside in sorted(path.parent.glob(f"{path.name}.*{sealing.SUFFIX}")):
        yield aside.with_name(aside.name.removesuffix(sealing.SUFFIX))


def _bring(source: Path, target: Path, sha256: str, key: str) -> None:
    """Bring one file into the form of the library; what only an earlier key opens is set aside."""
    here, there = sealing.content_of(source), sealing.content_of(target)
    is_right = there is not None and (not sha256 or sealing.has_content(there, sha256))
    content = there if here is None or (sha256 and is_right) else here
    if content is None:
        return
    form, other = (sealing.sealed(target), target) if key else (target, sealing.sealed(target))
    if other == sealing.sealed(target) and other.is_file():
        _set_sealed_aside(target)
    is_present = form.is_file() and sealing.content_of_form(form) == content
    if is_present and (not key or sqlite_file.opens(form, key)):  # in an encrypted library sealed with the present key
        other.unlink(missing_ok=True)
        return
    if form == sealing.sealed(target) and form.is_file():
        _set_sealed_aside(target)
    sealing.write(target, content, key)


def _set_sealed_aside(path: Path) -> None:
    free = (path.with_name(f"{path.name}.{number}{sealing.SUFFIX}") for number in count(1))
    sealing.sealed(path).rename(next(name for name in free if not name.exists()))
