"""The entry of a job's own process: one JSON config in, one JSON line an event out, exactly one outcome, last.

python -m training.commands.child CONFIG.json          CONFIG.json: {"command": "score", "config": {...}}
"""

import faulthandler
import os
import sys
import threading
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files import json_text, terminal
from training.runs.events import JsonReporter
from training.runs.failure import outcome_of, trace_of
from training.runs.reporter import Reporter

EXIT_CODES = {"done": 0, "failed": 1, "cancelled": 130}
NICENESS = 5
"""Keeps the window fluid where there are few cores; a job that starves would be slow to hear a stop."""
ASK = b"ask "
MEASURED = ("score", "pretrain", "finetune", "train-reid")
"""Commands whose result says how much memory they took, for the estimates of later ones."""


def run_job(config_path: Path) -> int:
    """Run the command that `config_path` names, as a child of the window; returns the process's exit code.

    Takes over the standard streams for good: events leave on a duplicate of standard output, whatever a library prints
    goes to standard error, and `stop`, `cancel` or the end of standard input ask the work to end.
    """
    events, control = _claim_streams()
    _print_safe_traces()
    if hasattr(os, "nice"):  # on Windows the parent chose a lower class when it started this process
        os.nice(NICENESS)
    reporter = JsonReporter(events)
    threading.Thread(target=_listen, args=(control, reporter), name="control", daemon=True).start()
    outcome = outcome_of(lambda: _run_command(config_path, reporter), reporter)
    sys.stdout.flush()
    sys.stderr.flush()
    reporter.outcome(outcome)
    return EXIT_CODES[outcome.kind]


def _run_command(path: Path, reporter: Reporter) -> dict[str, Any]:
    """Run the job that a file holds."""
    from training.commands.work import run_job_data
    from training.planning.needs import peak_bytes

    try:
        job = json_text.read_json_object(path, "job")
        str(job["command"]), dict(job["config"])
    except (ValueError, KeyError, TypeError) as error:
        raise UserError("The job's config {path} is not JSON with a command and a config.", "", path) from error
    result = run_job_data(job, reporter)
    return {**result, "memory_bytes": peak_bytes()} if job["command"] in MEASURED else result


def _claim_streams() -> tuple[int, int]:
    """Descriptors for events and control; from now on fd 1 is standard error and fd 0 is empty."""
    events, control = os.dup(1), os.dup(0)
    os.dup2(2, 1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    sys.stdout, sys.stderr = terminal.careless_stream(1), terminal.careless_stream(2)
    faulthandler.enable(file=2)  # a crash in native code leaves its stack in the log
    return events, control


def _print_safe_traces() -> None:
    """What nothing catches, in a thread or a destructor, leaves its trace in the log without data that it quotes."""

    def show(error: BaseException | None) -> None:
        if error is not None:
            print(trace_of(error), file=sys.stderr, end="")

    sys.excepthook = lambda kind, error, trace: show(error)
    threading.excepthook = lambda caught: show(caught.exc_value)
    sys.unraisablehook = lambda caught: show(caught.exc_value)


def _listen(control: int, reporter: JsonReporter) -> None:
    """Read what the window asks for, until its end of the pipe is closed."""
    text = b""
    while chunk := os.read(control, 65536):  # not a buffered reader: its lock would trip the interpreter's exit
        *lines, text = (text + chunk).split(b"\n")
        for line in lines:
            if line.strip() == b"stop":
                reporter.request_stop()
            elif line.strip() == b"cancel":
                reporter.request_cancel()
            elif line.startswith(ASK):
                reporter.asked.put(line.removeprefix(ASK).decode("utf-8", errors="replace"))
    reporter.request_stop()


if __name__ == "__main__":
    terminal.end_process(run_job(Path(sys.argv[1])))
