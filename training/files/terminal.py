"""Text for a terminal: what names of files, studies and patients may hold must not control it."""

import sys
import unicodedata
from typing import TextIO

from training.errors import UserError

_KEPT = "\t\u200c\u200d"
"""Not printable by Python's rules, and harmless: the tab, and what joins letters or emoji."""


def printable(text: object) -> str:
    r"""One line of text in which control characters and lone surrogates are written as escapes, such as `\x1b`.

    New lines, and what turns the order of writing round, count as control characters.
    """
    return "".join(char if _is_harmless(char) else char.encode("unicode_escape").decode("ascii") for char in str(text))


def _is_harmless(char: str) -> bool:
    return char.isprintable() or char in _KEPT or unicodedata.category(char) == "Zs"


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


def print_error(error: UserError) -> None:
    """Print what went wrong, and in a second line what to do, to the standard error output."""
    print_lines(*filter(None, (error.message, error.hint)), file=sys.stderr)
