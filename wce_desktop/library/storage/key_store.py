"""The system's key store: holds keys of signatures, and passwords of servers."""

from typing import Protocol

_REAL_PRIORITY = 1.0
"""Of a key store that protects what it holds; `keyring` gives others less."""


class KeyStore(Protocol):
    """The system's key store, as the package `keyring` offers it."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


def system_key_store() -> KeyStore | None:
    """The system's key store; None where there is none that protects what it holds."""
    try:
        import keyring

        backend = keyring.get_keyring()
        return backend if float(backend.priority) >= _REAL_PRIORITY else None
    except Exception:  # backends ask services of the system, which fail in many ways
        return None
