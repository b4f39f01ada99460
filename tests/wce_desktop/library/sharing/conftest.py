"""A library on a server, with an account of each role."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.postgres import Server, make_library
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.sharing import copying
from wce_desktop.library.storage import server

ACCOUNTS = {
    "anna": "reader", "bert": "reader", "rosa": "researcher", "carla": "senior", "dora": "administrator",
}  # fmt: skip


class Shared:
    """One library on the server, and the folders through which each account opens it."""

    def __init__(self, postgres: Server, name: str, place: Path) -> None:
        self.postgres, self.name, self._place, self._stack = postgres, name, place, ExitStack()

    def open(self, account: str) -> Library:
        """The library, open for an account."""
        folder = self._place / account
        make_library(self.postgres.address(self.name, account), folder)
        return self._stack.enter_context(Library.open(folder, "somebody"))

    @contextmanager
    def raw(self, account: str) -> Iterator[Any]:
        """A connection of an account by itself, as `psql` has it: each statement by itself."""
        url = server.connection_url(self.postgres.address(self.name, account)).set(drivername="postgresql")
        with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as connection:
            yield connection

    def close(self) -> None:
        """Close what was opened."""
        self._stack.close()


@pytest.fixture
def shared(postgres: Server, made_on_server: str, tmp_path: Path) -> Iterator[Shared]:
    """A fresh library on the server, with an account of each role."""
    name = postgres.database(made_on_server)
    for account, role in ACCOUNTS.items():
        postgres.execute(f"DO $$ BEGIN CREATE ROLE {account} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        copying.allow(postgres.address(name), account, role)
    made = Shared(postgres, name, tmp_path)
    yield made
    made.close()


@pytest.fixture
def anna(shared: Shared) -> Library:
    """The library, open for a reader."""
    return shared.open("anna")


@pytest.fixture
def bert(shared: Shared) -> Library:
    """The library, open for another reader."""
    return shared.open("bert")


@pytest.fixture
def study(anna: Library, tmp_path: Path) -> Study:
    """A study of 1,000 frames."""
    return anna.studies.add(tmp_path / "Meier.mp4", frame_count=1000, fingerprint="abc", patient_id="p-1")
