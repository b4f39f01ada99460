"""Outcomes made by the window, for a child that crashed."""

import signal

from training.runs.events import Outcome
from training.texts import Text, join_texts
from wce_desktop.core.language import to_translate

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
    reason = _signal_name(return_code)
    hint = _HINTS.get(reason, to_translate("Please report it with the log."))
    if words := _last_output(last_lines):
        hint = join_texts(" ", (hint, Text("Its last output was: {words}", words)))
    result = {"reason": reason, "last_lines": list(last_lines)}
    return Outcome(
        "failed", Text("The process for {title} ended unexpectedly ({reason}).", title, reason), hint, result
    )


def _signal_name(return_code: int) -> str:
    """The name of the signal that ended a process ("SIGKILL"), or "exit code 3"."""
    if return_code >= 0:
        return Text("exit code {return_code}", return_code)
    try:
        return signal.Signals(-return_code).name
    except ValueError:
        return Text("signal {return_code}", -return_code)


def _last_output(last_lines: tuple[str, ...]) -> str:
    """The last line with anything in it; of what stands before the stack that faulthandler adds to a crash."""
    sentences: list[str] = []
    for line in last_lines:
        if line.startswith("Fatal Python error"):
            break
        sentences.append(line.strip())
    return next((line for line in reversed(sentences) if line), "")
