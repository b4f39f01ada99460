"""A process that has imported the program once and forks a child a case: `python -m tests.fuzz.fork_server KIND`.

Requests and replies are JSON lines on the standard streams. The child runs the program's real entry point with its
standard streams in files, in a folder, home and temporary folder of its own, under limits of memory and time.
"""

import contextlib
import importlib
import json
import os
import pkgutil
import resource
import select
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

GIB = 1024**3
MEMORY_BYTES = 4 * GIB
"""What a child may map beyond what the server has mapped already."""
FILE_BYTES = 2 * GIB
STOP_SECONDS = 20.0
"""Of computing after it was asked to stop: the case hangs."""
JOB_STOP_SECONDS = 60.0
"""The same for a job, which ends with its step; the window kills what takes longer."""
PATIENCE_SECONDS = 3.0
"""Computing time after which a command whose options ask for much work gets Ctrl-C."""


@dataclass(frozen=True)
class Request:
    """One run of the program; paths are absolute."""

    program: str
    argv: list[str]
    folder: str
    """Working directory."""
    environment: dict[str, str]
    output: str
    """File for standard output."""
    errors: str
    """File for standard error."""
    stdin: str | None = None
    """What is written to standard input, which then stays open as the window's does; None: it ends at once."""
    may_take_long: bool = False
    """Whether the work grows with the options: it is then stopped, by Ctrl-C or on its standard input."""
    most_seconds: float = 20.0
    """Of computing, where the work does not grow with the options."""
    asleep_seconds: float = 20.0
    """Longest wait in which nothing is computed."""


@dataclass(frozen=True)
class Reply:
    """How the run ended."""

    status: int
    """Exit status; minus the signal's number where a signal ended it."""
    seconds: float
    hang: str = ""
    """Why it had to be killed; empty: it ended by itself."""
    was_stopped: bool = False
    """Whether it got Ctrl-C."""


def run_training(argv: list[str]) -> int:
    """The shell of `python -m training`."""
    from training.commands.shell import main

    return main(argv)


def run_desktop(argv: list[str]) -> int:
    """The command `wce-desktop`."""
    from wce_desktop.__main__ import main

    return main(argv)


def run_reader(argv: list[str]) -> int:
    """What the window reads from disk, without the window."""
    from tests.fuzz.window_files import main

    return main(argv)


def run_planted(argv: list[str]) -> int:
    """Defects on purpose, for the tests of the harness."""
    from tests.fuzz.planted import main

    return main(argv)


PROGRAMS: dict[str, Callable[[list[str]], int]] = {
    "training": run_training,
    "wce-desktop": run_desktop,
    "reader": run_reader,
    "planted": run_planted,
}
PACKAGES = {
    "shell": ("training", "wce_desktop.core", "wce_desktop.library", "wce_desktop.jobs", "wce_desktop.session"),
    "window": ("wce_desktop",),
    "job": ("training",),
}
"""What each kind of server imports: the window's has Qt and no torch, the others torch and no Qt."""

LATE: tuple[str, ...] = (
    "torch._dynamo",
    "torch.optim",
    "openTSNE",
    "faiss",
    "sklearn.decomposition",
    "matplotlib.pyplot",
    "jinja2",
    "rich",
)
LATE += ("tests.fuzz.planted", "tests.fuzz.window_files")
"""What the program imports only when it is needed, and what takes seconds then."""


def import_all(kind: str) -> None:
    """Import every module of the packages of a kind of server, but those whose optional package is not installed."""
    from training.errors import UserError

    for package_name in PACKAGES[kind]:
        package = importlib.import_module(package_name)
        for module in pkgutil.walk_packages(package.__path__, f"{package_name}."):
            if not module.name.endswith("__main__"):
                with contextlib.suppress(UserError):  # an extra is not installed
                    importlib.import_module(module.name)
    if kind != "window":
        import torch

        for name in LATE if kind == "shell" else ():
            importlib.import_module(name)

        torch.set_num_threads(1)
    if kind == "job":
        importlib.import_module("torch._dynamo")  # torch imports it with the first optimizer, which takes seconds


def main() -> None:
    """Serve until standard input ends."""
    requests, replies = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    import_all(sys.argv[1])
    print(json.dumps({"ready": True}), file=replies, flush=True)
    for line in requests:
        reply = run_case(Request(**json.loads(line)))
        print(json.dumps(asdict(reply)), file=replies, flush=True)


