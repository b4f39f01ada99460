"""Outcomes made by the window, for a child that crashed."""

import signal
from itertools import takewhile

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
