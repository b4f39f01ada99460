"""Text for a terminal: what names of files, studies and patients may hold must not control it."""

import re
import sys
from typing import TextIO

from training.errors import UserError

_CONTROLS = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f"  # all but the tab: escape sequences, new lines, C1
    "\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff"  # order of writing, separators
    "\U000e0000-\U000e007f\ud800-\udfff]"  # invisible tags, surrogates without a partner
)


def printable(text: object) -> str:
    r"""One line of text in which control characters and lone surrogates are written as escapes, such as `\x1b`."""
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), str(text))


def printable_lines(text: str) -> str:
    """Text of several lines, each as `printable` gives it."""
    return "\n".join(map(printable, text.split("\n")))


def print_lines(*lines: object, file: TextIO | None = None) -> None:
    """Print lines so that they cannot control the terminal; what its encoding lacks is written as an escape.

    Args:
        lines: each is one line; new lines in it are escaped.
        file: standard output by default.
    """
    out = sys.stdout if file is None else file
    for line in lines:
        text = printable(line)
        encoding = getattr(out, "encoding", None) or "utf-8"
        print(text.encode(encoding, "backslashreplace").decode(encoding), file=out)


def print_error(error: Exception) -> None:
    """Print what went wrong, and what to do, to the standard error output."""
    lines = (error.message, error.hint) if isinstance(error, UserError) else (str(error),)
    print_lines(*filter(None, lines), file=sys.stderr)
