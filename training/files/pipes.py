"""Ends a command quietly when nobody reads its output any more, as in `... | head -3`."""

import io
import os
import sys
from collections.abc import Callable

EXIT_PIPE = 141
"""What shells give a process that wrote into a closed pipe."""


def run_into_pipe(command: Callable[[], int]) -> int:
    """Run a command and flush what it printed; returns its exit code, or `EXIT_PIPE` where the reader is gone."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that the encoding lacks must not end a command
    try:
        status = command()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at its end, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    return status
