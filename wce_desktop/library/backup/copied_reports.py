"""Signed reports in a folder of copies: each in a form that opens as the copies do which know it.

A sealed form that the library's key does not open belongs to copies of an earlier encryption. It is set aside under a
number (`report-1.pdf.1.sealed`), so that these copies keep their reports with the passphrase of then.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from wce_desktop.library.backup.signed_reports import (
    DATABASE,
    REPORTS,
    copies_folder,
    copy_names,
    read_signed,
    report_key,
    signed_files,
)
from wce_desktop.library.storage import sealing
from wce_desktop.library.storage.sqlite_file import opens


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
        _set_aside(target)
    if _is_in_form(form, content, key):
        other.unlink(missing_ok=True)
        return
    if form == sealing.sealed(target) and form.is_file():
        _set_aside(target)
    sealing.write(target, content, key)


def _is_in_form(form: Path, content: bytes, key: str) -> bool:
    """Whether a file has a content and, in an encrypted library, is sealed with its present key."""
    return form.is_file() and sealing.content_of_form(form) == content and (not key or opens(form, key))


def _set_aside(path: Path) -> None:
    free = (path.with_name(f"{path.name}.{number}{sealing.SUFFIX}") for number in count(1))
    sealing.sealed(path).rename(next(name for name in free if not name.exists()))
