"""A reporter that also keeps what was said in the run folder: log.txt, events.jsonl."""

import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from training.runs.events import Event, LogLine, Partial, encode
from training.runs.reporter import PassedOn, Reporter


class RunLog(PassedOn):
    """Passes everything on, and appends log lines and partial results to the run's files as they come."""

    def __init__(self, folder: Path, inner: Reporter) -> None:
        super().__init__(inner)
        self._log: TextIO = (folder / "log.txt").open("a", encoding="utf-8")
        self._events: TextIO = (folder / "events.jsonl").open("a", encoding="utf-8")

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Pass on and keep."""
        self._inner.partial(name, payload)
        self._keep(Partial(name, payload))

    def log(self, line: str) -> None:
        """Pass on and keep, with the time in log.txt."""
        self._inner.log(line)
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        self._log.write(f"{now} {line}\n")
        self._log.flush()
        self._keep(LogLine(line))

    def close(self) -> None:
        """Close both files."""
        self._log.close()
        self._events.close()

    def _keep(self, event: Event) -> None:
        self._events.write(encode(event) + "\n")
        self._events.flush()
