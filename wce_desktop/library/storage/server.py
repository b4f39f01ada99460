"""A library whose database is on a PostgreSQL server, so that several readers can use it at once.

The folder of the library holds its files (videos, embeddings, models, signed reports) as that of any library, on a
share that every reader's computer reaches; `server.json` in it names the database. All tables are those of a library on
this computer. Nothing of this is imported where no library is on a server.
"""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from getpass import getuser
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    URL,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Identity,
    Integer,
    MetaData,
    String,
    Text,
    create_engine,
    event,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError, OperationalError, ProgrammingError
from sqlalchemy.schema import CreateColumn

from training.errors import UserError
from training.files import json_text
from wce_desktop.core.identity import ADDRESSES, SERVER_FILE, is_on_server
from wce_desktop.library import tables
from wce_desktop.library.rows import read_json
from wce_desktop.library.storage import database, guards, roles, server_errors
from wce_desktop.library.storage.key_store import system_key_store
from wce_desktop.library.storage.revisions import REVISIONS, VERSION_TABLE, bring_to, changes_of_rows

_WRITER = 7_294_301
"""The advisory lock that each transaction holds that may write: the lines of the audit log follow each other."""
_VANISHED_SECONDS, _WAIT_SECONDS = 60, 5
"""How long a transaction may do nothing, and how long another one waits for it."""


