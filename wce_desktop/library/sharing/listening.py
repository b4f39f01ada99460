"""What happens at other windows on a library on a server: what they change, and which studies they have open."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import Engine

from wce_desktop.library.storage import server

ANYTHING: Mapping[str, Any] = {"studies": None, "reader": ""}
"""A change of which only is known that there may have been one."""
_OPEN_AT = """
SELECT application_name, usename FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name ~ '^wce [0-9a-f]{12} [0-9]+$'
    AND split_part(application_name, ' ', 3)::numeric > extract(epoch FROM clock_timestamp()) * 10 - 14
ORDER BY usename
"""
"""Who has a study open: each window renews its connection's name every half second; 14: tenths of seconds.

So nobody stays who was killed or cut off, and nothing is written.
"""
_OPEN_HERE = (
    "SELECT set_config('application_name',"
    " 'wce ' || %s || ' ' || (extract(epoch FROM clock_timestamp()) * 10)::bigint, false)"
)


def mark_of(study_id: str) -> str:
    """What stands for a study in the name of a connection, which is short."""
    return hashlib.sha256(study_id.encode()).hexdigest()[:12] if study_id else ""


def changes(
    engine: Engine,
    address: str,
    check: Callable[[], object],
    open_study: Callable[[], str] = lambda: "",
    *,
    is_back: bool = False,
) -> Iterator[Mapping[str, Any]]:
    """What other windows change from now on, and which studies they have open.

    Yields:
        `studies` (ids; None: any) and `reader`; or `present`: `mark_of` a study -> the accounts that have it open.

    Args:
        engine: of this window, whose own changes are not news to it.
        check: called twice a second; what it raises ends it.
        open_study: the study that this window has open; "" for none.
        is_back: whether the connection was lost before: then anything may have changed.

    Raises:
        psycopg.OperationalError: the connection is lost.
    """
    import psycopg

    url = server.connection_url(address).set(drivername="postgresql")
    present: dict[str, tuple[str, ...]] = {}
    given = {**server.TIMEOUTS, **server.password_for(address)}
    with psycopg.connect(url.render_as_string(), autocommit=True, **given) as connection:
        connection.execute(f"LISTEN {server.CHANNEL}")
        if is_back:
            yield ANYTHING
        while True:
            check()
            connection.execute(_OPEN_HERE, (mark_of(open_study()),))
            there: dict[str, tuple[str, ...]] = {}
            for name, account in connection.execute(_OPEN_AT):
                mark = name.split()[1]
                there[mark] = (*there.get(mark, ()), account)
            if there != present:
                present = there
                yield {"present": present}
            for news in connection.notifies(timeout=0.5, stop_after=100):
                change = json.loads(news.payload)
                if change["from"] != engine.get_execution_options()["window"]:
                    yield {"studies": [change["study"]], "reader": change["reader"]}
