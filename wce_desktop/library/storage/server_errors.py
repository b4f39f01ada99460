"""What goes wrong with a server, as sentences; none repeats an address, which might hold a password."""

import re
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.texts import Text
from wce_desktop.core import to_translate
from wce_desktop.library import errors

_PASSWORD = to_translate(
    "Enter it: wce-desktop library password ADDRESS keeps it in the system's key store. Or use ~/.pgpass."
)
_CERTIFICATE = to_translate(
    "Ask the server's administrator for a valid certificate of its authority, and put it into ~/.postgresql/root.crt "
    "(Windows: %APPDATA%\\postgresql\\root.crt). Do not connect without it: another computer may answer as the server."
)
_ASK = to_translate("Check the address, or ask the server's administrator.")
_CLIENT_CERTIFICATE = (
    to_translate("The server asks for a certificate of the account, and there is none here."),
    to_translate("Put it into ~/.postgresql/postgresql.crt, and its key into postgresql.key beside it."),
)
_WHY = {
    "pg_hba.conf": (to_translate("The server does not let this account in from this computer."), _ASK),
    "valid client certificate": _CLIENT_CERTIFICATE,
    "does not match host name": (
        to_translate("The server's certificate is for another host name."),
        to_translate("Name the server in the address as its certificate does, or ask the server's administrator."),
    ),
    "root certificate file": (
        to_translate("The certificate of the authority that vouches for the server is not on this computer."),
        _CERTIFICATE,
    ),
    "certificate verify failed": (
        to_translate("The server's certificate has expired, or is not of an authority that is trusted here."),
        _CERTIFICATE,
    ),
    "does not support SSL": (to_translate("The server offers no encrypted connection."), _ASK),
}
"""What the driver says of a connection that is refused, or not safe -> a sentence and a hint.

The server's language matters to none but the request for a certificate, which then stands as it is in the sentence.
"""
_NO_ROOM = ("53100", "53200", "53400")
_READ_ONLY = "25006"
_NO_CONNECTION = re.compile("connection failed|failed to resolve host")
_AWAY = ("08", "57P", "25P03", "55P03")
"""How the server's codes begin where trying again later may help: no connection, shut down, or a time that ran out."""


def connecting(error: BaseException | None) -> UserError:
    """The sentence for a connection that could not be made."""
    said = str(error)
    why = next((each for fragment, each in _WHY.items() if fragment in said), None) or _refused(error)
    if why is None:
        return errors.UnreachableLibraryError(
            "The library's server cannot be reached ({why}).",
            "Check the address and the network, then try again. What was saved before is safe.",
            _first_line(said),
        )
    return UserError(*why)


def _refused(error: BaseException | None) -> tuple[str, str] | None:
    """Why a server refuses a connection: no code comes with it, and its message, in any language, names what it is."""
    tried: Any = getattr(error, "pgconn", None)
    if tried is None:
        return None
    if tried.needs_password:
        return to_translate("The server asks for a password, and the account has none here."), _PASSWORD
    said = str(error).rpartition(" failed: ")[2]
    is_database, is_account = (
        re.search(rf"(?<!\w){re.escape(name.decode())}(?!\w)", said) for name in (tried.db, tried.user)
    )
    if is_account and tried.used_password:
        return to_translate("The server does not accept the account's password."), _PASSWORD
    if is_database:
        return to_translate("The server has no database of this name."), _ASK
    return (to_translate("The server has no such account."), _ASK) if is_account else None


def sentence(folder: Path, doing: str, error: Exception) -> UserError | None:
    """The sentence for an error of the server, or None for another error."""
    cause = errors.cause_of(error)
    if not type(cause).__module__.startswith("psycopg"):
        return None
    import psycopg

    code = str(getattr(cause, "sqlstate", None) or "")
    if code == _READ_ONLY or code in _NO_ROOM:
        why = to_translate("it is full") if code in _NO_ROOM else to_translate("it is read-only")
        return errors.FullServerError(
            "The library's server takes no changes now ({why}): {doing} is not saved there.",
            "Tell the server's administrator.",
            Text(why),
            doing,
        )
    if isinstance(cause, psycopg.OperationalError) and not code and _NO_CONNECTION.search(str(cause)):
        return connecting(cause)
    if code.startswith(_AWAY) or (isinstance(cause, psycopg.OperationalError) and not code):
        return errors.UnreachableLibraryError(
            "The server of the library in {folder} cannot be reached: {doing} failed ({why}).",
            "Check the network, then try again. What was saved before is safe.",
            folder,
            doing,
            _first_line(str(cause)),
        )
    if code.startswith("23"):  # a key that is taken, or an item that is gone
        return errors.ConflictError(
            "Nothing was saved: another reader changed the same place.", "The present state is shown now."
        )
    if code == "42501":
        return UserError(
            "The server does not allow this: {doing} failed.", "Ask the library's administrator for the right.", doing
        )
    if code in ("42P01", "42703", "42883"):
        return UserError(
            "The database of the library lacks something: {doing} failed.",
            "Another version of the program may have made it. Ask the library's administrator.",
            doing,
        )
    return None


def _first_line(said: str) -> str:
    """What the driver says of an error, without the lines that repeat it."""
    return said.strip().partition("\n")[0].removeprefix("connection failed: ")
