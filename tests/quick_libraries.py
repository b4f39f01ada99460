"""Lets tests open and write libraries quickly.

None must survive a power cut, all are asked in the same SQL, and nobody tries to guess their passphrases.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.engine import Dialect, Engine

from wce_desktop.library.storage import database
from wce_desktop.library.storage.sqlite_file import cipher


class CompiledStatements(dict[Any, Any]):
    """SQL that was compiled for one library serves all; SQLAlchemy's own cache begins anew with each of them."""

    def get(self, key: Any, default: Any = None) -> Any:
        """What was compiled, for whichever connection."""
        return super().get(_of_any_connection(key), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(_of_any_connection(key), value)


def _of_any_connection(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(part for part in key if not isinstance(part, Dialect))


_PRAGMAS, _FSYNC = database._PRAGMAS, os.fsync
"""As in the program."""


FAST_ROUNDS = 1000
"""In which a key is derived from a passphrase; SQLCipher's own number, 256,000, takes a third of a second."""


@contextmanager
def quick_keys() -> Iterator[None]:
    """While this context is open, this process derives keys from passphrases in few rounds."""
    with closing(cipher().connect(":memory:")) as connection:
        (rounds,) = connection.execute("PRAGMA cipher_default_kdf_iter").fetchone()
        connection.execute(f"PRAGMA cipher_default_kdf_iter = {FAST_ROUNDS}")
        yield
        connection.execute(f"PRAGMA cipher_default_kdf_iter = {rounds}")


@contextmanager
def quick_libraries() -> Iterator[None]:
    """While this context is open, nothing waits for the disk or derives a key slowly; SQL is compiled once."""
    compiled = CompiledStatements()

    def make_engine(*arguments: Any, **options: Any) -> Engine:
        return create_engine(*arguments, **options, execution_options={"compiled_cache": compiled})

    with pytest.MonkeyPatch.context() as patch, quick_keys():
        patch.setattr(database, "create_engine", make_engine)
        patch.setattr(database, "_PRAGMAS", tuple(one.replace("=FULL", "=OFF") for one in _PRAGMAS))
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


def wait_for_the_disk(patch: pytest.MonkeyPatch) -> None:
    """Write as the program does until the patch is undone."""
    patch.setattr(database, "_PRAGMAS", _PRAGMAS)
    patch.setattr(os, "fsync", _FSYNC)
