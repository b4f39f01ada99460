"""Frames that were on screen, written so that nothing is added up twice when the connection is lost meanwhile."""

from collections.abc import Callable
from dataclasses import replace
from itertools import starmap

from sqlalchemy import text

from training.texts import Text
from wce_desktop.core.span import Span
from wce_desktop.core.study import advance
from wce_desktop.library import study_rows, tables
from wce_desktop.library.sharing.journal import Entry, Journal, Seen
from wce_desktop.library.store import Store

_STATUS = text(
    "SELECT CASE WHEN number < pg_current_xact_id() THEN pg_xact_status(number) END"
    " FROM (SELECT CAST(CAST(:number AS text) AS xid8) AS number) AS asked"
)
"""Of a transaction of the server."""
_NUMBER = text("SELECT CAST(pg_current_xact_id() AS text)")


def write(store: Store, seen: Seen, note: Callable[[str], None]) -> None:
    """Write seen frames, unless the transaction in which they were sent before has ended.

    Args:
        note: called before the transaction ends, with its number; not where the database is in the folder.
    """
    with store.writing(Text("the seen frames")) as connection:
        if seen.sent_in and connection.scalar(_STATUS, {"number": seen.sent_in}) == "committed":
            return
        study_id = seen.study_id
        state = study_rows.read_one(connection, study_id).state
        study_rows.mark_seen(connection, study_id, starmap(Span, seen.spans))
        study_rows.mark_seen(connection, study_id, starmap(Span, seen.fast), tables.fast_spans)
        study_rows.add_speeds(connection, study_id, seen.speeds)
        study_rows.change(connection, study_id, {"state": advance(state, "reading")}, store.reader)
        if store.is_on_server:
            note(str(connection.scalar(_NUMBER)))


def send(store: Store, journal: Journal, entry: Entry, seen: Seen) -> None:
    """Write seen frames of the journal, which notes in which transaction before it ends."""
    write(store, seen, lambda sent_in: journal.change(entry, replace(entry, seen=seen._replace(sent_in=sent_in))))
