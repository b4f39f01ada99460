"""Runs one job in a child process: events out, stop and cancel in, exactly one outcome."""

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

from training.files.scratch import make_scratch_folder, remove_abandoned
from training.runs.events import Busy, Event, LogLine, Outcome, decode
from training.texts import Text, join_texts
from wce_desktop.core.language import to_translate
from wce_desktop.jobs.spec import JobSpec, child_command, child_environment

GRACE_SECONDS = 2.0  # between the request to cancel and the kill
EXIT_SECONDS = 10.0  # that a child may take to end after its outcome
BUSY_SECONDS = 120.0  # that a checkpoint may take to write before the disk counts as hanging
DRAIN_SECONDS = 1.0  # that the pipes may take to close after the child's whole group is gone
LINES_AHEAD = 1000  # read but not yet handled; a child with much output has to wait
LAST_LINES = 200
LONGEST_LINE_BYTES = 1 << 24
SCRATCH = "job"  # the kind of the folder that a config lies in; what a killed window left goes when a job starts


class ChildProcess:
    """One job's process. `run` blocks in one thread; `stop` and `cancel` come from any other and return at once.

    A cancel asks the child first and kills its whole process group when the grace is over. While the child reports that
    it writes a checkpoint (`training.runs.events.Busy`) the grace waits, for at most `BUSY_SECONDS`. After a second
    cancel nothing that the child says delays the end.
    """

    def __init__(
        self,
        spec: JobSpec,
        command: Callable[[Path], Sequence[str]] = child_command,
        grace_seconds: float = GRACE_SECONDS,
        exit_seconds: float = EXIT_SECONDS,
    ) -> None:
        """Prepare to run `spec`; `command` makes the command line from the config file's path."""
        self._spec = spec
        self._command = command
        self._grace_seconds = grace_seconds
        self._exit_seconds = exit_seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._inbox: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self._room = threading.BoundedSemaphore(LINES_AHEAD)
        self._is_stopped = False
        self._cancelled_seconds: float | None = None
        self._insisted_seconds: float | None = None  # since when a second cancel was asked for
        self._busy_seconds: float | None = None  # since when the child has been writing a checkpoint
        self._unbusy_seconds = float("-inf")
        self._outcome: Outcome | None = None
        self._outcome_seconds: float | None = None
        self._is_killed = False
        self._last_lines: deque[str] = deque(maxlen=LAST_LINES)
        self._unsaid: list[str] = []
        self._scratch: Path | None = None  # where the config lies until the child has read it

    @property
    def pid(self) -> int | None:
        """The child's process id once it runs."""
        return self._process.pid if self._process else None

    def stop(self) -> None:
        """Ask the child to finish its step, save its progress, and end."""
        with self._lock:
            self._is_stopped = True
            self._send("stop")

    def cancel(self) -> None:
        """Ask the child to end at once; it is killed when the grace is over, a second time also if it is busy."""
        with self._lock:
            if self._cancelled_seconds is None:
                self._cancelled_seconds = time.monotonic()
                self._send("cancel")
            elif self._insisted_seconds is None:
                self._insisted_seconds = time.monotonic()
            self._inbox.put(("wake", ""))

    def say(self, line: str) -> None:
        """Write a line to the child's standard input, now or as soon as it runs."""
        with self._lock:
            if self._process is None:
                self._unsaid.append(line)
            else:
                self._send(line)

    def run(self, on_event: Callable[[Event], None]) -> Outcome:
        """Run the job to its end; `on_event` gets every event but the outcome, in this thread. Returns the outcome."""
        remove_abandoned(SCRATCH)
        folder = make_scratch_folder(SCRATCH)
        try:
            config_path = folder / "job.json"
            self._spec.write_config(config_path)
            self._scratch = folder
            with self._lock:
                if self._is_stopped or self._cancelled_seconds is not None:
                    return Outcome("cancelled", to_translate("Cancelled before it started."))
                try:
                    self._process = self._start(config_path)
                except OSError as error:
                    return Outcome(
                        "failed",
                        Text("The process for {title} could not be started: {error}.", self._spec.title, error),
                    )
                for line in self._unsaid:
                    self._send(line)
            return self._attend(self._process, on_event)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _start(self, config_path: Path) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            list(self._command(config_path)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=child_environment(),
            **_group_options(),
        )

    def _attend(self, process: "subprocess.Popen[bytes]", on_event: Callable[[Event], None]) -> Outcome:
        """Handle the output of the child until it has ended and its pipes are closed."""
        threads = [
            threading.Thread(target=self._read, args=(process.stdout, "event"), daemon=True),
            threading.Thread(target=self._read, args=(process.stderr, "log"), daemon=True),
            threading.Thread(target=self._await_exit, args=(process,), daemon=True),
        ]
        for thread in threads:
            thread.start()
        waiting_for = {"event-closed", "log-closed", "exited"}
        drain_until = float("inf")
        try:
            while waiting_for and time.monotonic() < drain_until:
                kind, text = self._next(drain_until)
                waiting_for.discard(kind)
                if kind == "exited":
                    drain_until = time.monotonic() + DRAIN_SECONDS
                elif kind in ("event", "log"):
                    drain_until = max(drain_until, time.monotonic() + DRAIN_SECONDS)
                    self._handle(kind, text, on_event)
                if time.monotonic() >= self._kill_due():
                    self._is_killed = True
                    _kill_group(process)
                    on_event(LogLine("The process did not end and was killed."))
        finally:
            self._close(process, is_drained=not waiting_for, threads=threads)
        return self._conclude(process, on_event)

    def _next(self, drain_until: float) -> tuple[str, str]:
        """The next thing that a thread read, or ("late", "") at the next deadline."""
        due = min(self._kill_due(), drain_until)
        timeout = None if due == float("inf") else max(due - time.monotonic(), 0.0)
        try:
            kind, text = self._inbox.get(timeout=timeout)
        except queue.Empty:
            return "late", ""
        if kind in ("event", "log"):
            self._room.release()
        return kind, text

    def _handle(self, kind: str, text: str, on_event: Callable[[Event], None]) -> None:
        """One line of either pipe; what is not an event is a line for the log."""
        event: Event = LogLine(text)
        if kind == "event":
            with contextlib.suppress(ValueError):
                event = decode(text)
        if isinstance(event, LogLine):
            self._last_lines.append(event.line)
        if kind == "event" and self._scratch is not None:  # output shows that the child has read its config
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None
        if isinstance(event, Outcome):
            if self._outcome is None:
                self._outcome, self._outcome_seconds = event, time.monotonic()
            return
        if isinstance(event, Busy):
            self._busy_seconds = time.monotonic() if event.is_busy else None
            self._unbusy_seconds = time.monotonic()
        on_event(event)

    def _kill_due(self) -> float:
        """When the child is to be killed, in monotonic seconds; infinity for never."""
        if self._is_killed or (self._process is not None and self._process.returncode is not None):
            return float("inf")
        due = float("inf")
        if self._outcome_seconds is not None:
            due = self._outcome_seconds + self._exit_seconds
        if self._cancelled_seconds is not None:
            due = min(due, max(self._cancelled_seconds, self._unbusy_seconds) + self._grace_seconds)
        if self._busy_seconds is not None:
            due = max(due, self._busy_seconds + BUSY_SECONDS)
        if self._cancelled_seconds is not None:  # a child that says "busy" again and again cannot live on by it
            due = min(due, self._cancelled_seconds + BUSY_SECONDS)
        if self._insisted_seconds is not None:  # files are written beside and renamed: a checkpoint is there or not
            due = min(due, self._insisted_seconds + self._grace_seconds)
        return due

    def _read(self, stream: IO[bytes], kind: str) -> None:
        """Hand over a pipe's lines; runs in a separate thread."""
        while line := stream.readline(LONGEST_LINE_BYTES):
            text = line.decode("utf-8", errors="replace").rstrip("\r\n")
            self._room.acquire()
            self._inbox.put((kind, text.rsplit("\r", 1)[-1]))  # of a bar that redraws itself, what it last showed
        self._inbox.put((f"{kind}-closed", ""))

    def _await_exit(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait for the child; remaining processes of its group are ended too, since they would hold the pipes open."""
        process.wait()
        _kill_group(process)
        self._inbox.put(("exited", ""))

    def _close(self, process: "subprocess.Popen[bytes]", is_drained: bool, threads: Sequence[threading.Thread]) -> None:
        """Close the pipes; the reading thread of a pipe still held open by another process is abandoned."""
        with self._lock, contextlib.suppress(OSError):  # closing flushes, and the child may be gone
            if process.stdin is not None:
                process.stdin.close()
        if not is_drained:
            return
        for thread in threads:
            thread.join()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def _send(self, word: str) -> None:
        """Write a line to the child's standard input; ignored if the child has ended."""
        if self._process is None or self._process.stdin is None or self._process.stdin.closed:
            return
        with contextlib.suppress(OSError):
            self._process.stdin.write(word.encode() + b"\n")
            self._process.stdin.flush()

    def _conclude(self, process: "subprocess.Popen[bytes]", on_event: Callable[[Event], None]) -> Outcome:
        """The outcome: the child's own, or one made for a child that crashed; cancelled takes precedence."""
        if self._cancelled_seconds is not None:
            if self._outcome is not None and self._outcome.kind == "failed":
                on_event(LogLine(str(self._outcome)))
            return Outcome("cancelled", "Cancelled.")
        if self._outcome is not None:
            return self._outcome
        return outcome_of_crash(self._spec.title, process.returncode, tuple(self._last_lines))


def _group_options() -> dict[str, Any]:
    """Options for `Popen` that give the child its own group, so that Ctrl-C in the window's shell does not reach it."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"creationflags": flags | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"start_new_session": True}


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    """End the child and all that it started, at once; fine when they are gone already."""
    if sys.platform == "win32":
        if process.poll() is None:
            command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(command, capture_output=True, check=False, creationflags=subprocess.CREATE_NO_WINDOW)
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS raises the second if only a zombie is left
        os.killpg(process.pid, signal.SIGKILL)


_HINTS = {
    "SIGKILL": to_translate(
        "The computer may have run out of memory: close other programs, or choose a smaller batch."
    ),
    "SIGSEGV": to_translate("A library crashed; please report it with the log."),
    "SIGABRT": to_translate("A library aborted; please report it with the log."),
    "SIGTERM": to_translate("It was ended from outside; start it again."),
}


def outcome_of_crash(title: str, return_code: int, last_lines: tuple[str, ...]) -> Outcome:
    """The outcome of a child that ended with `return_code` (negative: by that signal) and left no outcome.

    The hint ends with the last line that it wrote; `result` holds the reason and all the last lines.
    """
    reason: str = Text("exit code {return_code}", return_code)
    if return_code < 0:
        names = {each.value: each.name for each in signal.Signals}
        reason = names.get(-return_code, Text("signal {return_code}", -return_code))
    hint = _HINTS.get(reason, to_translate("Please report it with the log."))
    own = takewhile(lambda line: not line.startswith("Fatal Python error"), last_lines)  # faulthandler adds a stack
    if words := next((line.strip() for line in reversed(list(own)) if line.strip()), ""):
        hint = join_texts(" ", (hint, Text("Its last output was: {words}", words)))
    result = {"reason": reason, "last_lines": list(last_lines)}
    return Outcome(
        "failed", Text("The process for {title} ended unexpectedly ({reason}).", title, reason), hint, result
    )
