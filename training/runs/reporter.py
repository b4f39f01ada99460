"""How long work reports what it does, and learns that it should end."""

from collections.abc import Mapping
from typing import Any, Protocol


class Cancelled(Exception):  # noqa: N818 - an outcome, not an error
    """Raised by `Reporter.check` when the work should end at once, keeping nothing new."""


class Reporter(Protocol):
    """What a long piece of work talks to: the shell's progress bar, or the window behind a pipe."""

    @property
    def stop_requested(self) -> bool:
        """True once the work should finish its running step, keep what it has, and return."""

    def check(self) -> None:
        """Raise `Cancelled` once the work should end at once."""

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Say that `done` of `total` `unit` (a plural: "frames", "steps") of `what` ("scoring P11") are done."""

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Hand over a partial result (JSON values only), such as one point of a loss curve."""

    def log(self, line: str) -> None:
        """Add a line to the log that a person can open."""


class SilentReporter:
    """Says nothing and never asks to stop: for tests and for callers who need no progress."""

    stop_requested = False

    def check(self) -> None:
        """Never cancels."""

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Ignore."""

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Ignore."""

    def log(self, line: str) -> None:
        """Ignore."""
