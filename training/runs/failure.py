"""Turning whatever ended a job into a sentence and a hint."""

import errno
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from training.errors import UserError, not_in_reading_edition
from training.runs.events import STOPPED_EARLY, Outcome, encode
from training.runs.reporter import Cancelled, Reporter
from training.texts import Text

ABOUT_CODE = (AttributeError, ImportError, IndexError, MemoryError, ModuleNotFoundError, NameError, RecursionError,
              TypeError, UnboundLocalError, ZeroDivisionError)  # fmt: skip
"""Errors whose messages name code. That of any other may quote data: a name, a comment, a file."""
_MEMORY_WORDS = ("out of memory", "can't allocate memory", "not enough memory", "bad allocation")


def outcome_of(run: Callable[[], dict[str, Any]], reporter: Reporter) -> Outcome:
    """Run a command to its end; whatever it raises becomes an outcome."""
    try:
        result = run()
        is_whole = result.get("finished", result.get("complete"))
        is_cut_short = reporter.stop_requested and is_whole is not True  # a stop may come with the last step
        outcome = Outcome("done", STOPPED_EARLY if is_cut_short else "", result=result)
        encode(outcome)  # a result that JSON cannot say is a bug of the command, found before anything is sent
    except BaseException as error:  # the outcome carries it to the window, the log its trace
        if not is_expected(error):
            reporter.log(trace_of(error))
        return describe_failure(error)
    return outcome


def describe_failure(error: BaseException) -> Outcome:
    """The outcome that `error` means: cancelled, or failed with a sentence that a reader can act on."""
    if isinstance(error, Cancelled | KeyboardInterrupt):
        return Outcome("cancelled", "Cancelled.")
    if isinstance(error, UserError):
        return Outcome("failed", error.message, error.hint)
    if (lacking := not_in_reading_edition(error)) is not None:
        return Outcome("failed", lacking.message, lacking.hint)
    if _is_gpu_memory(error):
        hint = "Choose a smaller batch or input size, close other programs that use the GPU, or run it on the CPU."
        return Outcome("failed", "The graphics card ran out of memory.", hint)
    if _is_memory(error):
        hint = "Close other programs, or choose a smaller batch or input size."
        return Outcome("failed", "The computer ran out of memory.", hint)
    if isinstance(error, OSError) and _is_disk_full(error):
        full = Text("The disk is full while writing {name}.", error.filename) if error.filename else "The disk is full."
        return Outcome("failed", full, "Free some disk space and start it again; it continues.")
    name = type(error).__name__
    return Outcome(
        "failed", Text("It ended with an unexpected error ({name}).", name), "Please report it with the log."
    )


def is_expected(error: BaseException) -> bool:
    """True for what a person can mend or asked for; anything else is a bug whose trace belongs into the log."""
    is_full = isinstance(error, OSError) and _is_disk_full(error)
    if not_in_reading_edition(error) is not None:
        return True
    return isinstance(error, UserError | Cancelled) or _is_gpu_memory(error) or _is_memory(error) or is_full


def trace_of(error: BaseException) -> str:
    """The trace of `error` and of what caused it, many lines, without anything that could be data of a patient."""
    lines: list[str] = []
    for each in reversed(list(_with_causes(error))):
        lines += ["Traceback (most recent call last):\n", *traceback.format_tb(each.__traceback__)]
        lines.append(f"{summary_of(each)}\n")
    return "".join(lines)


def summary_of(error: BaseException) -> str:
    """The kind of an error, and the reason that the system or the database names; never a text that quotes data."""
    kind = type(error).__name__
    if type(error) in ABOUT_CODE:
        said = str(error)
    elif isinstance(error, OSError):
        said = error.strerror or ""
    else:
        said = str(getattr(error, "sqlite_errorname", ""))
    return f"{kind}: {said}" if said else kind


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """An error, what caused it, and the members of a group, each once."""
    known: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in known:
            continue
        known.add(id(each))
        yield each
        waiting.append(each.__cause__ or (None if each.__suppress_context__ else each.__context__))
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions


def _is_gpu_memory(error: BaseException) -> bool:
    torch = sys.modules.get("torch")  # an error of torch's cannot come from a process that never imported it
    kind = getattr(torch, "OutOfMemoryError", None)
    return kind is not None and isinstance(error, kind)


def _is_memory(error: BaseException) -> bool:
    is_worded = isinstance(error, RuntimeError) and any(words in str(error).lower() for words in _MEMORY_WORDS)
    return isinstance(error, MemoryError) or is_worded


def _is_disk_full(error: OSError) -> bool:
    return error.errno in (errno.ENOSPC, errno.EDQUOT) or "no space left" in str(error).lower()
