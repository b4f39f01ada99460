"""The reporter of the shell: a progress bar with rate and time left; Ctrl-C asks to stop, twice ends at once.

At the end what a command found, as a table for a person.
"""

import os
import signal
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Table
from rich.text import Text

from training.files import stores
from training.files.terminal import printable, printable_lines
from training.runs.reporter import Cancelled, RateMeter


class PaceColumn(ProgressColumn):
    """ "1,024 / 3,000 frames   134.2/s   0:00:15 left"."""

    def render(self, task: Task) -> Text:
        """One line on how far, how fast, how long."""
        rate, left = task.fields.get("rate"), task.fields.get("left")
        unit = task.fields.get("unit")  # empty where nothing can be counted
        parts = [f"{int(task.completed):,} / {int(task.total or 0):,} {unit}"] if unit else []
        if rate:
            parts.append(f"{rate:,.1f}/s" if rate >= 0.1 else f"{60 * rate:,.1f}/min")
        if left:
            parts.append(f"{format_seconds(left)} left")
        return Text("   ".join(parts))


class ShellReporter:
    """Draws on standard error; use it as a context, which takes Ctrl-C over and gives it back."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=30), PaceColumn())
        self._progress = Progress(*columns, console=self.console, transient=False)
        self._stop, self._cancel = threading.Event(), threading.Event()
        self._meter = RateMeter()
        self._tasks: dict[str, Any] = {}
        self._before: Any = None

    @property
    def stop_requested(self) -> bool:
        """True after the first Ctrl-C."""
        return self._stop.is_set()

    def check(self) -> None:
        """Raise `Cancelled` after the second Ctrl-C."""
        if self._cancel.is_set():
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Move the bar of `what`; a new `what` gets a bar of its own."""
        if what not in self._tasks:
            self._fill_bars()  # what was quick may never have said that it was done
            self._tasks[what] = self._progress.add_task(printable(what), total=total)
        rate, left = self._meter.measure(what, done, total)
        self._progress.update(self._tasks[what], completed=done, total=total, unit=total and unit, rate=rate, left=left)

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Held-out figures are worth a line; points of a curve, scores of frames and files of pictures are not."""
        if name not in ("curve", "scores", "map", "evolution"):
            shown = ", ".join(f"{key} {_short(value)}" for key, value in payload.items())
            self.log(f"{name}: {shown}")

    def log(self, line: str) -> None:
        """Print a line above the bar."""
        self.console.print(Text(printable_lines(line), style="dim"))

    def __enter__(self) -> Self:
        self._progress.start()
        # Only the main thread may take signals over; elsewhere (tests) Ctrl-C stays what it is.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if error is None and not self.stop_requested:
            self._fill_bars()
        self._progress.stop()

    def _fill_bars(self) -> None:
        for task in self._progress.tasks:
            self._progress.update(task.id, completed=task.total, left=None)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        # Straight to the descriptor: the handler may run in the middle of any write of rich's or Python's own.
        if self._stop.is_set():
            self._cancel.set()
            _write(b"\nEnding at once.\n")
            raise KeyboardInterrupt
        self._stop.set()
        _write(b"\nStopping after the running step; Ctrl-C again ends at once.\n")


def _write(message: bytes) -> None:
    with suppress(OSError):  # a terminal that is gone
        os.write(2, message)


def format_seconds(seconds: float) -> str:
    """ "h:mm:ss"."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, Mapping):
        return " ".join(f"{key} {_short(item)}" for key, item in value.items())
    return str(value)


SHOWN_ITEMS = 8


def show_result(title: str, result: Mapping[str, Any], console: Console | None = None) -> None:
    """Print names and values; nested results follow indented, long lists are cut and counted.

    A result's own `text` is printed first, as it stands; rows of a table are then in it.
    """
    console = console or Console()
    if isinstance(result.get("text"), str):
        console.print(Text(printable_lines(result["text"])), soft_wrap=True)
        result = {name: value for name, value in result.items() if name != "text" and not _is_table(value)}
    heading = Text(title, style="table.title")  # in a string rich looks for emoji, whose names take 24 ms to import
    table = Table(title=heading, title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _rows(result):
        table.add_row(Text(printable(name)), Text(value))
    console.print(table)


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(row, Mapping) for row in value)


def _rows(result: Mapping[str, Any], indent: str = "") -> list[tuple[str, str]]:
    rows = []
    for name, value in result.items():
        label = indent + name.removesuffix("_seconds").replace("_", " ")
        if isinstance(value, Mapping) and value:
            rows += [(label, ""), *_rows(value, indent + "  ")]
        elif name.endswith("seconds") and isinstance(value, float) and value >= 60:
            rows.append((label, format_seconds(value)))
        elif name.endswith("seconds") and isinstance(value, float):
            rows.append((label, f"{value:.1f} s"))
        else:
            rows.append((label, _words(value)))
    return rows


def _words(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}"
    if isinstance(value, list):
        shown = [_words(item) for item in value[:SHOWN_ITEMS]]
        more = [f"and {len(value) - SHOWN_ITEMS:,} more"] if len(value) > SHOWN_ITEMS else []
        return ("\n" if any(" " in item for item in shown) else ", ").join(shown + more)
    can_be_path = isinstance(value, Path) or type(value) is str  # a sentence is a `training.texts.Text`
    return printable((stores.address_of(Path(value)) if can_be_path else "") or value)
