"""Checks of what a caller gives: each error names the argument."""

import operator
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from training.runs.events import LogLine, Partial, Progress
from training.runs.reporter import SilentReporter

PathLike: TypeAlias = str | os.PathLike[str]
OnEvent: TypeAlias = Callable[[Progress | Partial | LogLine], object]
"""Receives progress, partial results such as points of a curve, and lines of the log."""


def as_path(value: object, name: str) -> Path:
    """The path of a text or path.

    Raises:
        TypeError: it is neither.
        ValueError: it is empty.
    """
    if not isinstance(value, str | os.PathLike) or isinstance(os.fspath(value), bytes):
        raise TypeError(f"{name} must be a path, as text or pathlib.Path, not {type(value).__name__}")
    if not os.fspath(value):
        raise ValueError(f"{name} is empty; give a path")
    return Path(os.fspath(value)).expanduser()


def as_number(value: object, name: str, least: int) -> int:
    """A whole number of at least `least`; raises TypeError or ValueError."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number, not bool")
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # this is the check
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def as_choice(value: object, name: str, choices: tuple[str, ...]) -> Any:
    """One of the choices; raises ValueError."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return value


class CallingReporter(SilentReporter):
    """Hands every event to a function, whose exceptions end the work; raise `Cancelled` there to end it on purpose."""

    def __init__(self, on_event: OnEvent | None) -> None:
        if on_event is not None and not callable(on_event):
            raise TypeError(f"on_event must be a function that takes an event, not {type(on_event).__name__}")
        self._on_event: OnEvent = on_event or (lambda event: None)

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Hand over."""
        self._on_event(Progress(done, total, unit, what))

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Hand over."""
        self._on_event(Partial(name, payload))

    def log(self, line: str) -> None:
        """Hand over."""
        self._on_event(LogLine(line))
