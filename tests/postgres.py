"""A PostgreSQL server of the tests' own: from Debian's package, in a folder of its own, on the loopback."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine

from wce_desktop.library.storage import integrity, server

_NUMBERS = count()


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, of the newest version; None where it is not installed."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if places:
        return places[-1]
    beside = shutil.which("initdb")
    return Path(beside).parent if beside else None


class Server:
    """A running server; `database` makes an empty database and returns its address."""

    def __init__(self, bin_folder: Path, folder: Path) -> None:
        self._bin, self.folder = bin_folder, folder
        # The server refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(folder, self._user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("initdb", "-A", "trust", "-U", "tests", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()

    def start(self) -> None:
        """Start it, or start it again."""
        settings = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self._run("pg_ctl", "-w", "-s", "-o", settings, "-l", str(self.folder / "log"), "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; "immediate" is as if it was killed."""
        self._run("pg_ctl", "-w", "-s", "-m", mode, "stop")

    def address(self, name: str, user: str = "tests") -> str:
        """The address of a database."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{name}?sslmode=disable"

    def database(self, template: str = "template1") -> str:
        """Make a database and return its name."""
        name = f"library{next(_NUMBERS)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def execute(self, *statements: str, database: str = "postgres") -> None:
        """Run statements as the owner of the server."""
        engine = create_engine(server.connection_url(self.address(database)), isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                for statement in statements:
                    connection.exec_driver_sql(statement)
        finally:
            engine.dispose()

    def _run(self, program: str, *arguments: str) -> None:
        data = self.folder / "data"
        subprocess.run(
            [self._bin / program, "-D", data, *arguments],
            check=True,
            user=self._user,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            stdout=subprocess.DEVNULL,
            cwd="/",
        )


@contextmanager
def running() -> Iterator[Server]:
    """A server that ends with the block."""
    bin_folder = programs()
    assert bin_folder is not None
    folder = Path(tempfile.mkdtemp(prefix="wce-postgres-", dir="/tmp"))
    try:
        started = Server(bin_folder, folder)
        try:
            yield started
        finally:
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


def make_library(address: str, folder: Path) -> None:
    """An empty library on a server, whose tables are there already."""
    for part in ("", *integrity.PARTS):
        (folder / part).mkdir(parents=True, exist_ok=True)
    server.write_address(folder, address)