PASSWORDS = "wce-desktop server"
"""Under which the system's key store lists the passwords."""
TIMEOUTS: Mapping[str, Any] = {
    "connect_timeout": 3,
    "tcp_user_timeout": 4_000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
"""A server that does not answer is taken for lost within some seconds, not hours."""
OWN_ADDRESSES: dict[Path, str] = {}
"""Addresses that were given for the libraries in folders: with the account or other options of this reader."""


def is_address(place: str) -> bool:
    """Whether a library's place is the address of a database on a server."""
    return place.startswith(ADDRESSES)


def address_in(folder: Path) -> str:
    """The address of the database of the library in a folder; empty where its database lies in the folder.

    Raises:
        UserError: the file that names it cannot be read, or holds a password.
    """
    if not is_on_server(folder):
        return ""
    path = folder / SERVER_FILE
    if folder in OWN_ADDRESSES:
        return OWN_ADDRESSES[folder]
    address = json_text.read_json_object(path).get("database")
    if not isinstance(address, str) or not is_address(address):
        raise UserError("{path} names no database.", "It should hold an address such as postgresql://host/name.", path)
    return checked_address(address)


def checked_address(address: str) -> str:
    """The address itself.

    Raises:
        UserError: it holds a password, or is no address.
    """
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as error:
        raise UserError(
            "The address of the library's server cannot be read.", "Write it as postgresql://server/name."
        ) from error
    if url.password is not None or {"password", "sslpassword"} & url.query.keys():
        raise UserError(
            "The address of the library's server holds a password.",
            "Leave it out: wce-desktop library password keeps it in the system's key store.",
        )
    return address


def check_local(folder: Path) -> None:
    """Raise `UserError` if the database of a library is on a server: its administrator keeps it safe."""
    if is_on_server(folder):
        raise UserError(
            "This is not possible: the database of this library is on a server.",
            "Copy it with wce-desktop library copy, or ask the administrator of the server for a backup.",
        )


def write_address(folder: Path, address: str) -> None:
    """Name the database of the library in a folder, for all its readers."""
    (folder / SERVER_FILE).write_text(json.dumps({"database": address}, indent=2) + "\n", "utf-8")


def without_account(address: str) -> str:
    """The address as it is for all readers: without the account and certificate of one."""
    url = make_url(checked_address(address))._replace(username=None)
    return url.difference_update_query(("user", "sslcert", "sslkey")).render_as_string()


def connect(address: str) -> Engine:
    """An engine for the database; `engine.execution_options(writes=True)` begins transactions that may write.

    A transaction that reads sees one state of the database. Those that may write follow each other.

    Raises:
        UserError: the driver is not installed.
    """
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise UserError(
            "A library on a server needs psycopg, which is not installed.",
            "Install the extra: pip install 'wce_desktop[server]'.",
        ) from error
    engine = create_engine(
        connection_url(address),
        json_deserializer=read_json,
        hide_parameters=True,  # an error must not quote a comment or a patient record
        pool_pre_ping=True,
        connect_args={"application_name": "wce-desktop", **TIMEOUTS},
    )
    event.listen(engine, "begin", _begin)
    event.listen(engine, "connect", _follow_clock)
    event.listen(engine, "do_connect", lambda _dialect, _record, _args, given: given.update(password_for(address)))
    engine = engine.execution_options(window=uuid4().hex)
    with engine.connect() as connection:
        if roles.is_researcher(connection):
            engine = engine.execution_options(schema_path=f"{roles.SCHEMA}, public")
    return engine


def connection_url(address: str) -> URL:
    """The address for the driver; the server has to prove who it is unless the address says otherwise."""
    url = make_url(checked_address(address)).set(drivername="postgresql+psycopg")
    if "sslmode" not in url.query and url.host and not url.host.startswith("/"):
        url = url.update_query_dict({"sslmode": "verify-full"})
    return url


def password_for(address: str) -> dict[str, str]:
    """The password in the system's key store, as the driver takes it; empty: the driver looks for one itself."""
    store = system_key_store()
    with suppress(Exception):  # a locked store, for example: the server says that it wants a password
        password = store.get_password(PASSWORDS, password_name(address)) if store is not None else None
        return {} if password is None else {"password": password}
    return {}


def password_name(address: str) -> str:
    """Under which the key store has the password of an account."""
    url = make_url(checked_address(address))
    return f"{url.username or os.environ.get('PGUSER') or getuser()}@{url.host or 'localhost'}:{url.port or 5432}"


def _follow_clock(connection: Any, _record: object) -> None:
    """Let times be those of the server: clocks of computers differ."""
    asked = database.local_time()
    with connection.cursor() as cursor:
        database.follow_clock(cursor.execute("SELECT clock_timestamp()").fetchone()[0], asked)
    connection.rollback()


def _begin(connection: Connection) -> None:
    from psycopg import IsolationLevel

    writes = connection.get_execution_options().get("writes", False)
    opened: Any = connection.connection.driver_connection
    # One that writes would otherwise see the state of before the other transaction ended.
    opened.isolation_level = IsolationLevel.READ_COMMITTED if writes else IsolationLevel.REPEATABLE_READ
    if path := connection.get_execution_options().get("schema_path"):
        connection.exec_driver_sql(f"SET LOCAL search_path = {path}")
    if writes:
        # The server ends the transaction of a computer that vanished: others would wait for it.
        connection.exec_driver_sql(
            f"SELECT set_config('idle_in_transaction_session_timeout', '{_VANISHED_SECONDS}s', true),"
            f" set_config('lock_timeout', '{_WAIT_SECONDS}s', true), pg_advisory_xact_lock({_WRITER})"
        )


def upgrade(engine: Engine, there: str | None = None) -> None:
    """Bring the tables up to the last revision: what the revisions make, in the server's types; rows stay.

    Args:
        there: the revision that the tables have; None: the database is empty.
    """
    made = _tables()
    with engine.execution_options(writes=True).begin() as connection:
        made.create_all(connection)
        for table in made.tables.values():
            names = {column["name"] for column in inspect(connection).get_columns(table.name)}
            for column in (column for column in table.columns if column.name not in names):
                added = CreateColumn(column).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {added}")
            for index in table.indexes:
                index.create(connection, checkfirst=True)
        for statement in changes_of_rows(there) if there else ():
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql(f"DELETE FROM {VERSION_TABLE}")
        connection.execute(text(f"INSERT INTO {VERSION_TABLE} VALUES (:revision)"), {"revision": REVISIONS[-1]})
        roles.create_roles(connection)
        guards.create_guards(connection)


def _tables() -> MetaData:
    """The tables, keys and indexes of the last revision, read from an SQLite database in memory.

    `rowid` numbers the rows in the order in which they were entered, as SQLite does by itself.
    """
    made = MetaData()
    memory = create_engine("sqlite://")
    with memory.connect() as connection:
        opened: Any = connection.connection.driver_connection
        bring_to(opened, None)
        made.reflect(connection)
    memory.dispose()
    for column in (column for table in made.tables.values() for column in table.columns):
        if isinstance(column.type, String):  # ordered by their bytes, as in SQLite
            column.type = Text(collation="C")
        elif isinstance(column.type, Boolean):
            column.server_default = None if column.server_default is None else _default("false")
        elif isinstance(column.type, Integer):
            column.type = BigInteger()
    for name in tables.ORDERED:
        made.tables[name].append_column(Column("rowid", BigInteger, Identity(always=True), nullable=False))
    return made


def _default(sql: str) -> Any:
    from sqlalchemy import DefaultClause

    return DefaultClause(text(sql))


CHANNEL = "wce_library"


def notify(connection: Connection, study_ids: Iterable[str], reader: str) -> None:
    """Tell the other windows which studies this transaction changes, when it ends."""
    for study_id in sorted(set(study_ids)):
        news = json.dumps({"from": connection.get_execution_options()["window"], "study": study_id, "reader": reader})
        tables.execute(connection, "SELECT pg_notify(?, ?)", (CHANNEL, news))


def lost_error() -> type[Exception]:
    """What `changes` raises when the connection is lost."""
    import psycopg

    return psycopg.OperationalError


FOLDER = "folder"
"""In the table `meta`: the folder of the library's files, as the computer sees it that made the library."""


def folder_of(address: str) -> Path:
    """The folder of the library whose database is at an address.

    Raises:
        UserError: the database holds no library, or its folder is not reachable from here.
    """
    try:
        engine = connect(address)
        try:
            with engine.connect() as connection:
                value = connection.scalar(select(tables.meta.c.value).where(tables.meta.c.key == FOLDER))
        finally:
            engine.dispose()
    except ProgrammingError as error:
        raise UserError(
            "There is no library at {address}.", "Create it: wce-desktop library create.", address
        ) from error
    except OperationalError as error:
        raise server_errors.connecting(error.orig) from error
    folder = Path(str(value))
    if not is_on_server(folder):
        raise UserError(
            "The files of the library at {address} are not in {folder} on this computer.",
            "Connect the share, then give the folder instead of the address: --library FOLDER.",
            address,
            folder,
        )
    OWN_ADDRESSES[folder] = address
    return folder
