"""What a job says while it runs: small values, and the one JSON line that each of them is on the pipe."""

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any, Literal, TypeAlias, get_args

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
    """The event that a line holds.

    Raises:
        ValueError: the line is not an event.
    """
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not an event: {line[:80]!r}") from error
    if not isinstance(data, dict) or data.get("event") not in _CLASSES:
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
