"""Reporters that note what they are told."""

from collections.abc import Mapping
from typing import Any

from training.runs.reporter import Cancelled


class NotingReporter:
    """Notes everything; asks to end at the given check."""

    def __init__(self, ends_at_check: int | None = None) -> None:
        self.stop_requested = False
        self.checks = 0
        self.told: list[tuple[int, int, str]] = []
        self.partials: list[tuple[str, Mapping[str, Any]]] = []
        self.lines: list[str] = []
        self._ends_at_check = ends_at_check

    def check(self) -> None:
        """Count; raise when it is time."""
        self.checks += 1
        if self.checks == self._ends_at_check:
            self.stop_requested = True
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Note."""
        self.told.append((done, total, what))

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Note."""
        self.partials.append((name, payload))

    def log(self, line: str) -> None:
        """Note."""
        self.lines.append(line)
