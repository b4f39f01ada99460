"""Small files of every run folder: JSON that is there whole or not at all, CSV that grows by rows, and the log.

A result is kept under the digest of all that decides it, so that it is never computed twice.
"""

import csv
import datetime
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TextIO

from pydantic import BaseModel

from training import version
from training.errors import UserError, reason_of, writing
from training.files import inputs, json_text, outputs
from training.files.csv_text import CsvWriter, read_lists
from training.runs import loggers
from training.runs.events import Event, LogLine, Partial, encode
from training.runs.reporter import Cancelled, PassedOn, Reporter
from training.texts import Text, with_texts

MAX_LOG_BYTES = 64 * 1024**2
"""Of a run's table; a million steps of three columns take some 30 MB."""
STATE = "state.json"
"""In a run folder: how the run ended."""
_COUNTERS = ("step", "fold", "seed")


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file beside and rename it."""
    text = json.dumps(with_texts(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    outputs.write_text(path, text)


def begin_report(folder: Path, config: Mapping[str, Any]) -> None:
    """Make a report folder, or take one up: its config.json is written, and a report of before goes."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").unlink(missing_ok=True)
        write_json(folder / "config.json", config)


class CsvLog:
    """A CSV file that grows by a row at a time; when resumed it forgets rows after a step."""

    def __init__(self, path: Path, columns: Sequence[str], keep_until_step: int = 0) -> None:
        """Rows whose `step` (first column) is above `keep_until_step` are dropped.

        Of the others a column that an older version did not write is empty, and one that is written no more goes.
        """
        text = inputs.read_text(path, "table of a run", max_bytes=MAX_LOG_BYTES) if path.is_file() else ""
        try:
            header, *rows = list(read_lists(io.StringIO(text, newline=""))) or [[]]
        except csv.Error as error:
            raise UserError(
                "{path} is not a table of a run ({error}).", "Delete it, or start the run again.", path, error
            ) from error
        kept = [row for row in rows if row and row[0].isdigit() and int(row[0]) <= keep_until_step]
        named = (dict(zip(header, row, strict=False)) for row in kept)
        with outputs.written_beside(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
            CsvWriter(file).writerows([list(columns), *([row.get(name, "") for name in columns] for row in named)])
        self._file = path.open("a", newline="", encoding="utf-8")
        self._writer = CsvWriter(self._file)

    def append(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows through to the file."""
        self._writer.writerows(rows)
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def key_of(decides: Mapping[str, Any]) -> str:
    """Twelve hexadecimal digits of what decides a result; JSON values and paths."""
    return hashlib.sha256(json.dumps(decides, sort_keys=True, default=str).encode()).hexdigest()[:12]


def kept_result(folder: Path) -> dict[str, Any] | None:
    """The result that is kept in a folder; None where there is none or its file is damaged."""
    try:
        return dict(json_text.read_json_object(folder / "cell.json")["result"])
    except (UserError, ValueError, KeyError, TypeError):
        return None


def keep_result(folder: Path, decides: Mapping[str, Any], result: Mapping[str, Any]) -> None:
    """Keep a result with what decided it."""
    folder.mkdir(parents=True, exist_ok=True)
    said = json.loads(json.dumps(decides, default=str))
    write_json(folder / "cell.json", {"decided_by": said, "result": result})


class RunLog(PassedOn):
    """Passes everything on, and appends log lines and partial results to the run's files as they come.

    Used with `with`: state.json says "running", and then how the run ended: "done", "stopped" (it can be resumed),
    "failed" or "cancelled". One that was killed stays "running". Temporary files go.
    """

    def __init__(self, folder: Path, inner: Reporter, command: str, settings: BaseModel) -> None:
        """`settings`: of the run; raises `UserError` where its `log_to` is not installed."""
        super().__init__(inner)
        self._folder, self._command, self._last = folder, command, 0
        self._began = _now()
        if (folder / STATE).is_file():  # it is resumed
            with suppress(UserError):
                self._began = json_text.read_json_object(folder / STATE).get("began_utc", self._began)
        version.commit()  # kept for the card: files may change while the run goes on
        given = settings.model_dump(mode="json")
        self._logger = loggers.open_logger(given["log_to"], folder, command, given)
        self._note("running")
        self._log: TextIO = (folder / "log.txt").open("a", encoding="utf-8")
        self._events: TextIO = (folder / "events.jsonl").open("a", encoding="utf-8")

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Pass on and keep."""
        self._inner.partial(name, payload)
        self._keep(Partial(name, payload))
        if name == "curve" and self._command != "evaluate":
            self._pass_on(int(payload["step"]), {key: value for key, value in payload.items() if key != "step"})
        elif name in loggers.CURVES and (name == "fold") == (self._command == "evaluate"):
            step = int(payload.get("step", self._last + 1))
            self._pass_on(step, {name: {key: value for key, value in payload.items() if key not in _COUNTERS}})

    def log(self, line: str) -> None:
        """Pass on and keep, with the time in log.txt."""
        self._inner.log(line)
        self._log.write(f"{_now()} {line}\n")
        self._log.flush()
        self._keep(LogLine(line))

    def ended(self, result: dict[str, Any]) -> dict[str, Any]:
        """The result, once it is noted how the run ended and its figures are passed on."""
        self._pass_on(self._last, {"final": {name: result.get(name) for name in loggers.FINAL}})
        self._close("done" if result.get("finished", True) else "stopped")
        return result

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._close("cancelled" if issubclass(kind, Cancelled | KeyboardInterrupt) else "failed")
        self._log.close()
        self._events.close()
        for spilled in self._folder.glob("*.tmp"):
            with suppress(OSError):  # Windows: mapped until the process ends
                spilled.unlink()

    def _close(self, state: str) -> None:
        with suppress(OSError, UserError):  # a full disk, of which the run itself has said so
            self._note(state)
        if self._logger is not None:
            with self._logging():
                self._logger.close(state)

    def _note(self, state: str) -> None:
        ended = {} if state == "running" else {"ended_utc": _now()}
        write_json(self._folder / STATE, {"state": state, "command": self._command, "began_utc": self._began, **ended})

    def _pass_on(self, step: int, figures: Mapping[str, Any]) -> None:
        self._last = step
        if self._logger is not None:
            with self._logging():
                self._logger.add(step, dict(loggers.numbers_in(figures)))

    @contextmanager
    def _logging(self) -> Iterator[None]:
        """Other people's files must not end a training."""
        try:
            yield
        except Exception as error:
            self._logger = None
            self.log(Text("Logging to another program ended ({reason}); the run goes on.", reason_of(error)))

    def _keep(self, event: Event) -> None:
        self._events.write(encode(event) + "\n")
        self._events.flush()


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Point:
    """The figures of a step; with several ranks the mean over them, and the images of all."""

    step: int
    """Steps done, this one included."""
    loss: float
    terms: Mapping[str, float]
    """What the loss is made of, by the method's names; empty where it is one."""
    share: Mapping[str, float]
    """The share that is not in order yet, by the method's name for it; empty where it has none."""
    learning_rate: float
    embedding_norm: float
    images_per_second: float
    """Since the point before, everything included; the one column that no two runs share."""
    scales: Mapping[str, float] = field(default_factory=dict)
    """How far embeddings lie apart, by the method's names; empty for methods without a margin."""

    @staticmethod
    def columns(terms: Sequence[str], share_name: str = "violating_share", scales: Sequence[str] = ()) -> list[str]:
        """Names of `figures`, in their order, of a method with such terms, such a share and such scales."""
        share = {share_name: 0.0} if share_name else {}
        nothing = dict.fromkeys(terms, 0.0), share, 0.0, 0.0, 0.0, dict.fromkeys(scales, 0.0)
        return list(Point(0, 0.0, *nothing).figures)

    @property
    def figures(self) -> dict[str, float]:
        """The values of the curves at this step, by name."""
        rates = {name: getattr(self, name) for name in ("learning_rate", "embedding_norm", "images_per_second")}
        return {"step": self.step, "loss": self.loss, **self.terms, **self.share, **rates, **self.scales}

    @property
    def violating_share(self) -> float:
        """The share, whatever it is called."""
        return next(iter(self.share.values()), 0.0)
