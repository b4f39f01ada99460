"""What a job says while it runs: small values, the JSON line that each is on the pipe, and what writes it."""

import dataclasses
import json
import math
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any, Literal, TypeAlias, get_args

from training.runs.reporter import Cancelled, RateMeter, Reporter
from training.texts import join_texts, texts_in, with_texts

OutcomeKind: TypeAlias = Literal["done", "failed", "cancelled"]


@dataclass(frozen=True)
class Progress:
    """How far a job is: `done` of `total` `unit` (plural) of `what`; a rate in units a second, and the seconds left.

    Raises:
        ValueError: a count is negative.
    """

    done: int
    total: int
    unit: str
    what: str
    rate: float | None = None
    seconds_left: float | None = None

    def __post_init__(self) -> None:
        """Check the counts."""
        if self.done < 0 or self.total < 0:
            raise ValueError(f"progress of {self.done} of {self.total} {self.unit}")

    @property
    def fraction(self) -> float | None:
        """Share done in [0, 1]; None while the total is not known (0)."""
        return min(self.done / self.total, 1.0) if self.total else None


@dataclass(frozen=True)
class Partial:
    """A partial result, such as one point of a loss curve; `payload` holds JSON values only."""

    name: str
    payload: Mapping[str, Any]


@dataclass(frozen=True)
class LogLine:
    """One line for the log that a person can open."""

    line: str


@dataclass(frozen=True)
class Busy:
    """A stretch that must not be killed (a checkpoint is being written) begins or ends; see `json_reporter`."""

    is_busy: bool
    what: str = ""


STOPPED_EARLY = "Stopped early. Everything finished so far is kept."
"""The message of a job that was asked to stop and ended well."""


@dataclass(frozen=True)
class Outcome:
    """How a job ended: exactly one for a job, always its last event.

    `message` is a sentence ("" when all went well), `hint` what to do, `result` what the command returned.

    Raises:
        ValueError: `kind` is none of done, failed, cancelled.
    """

    kind: OutcomeKind
    message: str = ""
    hint: str = ""
    result: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the kind."""
        if self.kind not in get_args(OutcomeKind):
            raise ValueError(f"an outcome is done, failed or cancelled, not {self.kind!r}")

    def __str__(self) -> str:
        """The outcome as a sentence."""
        return join_texts(" ", (self.message, self.hint)) or self.kind.capitalize() + "."


Event: TypeAlias = Progress | Partial | LogLine | Busy | Outcome

_CLASSES: dict[str, type[Event]] = {
    "progress": Progress,
    "partial": Partial,
    "log": LogLine,
    "busy": Busy,
    "outcome": Outcome,
}
_NAMES = {cls: name for name, cls in _CLASSES.items()}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "done": int,
    "total": int,
    "rate": (int, float, type(None)),
    "seconds_left": (int, float, type(None)),
    "payload": dict,
    "result": dict,
    "is_busy": bool,
}


def encode(event: Event) -> str:
    """One line of JSON without its line end; numbers that are not finite become null.

    Raises:
        TypeError: a payload or result holds something that JSON cannot say.
    """
    data = {"event": _NAMES[type(event)]}
    data.update({f.name: _as_json(getattr(event, f.name)) for f in dataclasses.fields(event)})
    return json.dumps(with_texts(data), allow_nan=False, separators=(",", ":"))


def decode(line: str) -> Event:
    """The event that a line holds."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not an event: {line[:80]!r}") from error
    if not isinstance(data, dict) or not isinstance(name := data.get("event"), str) or name not in _CLASSES:
        raise ValueError(f"not an event: {line[:80]!r}")
    cls = _CLASSES[texts_in(data).pop("event")]
    for name, value in data.items():
        expected = _TYPES.get(name, str)
        if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
            raise ValueError(f"{_NAMES[cls]} with {name} = {value!r}")
    try:
        return cls(**data)
    except TypeError as error:
        raise ValueError(f"not a whole {_NAMES[cls]} event: {line[:80]!r}") from error


def _as_json(value: Any) -> Any:
    """Plain JSON values: paths as text, numpy's scalars and arrays as numbers, NaN and infinity as None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {str(key): _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, PathLike):
        return fspath(value)
    if hasattr(value, "tolist"):  # numpy and torch, neither of which is imported for this
        return _as_json(value.tolist())
    raise TypeError(f"{type(value).__name__} cannot be encoded as JSON: {value!r}")


PROGRESS_SECONDS = 0.1


class JsonReporter:
    """Writes events to `descriptor`, progress at most ten times a second; may be called from several threads.

    When nobody reads the other end any more the window is gone: the work is asked to stop and continues silently.
    """

    def __init__(self, descriptor: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._descriptor = descriptor
        self._clock = clock
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._cancel = threading.Event()
        self._is_deaf = False
        self._meter = RateMeter(clock)
        self._sent_seconds = float("-inf")
        self._sent_what = ""
        self._held_back: Progress | None = None
        self.asked: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        """What the window asks of a child that answers questions, line by line; None once it is to end."""

    @property
    def stop_requested(self) -> bool:
        """True once the window asked to stop or to cancel, or is gone."""
        return self._stop.is_set()

    def request_stop(self) -> None:
        """Ask the work to finish its running step, keep what it has, and return."""
        self._stop.set()
        self.asked.put(None)

    def request_cancel(self) -> None:
        """Ask the work to end at once."""
        self._cancel.set()
        self.request_stop()

    def check(self) -> None:
        """Raise `Cancelled` once the window asked to cancel."""
        if self._cancel.is_set():
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Report progress with rate and time left, not too often; the last call is always sent."""
        with self._lock:
            now_seconds = self._clock()
            is_due = now_seconds - self._sent_seconds >= PROGRESS_SECONDS or what != self._sent_what or done >= total
            if not is_due:
                self._held_back = Progress(int(done), int(total), unit, what)
                return
            rate, seconds_left = self._meter.measure(what, int(done), int(total))
            self._sent_seconds, self._sent_what, self._held_back = now_seconds, what, None
            self._write(Progress(int(done), int(total), unit, what, rate, seconds_left))

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Hand over a partial result."""
        self._send(Partial(name, payload))

    def log(self, line: str) -> None:
        """Add lines to the log."""
        for part in line.splitlines() if "\n" in line else (line,):
            self._send(LogLine(part))

    def busy(self, is_busy: bool, what: str) -> None:
        """Say that a stretch that must not be killed begins or ends."""
        self._send(Busy(is_busy, what))

    def outcome(self, outcome: Outcome) -> None:
        """Say how the job ended; the caller sees to it that this comes once and last."""
        with self._lock:
            if self._held_back is not None:
                self._write(self._held_back)
            self._write(outcome)

    def _send(self, event: Event) -> None:
        with self._lock:
            self._write(event)

    def _write(self, event: Event) -> None:
        rest = memoryview((encode(event) + "\n").encode())
        try:
            while rest and not self._is_deaf:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:  # the reading end was closed: nobody receives it
            self._is_deaf = True
            self.request_stop()


@contextmanager
def uninterrupted(reporter: Reporter, what: str = "writing a checkpoint") -> Iterator[None]:
    """Keep the window from killing this process while the body runs.

    The window hears of the begin and the end (`Busy` events) and lets its grace wait for the end. No such stretch
    begins after a cancel was asked for: a begin that the window has not yet read is therefore older than the cancel,
    and is read long before the grace is over.

    Raises:
        Cancelled: cancel was asked for before the body began.
    """
    reporter.check()
    if not isinstance(reporter, JsonReporter):
        yield
        return
    reporter.busy(True, what)
    try:
        yield
    finally:
        reporter.busy(False, what)
