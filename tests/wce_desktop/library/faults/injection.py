"""Makes the n-th call that changes the disk fail, or the process die at it.

Calls of Python are watched (open for writing, write, fsync, rename, link, unlink, mkdir, rmdir, truncate, sendfile),
and the statements and backups of SQLite that write. Only what lies in the given folders counts. Linux.
"""

import builtins
import errno
import io
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from wce_desktop.library.storage.sqlite_file import cipher

Kind = Literal["error", "full", "denied", "death"]
KINDS: tuple[Kind, ...] = ("error", "full", "denied", "death")
"""A passing error (EIO); a disk that stays full (ENOSPC); one refusal (EACCES); the process ends."""
_NUMBERS = {"error": errno.EIO, "full": errno.ENOSPC, "denied": errno.EACCES}
_SQLITE = {
    "error": ("disk I/O error", "SQLITE_IOERR_WRITE"),
    "full": ("database or disk is full", "SQLITE_FULL"),
    "denied": ("attempt to write a readonly database", "SQLITE_READONLY"),
}
_TAKES_NO_SPACE = {"unlink", "remove", "rmdir", "rename", "replace", "fsync", "truncate"}
_WRITING = ("INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "BEGIN IMMEDIATE", "COMMIT", "VACUUM", "REPLACE")
_WRITING_PRAGMAS = ("PRAGMA JOURNAL_MODE=", "PRAGMA WAL_CHECKPOINT")
DIED = 66
"""The exit status of a process that died at its step."""


class Fault:
    """Counts the calls in some folders, and makes one of them fail.

    Args:
        folders: where calls count.
        at: the number of the call that fails, from 0; -1: none.
    """

    def __init__(self, folders: Sequence[Path], at: int = -1, kind: Kind = "error") -> None:
        self.steps: list[str] = []
        self.is_armed = False
        """Whether calls count; connections that were opened before are watched, too."""
        self._folders = tuple(map(str, folders))
        self._at, self._kind = at, kind
        self._is_broken = False

    def is_inside(self, path: Any) -> bool:
        """Whether a path, or an open file's number, lies in one of the folders."""
        if not self.is_armed:
            return False
        path = Path(f"/proc/self/fd/{path}").readlink() if isinstance(path, int) else os.fsdecode(path)
        text = str(Path(path).absolute())
        return any(text == folder or text.startswith(f"{folder}/") for folder in self._folders)

    def fails(self, name: str) -> bool:
        """Count a call; whether it fails. Where the process dies it does not return."""
        if not self.is_armed:
            return False
        is_now = len(self.steps) == self._at
        self.steps.append(name)
        if is_now and self._kind == "death":
            if name == "write":
                return True  # half of it is written first
            os._exit(DIED)
        if is_now:
            self._is_broken = self._kind == "full"
            return not (self._is_broken and name in _TAKES_NO_SPACE)
        return self._is_broken and name not in _TAKES_NO_SPACE

    def error(self, path: Any) -> OSError:
        """The error of a call; a process that dies ends here."""
        if self._kind == "death":
            os._exit(DIED)
        number = _NUMBERS[self._kind]
        return OSError(number, os.strerror(number), path)

    def database_error(self, module: Any, *, is_named: bool = True) -> Exception:
        """The error of a statement; SQLCipher's backups and exports do not name it."""
        message, name = _SQLITE[self._kind]
        error: Exception = module.OperationalError(message)
        if is_named or module is sqlite3:
            error.sqlite_errorname = name  # type: ignore[attr-defined]
        return error


@contextmanager
def injected(fault: Fault) -> Iterator[Fault]:
    """Watch the calls of this process, until the block ends."""
    replaced: list[tuple[Any, str, Any]] = []

    def replace(module: Any, name: str, made: Any) -> None:
        replaced.append((module, name, getattr(module, name)))
        setattr(module, name, made)

    for name in ("rename", "replace", "link", "unlink", "remove", "mkdir", "rmdir", "truncate", "fsync"):
        replace(os, name, _watched_call(fault, name, getattr(os, name)))
    replace(os, "open", _watched_os_open(fault, os.open))
    replace(os, "write", _watched_write(fault, os.write))
    replace(os, "sendfile", _watched_sendfile(fault, os.sendfile))
    for module in (builtins, io):
        replace(module, "open", _watched_open(fault, io.open))
    for driver in (sqlite3, cipher()):
        replace(driver, "connect", _watched_connect(fault, driver, driver.connect))
    try:
        yield fault
    finally:
        for module, name, before in reversed(replaced):
            setattr(module, name, before)


def _watched_call(fault: Fault, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def watched(path: Any, *arguments: Any, **options: Any) -> Any:
        folder = options.get("dir_fd")
        if fault.is_inside(path if folder is None else folder) and fault.fails(name):
            raise fault.error(None if isinstance(path, int) else path)
        return call(path, *arguments, **options)

    return watched


def _watched_os_open(fault: Fault, call: Callable[..., int]) -> Callable[..., int]:
    def watched(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        is_writing = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        if is_writing and options.get("dir_fd") is None and fault.is_inside(path) and fault.fails("open"):
            raise fault.error(path)
        return call(path, flags, *arguments, **options)

    return watched


def _watched_write(fault: Fault, call: Callable[..., int]) -> Callable[..., int]:
    def watched(number: int, content: Any) -> int:
        if fault.is_inside(number) and fault.fails("write"):
            raise fault.error(None)
        return call(number, content)

    return watched


def _watched_sendfile(fault: Fault, call: Callable[..., int]) -> Callable[..., int]:
    def watched(to: int, *arguments: Any) -> int:
        if fault.is_inside(to) and fault.fails("write"):
            raise fault.error(None)
        return call(to, *arguments)

    return watched


def _watched_open(fault: Fault, call: Callable[..., Any]) -> Callable[..., Any]:
    def watched(path: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if isinstance(path, int) or not set("wax+") & set(mode) or not fault.is_inside(path):
            return call(path, mode, *arguments, **options)
        if fault.fails("open"):
            raise fault.error(path)
        return _Watched(fault, call(path, mode, *arguments, **options), path)

    return watched


class _Watched:
    """A file that is open for writing."""

    def __init__(self, fault: Fault, file: Any, path: Any) -> None:
        self._fault, self._file, self._path = fault, file, path

    def write(self, content: Any) -> int:
        """Write; where it fails, half of the content is on the disk."""
        if self._fault.fails("write"):
            self._file.write(content[: len(content) // 2])
            self._file.flush()
            raise self._fault.error(self._path)
        return int(self._file.write(content))

    def __enter__(self) -> "_Watched":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __iter__(self) -> Any:
        return iter(self._file)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def _watched_connect(fault: Fault, driver: Any, call: Callable[..., Any]) -> Callable[..., Any]:
    def watched(database: Any, *arguments: Any, **options: Any) -> Any:
        text = str(database)
        path = unquote(urlsplit(text).path) if options.get("uri") else text
        if ":memory:" in text or "mode=ro" in text or (fault.is_armed and not fault.is_inside(path)):
            return call(database, *arguments, **options)
        return call(database, *arguments, **{**options, "factory": _connection(fault, driver)})

    return watched


def _connection(fault: Fault, driver: Any) -> Any:
    def check(name: str, *, is_named: bool = True) -> None:
        if fault.fails(name):
            raise fault.database_error(driver, is_named=is_named)

    class Cursor(driver.Cursor):  # type: ignore[misc]
        def execute(self, statement: str, *arguments: Any) -> Any:
            words = " ".join(statement.upper().split())
            if words.startswith((*_WRITING, *_WRITING_PRAGMAS, "ATTACH")):
                check(words.split("(")[0][:30])
            elif "SQLCIPHER_EXPORT" in words:
                check("export", is_named=False)
            return super().execute(statement, *arguments)

        def executemany(self, statement: str, *arguments: Any) -> Any:
            check(f"many {statement.split('(')[0][:30]}")
            return super().executemany(statement, *arguments)

    class Connection(driver.Connection):  # type: ignore[misc]
        def cursor(self, factory: Any = None) -> Any:
            return super().cursor(factory or Cursor)

        def commit(self) -> None:
            if self.in_transaction:
                check("commit")
            super().commit()

        def backup(self, target: Any, **options: Any) -> None:
            check("backup", is_named=False)
            super().backup(target, **options)

        def __exit__(self, kind: Any, *_: object) -> Literal[False]:
            if kind is None:
                self.commit()
            else:
                self.rollback()
            return False

    return Connection
