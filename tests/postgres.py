"""A PostgreSQL server of the tests' own: from Debian's package, in a folder of its own, on the loopback."""

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote
from uuid import uuid4

import pytest
from sqlalchemy import Engine, create_engine, make_url

from wce_desktop.core.identity import SERVER_FILE
from wce_desktop.library.storage import database, integrity, opening, server

START_SECONDS = 30
PORTS = range(20_000, 32_000)
"""Below those that the system gives to connections, which could take the port of a server that starts again."""
SMALL = (
    "-c fsync=off -c shared_buffers=32MB -c min_wal_size=2MB -c max_wal_size=64MB -c wal_level=minimal "
    "-c max_wal_senders=0"
)
"""Settings for databases of some megabytes: several servers share a memory disk."""


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, of the newest version; None where it is not installed."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if places:
        return places[-1]
    beside = shutil.which("initdb")
    return Path(beside).parent if beside else None


class Server:
    """A running server; `database` makes an empty database and returns its address."""

    def __init__(self, bin_folder: Path, folder: Path, options: str = "") -> None:
        self._bin, self.folder, self._options = bin_folder, folder, f"{SMALL} {options}"
        self.accounts = {"tests"}
        self._engines: dict[str, Engine] = {}
        # The server refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(folder, self._user)
        self.port = _free_port()
        kind = ("-A", "trust", "-U", "tests", "-E", "UTF8", "--locale=C.UTF-8", "--wal-segsize=1")
        self._run("initdb", "--no-sync", *kind)

    def start(self) -> None:
        """Start it, or start it again; what a killed one held has to be free first.

        Raises:
            RuntimeError: it does not start; with the end of its log.
        """
        settings = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 {self._options}"
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self._run("pg_ctl", "-w", "-s", "-o", settings, "-l", str(self.folder / "log"), "start")
                return
            except subprocess.CalledProcessError as error:
                if time.monotonic() > deadline:
                    log = self.folder / "log"
                    lines = log.read_text(errors="replace").splitlines()[-20:] if log.exists() else ["no log"]
                    raise RuntimeError("\n".join(["PostgreSQL does not start:", *lines])) from error

    def add_account(self, name: str) -> None:
        """Make an account that may do everything, where there is none of this name."""
        if name not in self.accounts:
            create = f'CREATE ROLE "{name}" LOGIN SUPERUSER'
            self.execute(f"DO $$ BEGIN {create}; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
            self.accounts.add(name)

    def kill(self) -> None:
        """Kill it and all its processes with signal 9."""
        first = int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; "immediate" is as if it was killed."""
        for engine in self._engines.values():
            engine.dispose()
        self._run("pg_ctl", "-w", "-s", "-m", mode, "stop")

    def address(self, name: str, user: str = "tests") -> str:
        """The address of a database."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{name}?sslmode=disable"

    def database(self, template: str = "template1") -> str:
        """Make a database and return its name."""
        name = f"library_{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def execute(self, *statements: str, database: str = "postgres") -> None:
        """Run statements as the owner of the server."""
        if database not in self._engines:
            url = server.connection_url(self.address(database))
            self._engines[database] = create_engine(url, isolation_level="AUTOCOMMIT", pool_pre_ping=True)
        with self._engines[database].connect() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)

    def _run(self, program: str, *arguments: str) -> None:
        data = self.folder / "data"
        subprocess.run(
            [self._bin / program, "-D", data, *arguments],
            check=True,
            user=self._user,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if program == "pg_ctl" else None,
            cwd="/",
        )


def _free_port() -> int:
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free for PostgreSQL")


@contextmanager
def running(options: str = "") -> Iterator[Server]:
    """A server that ends with the block; its options come after those of `SMALL`."""
    bin_folder = programs()
    assert bin_folder is not None
    folder = Path(tempfile.mkdtemp(prefix="wce-postgres-"))
    try:
        started = Server(bin_folder, folder, options)
        try:
            started.start()
            yield started
        finally:
            with suppress(subprocess.CalledProcessError):  # it did not start, or ended before
                started.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def is_installed() -> bool:
    """Whether a server can be started here."""
    if programs() is None:
        return False
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        return os.geteuid() != 0
    return True


class Libraries:
    """Keeps the databases of all libraries that tests make on a server, instead of in their folders.

    Each account of the server is created when somebody opens a library with it. A copy of a library's folder gets a
    copy of its database.

    Args:
        template: the database of an empty library.
    """

    def __init__(self, postgres: Server, template: str) -> None:
        self._server, self._template = postgres, template
        self._open = opening.open_folder
        self._owners: dict[str, Path] = {}

    def open_folder(self, folder: Path, reader: str) -> opening.OpenFolder:
        """As `opening.open_folder`."""
        assert not (folder / database.FILE_NAME).exists(), "a library of the other database was kept too long"
        account = reader or "tests"
        self._server.add_account(account)
        server.OWN_ADDRESSES[folder] = self.address_of(folder, account)
        return self._open(folder, reader)

    def address_of(self, folder: Path, account: str = "tests") -> str:
        """The address of the database of the library in a folder; it is made where there is none."""
        name = make_url(server.address_in(folder)).database if (folder / SERVER_FILE).is_file() else None
        owner = folder if name is None else self._owners.setdefault(name, folder)
        if name is None or (owner != folder and owner.exists()):
            name = self._server.database(name or self._template)
            make_library(self._server.address(name, quote(account)), folder)
        self._owners[name] = folder
        return self._server.address(name, quote(account))

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Within it all libraries that are opened have their databases on the server."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(opening, "open_folder", self.open_folder)
            patch.setattr(Libraries, "current", self)
            yield

    @contextmanager
    def dropped_in(self, place: Path) -> Iterator[None]:
        """Drop what was made within the block for libraries below a folder."""
        before = set(self._owners)
        yield
        for name in [name for name, owner in self._owners.items() if name not in before and place in owner.parents]:
            self._server.execute(f"DROP DATABASE {name} WITH (FORCE)")
            del self._owners[name]

    current: ClassVar["Libraries | None"] = None
    """Those in use; None: libraries have their databases in their folders."""


def make_library(address: str, folder: Path) -> None:
    """An empty library on a server, whose tables are there already."""
    for part in ("", *integrity.PARTS):
        (folder / part).mkdir(parents=True, exist_ok=True)
    server.write_address(folder, address)