def run_case(request: Request) -> Reply:
    """Fork, run the program in the child, wait for its end or make one."""
    began = time.monotonic()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _become_program(request, reading)
    os.close(reading)
    with os.fdopen(writing, "wb", buffering=0) as control:
        try:
            os.set_blocking(writing, False)
            control.write((request.stdin or "").encode("utf-8", errors="surrogateescape"))
            if request.stdin is None:
                control.close()
            handle = os.pidfd_open(child)
            try:
                return _attend(child, handle, began, request, control)
            finally:
                os.close(handle)
        finally:
            _kill_session(child)


def _become_program(request: Request, stdin: int) -> None:
    """In the child: never returns."""
    status = 1
    try:
        os.setsid()
        _redirect(request, stdin)
        os.chdir(request.folder)
        os.environ.update(request.environment)
        tempfile.tempdir = None
        signal.signal(signal.SIGINT, signal.default_int_handler)
        limit_memory()
        status = PROGRAMS[request.program](request.argv)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # what the interpreter would do with it
        traceback.print_exc()
    finally:
        end_process(status)


def end_process(status: int) -> None:
    """Wait for threads as the interpreter does, and end without its slow clearing up."""
    try:
        shutdown: Any = getattr(threading, "_shutdown", None)
        if shutdown is not None:
            shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status & 0xFF)


def _redirect(request: Request, stdin: int) -> None:
    made = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    streams = [stdin, *(os.open(name, made, 0o600) for name in (request.output, request.errors))]
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, 256)  # the server's own pipes among them
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115


def limit_memory() -> None:
    """Bound what this process may map and write from now on."""
    mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY_BYTES, mapped + MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def _attend(child: int, handle: int, began: float, request: Request, control: IO[bytes]) -> Reply:
    """Wait; stop what works long because it was asked to, kill what hangs. `handle` is readable once it has ended."""
    awake_at, used_when_asked, ticks, pause = began, 0.0, 0.0, 0.002
    is_pressed_again = False
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        now = time.monotonic()
        if done:
            return Reply(os.waitstatus_to_exitcode(status), now - began, was_stopped=used_when_asked > 0)
        used, is_awake = _computing(child) if now - began > 1 else (0.0, True)
        if is_awake or used > ticks:
            awake_at, ticks = now, used
        hang = _hang(request, used, now - awake_at, used - used_when_asked if used_when_asked else 0.0)
        if hang:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return Reply(-signal.SIGKILL, now - began, hang, was_stopped=used_when_asked > 0)
        if request.may_take_long and not used_when_asked and used > PATIENCE_SECONDS:
            _ask_to_stop(child, request, control)
            used_when_asked = used
        if used_when_asked and not is_pressed_again and used - used_when_asked > PATIENCE_SECONDS:
            is_pressed_again = True
            if request.stdin is None:  # “Ctrl-C again ends at once”, where one step takes long
                os.kill(child, signal.SIGINT)
        select.select([handle], [], [], pause)
        pause = min(pause * 1.5, 0.1)


def _ask_to_stop(child: int, request: Request, control: IO[bytes]) -> None:
    """As the window does where standard input is open, else as a person does."""
    if request.stdin is None:
        os.kill(child, signal.SIGINT)
    else:
        with contextlib.suppress(OSError):
            control.write(b"\ncancel\n")


def _hang(request: Request, used: float, asleep: float, since_asked: float) -> str:
    if asleep > request.asleep_seconds:
        return f"asleep for {request.asleep_seconds:g} s"
    limit = STOP_SECONDS if request.stdin is None else JOB_STOP_SECONDS
    if since_asked > limit:
        return f"still computes {limit:g} s after it was asked to stop"
    if not request.may_take_long and used > request.most_seconds:
        return f"computed for {request.most_seconds:g} s"
    return ""


def _computing(session: int) -> tuple[float, bool]:
    """Seconds of CPU that the processes of a session have used, and whether one of them is running now."""
    seconds, is_awake = 0.0, False
    for fields in _session_stats(session):
        seconds += sum(int(fields[place]) for place in (11, 12, 13, 14)) / os.sysconf("SC_CLK_TCK")
        is_awake |= fields[0] in "RD"
    return seconds, is_awake


def _session_stats(session: int) -> list[list[str]]:
    """Fields of /proc/PID/stat from the state on, of each process of a session."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            except OSError:  # it ended meanwhile
                continue
            if int(fields[3]) == session:
                found.append([*fields, place.name])
    return found


def _kill_session(session: int) -> None:
    """End what the case has left running."""
    for fields in _session_stats(session):
        try:
            os.kill(int(fields[-1]), signal.SIGKILL)
        except ProcessLookupError:
            continue


if __name__ == "__main__":
    main()
