"""A reporter that says of everything which fold it belongs to."""

from collections.abc import Mapping
from typing import Any

from training.runs.reporter import Reporter


class FoldReporter:
    """Passes everything on, with the fold in front of what is said, and steps named by their fold."""

    def __init__(self, inner: Reporter, prefix: str) -> None:
        self._inner = inner
        self._prefix = prefix

    @property
    def stop_requested(self) -> bool:
        """Whether the one who listens asked for a stop."""
        return self._inner.stop_requested

    def check(self) -> None:
        """Raise `Cancelled` if the one who listens asked for it."""
        self._inner.check()

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Pass on with the fold."""
        self._inner.progress(done, total, unit, self._prefix + what)

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Pass on as it is."""
        self._inner.partial(name, payload)

    def log(self, line: str) -> None:
        """Pass on with the fold."""
        self._inner.log(self._prefix + line)
