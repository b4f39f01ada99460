"""One process that works until it is killed: forked, so that a kill costs no start of Python, Qt or torch."""

import os
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

PATIENCE_SECONDS = 300.0
"""A process that neither ends nor says anything for so long hangs."""

Say = Callable[[str], None]
Work = Callable[[Say], None]


@dataclass(frozen=True)
class Moment:
    """When to kill: after so many lines of the process, and so many seconds more."""

    lines: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Death:
    """How a process ended.

    Attributes:
        lines: what it had said by then, whole lines only.
        was_killed: False where it ended by itself before the moment came.
        status: its exit status; negative for a signal.
        seconds: how long it ran.
    """

    lines: tuple[str, ...]
    was_killed: bool
    status: int
    seconds: float


def run(work: Work, log: Path, kill: Moment | None = None) -> Death:
    """Run `work` in a process of its own, which is killed (SIGKILL, with all that it started) when the moment comes.

    Args:
        work: gets a function that says a line to this process; a line has arrived before that function returns.
        log: where the process's output goes.
        kill: None lets it end by itself.

    Raises:
        TimeoutError: it hangs. It is killed then.
    """
    reading, writing = os.pipe()
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _live(work, writing, log)
    os.close(writing)
    with suppress(OSError):  # the child was quicker, or has ended
        os.setpgid(child, child)
    heard = _Lines(reading)
    try:
        was_killed = _wait_for(heard, kill)
        if was_killed:
            os.killpg(child, signal.SIGKILL)
        heard.until_end()
    except TimeoutError:
        os.killpg(child, signal.SIGKILL)
        raise
    finally:
        os.close(reading)
        _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return Death(tuple(heard.lines), was_killed and code == -signal.SIGKILL, code, time.monotonic() - began)


def _wait_for(heard: "_Lines", kill: Moment | None) -> bool:
    """Wait for the moment; False where the process ended before, or there is none."""
    if kill is None:
        return False
    while len(heard.lines) < kill.lines:
        if not heard.more(PATIENCE_SECONDS):
            return False
    end = time.monotonic() + kill.seconds
    while (left := end - time.monotonic()) > 0:
        if not heard.more(left, is_patient=True):
            return False
    return True


class _Lines:
    """What the process says."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""
        self._selector = selectors.DefaultSelector()
        self._selector.register(descriptor, selectors.EVENT_READ)
        self.lines: list[str] = []

    def more(self, seconds: float, *, is_patient: bool = False) -> bool:
        """Read what comes within some seconds; False at the end. TimeoutError when nothing comes, unless patient."""
        if not self._selector.select(seconds):
            if is_patient:
                return True
            raise TimeoutError(f"a process said nothing for {seconds:.0f} s")
        chunk = os.read(self._descriptor, 1 << 20)
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        self.lines += [line.decode() for line in whole]
        return bool(chunk)

    def until_end(self) -> None:
        """Read until the process has closed its end."""
        while self.more(PATIENCE_SECONDS):
            continue


def _say(writing: int, line: str) -> None:
    os.write(writing, line.encode() + b"\n")


def _live(work: Work, writing: int, log: Path) -> NoReturn:
    """The child's life; never returns into the parent's code."""
    status = 1
    try:
        if os.getpgrp() != os.getpid():
            os.setpgid(0, 0)
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for stream in (1, 2):
            os.dup2(output, stream)
        sys.stdout = sys.stderr = os.fdopen(output, "w", buffering=1, encoding="utf-8")
        work(partial(_say, writing))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)
