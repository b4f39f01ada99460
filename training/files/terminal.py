"""The standard streams of a command: text that cannot control a terminal, failures to print, and exit codes."""

import atexit
import errno
import io
import os
import re
import sys
import threading
import unicodedata
from collections.abc import Callable, Collection, Sequence
from typing import Any, NoReturn, TextIO

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


def in_columns(lines: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """A table whose columns stand under each other; those whose numbers are in `right` end under each other."""
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    forms = [f"{'>' if column in right else '<'}{width}" for column, width in enumerate(widths)]
    return "\n".join(
        "  ".join(f"{cell:{form}}" for cell, form in zip(line, forms, strict=True)).rstrip() for line in lines
    )


def print_lines(*lines: object, file: TextIO | None = None) -> None:
    """Print each as one line that cannot control the terminal; what its encoding lacks is written as an escape."""
    out = sys.stdout if file is None else file
    for line in lines:
        text = printable(line)
        encoding = getattr(out, "encoding", None) or "utf-8"
        print(text.encode(encoding, "backslashreplace").decode(encoding), file=out)


def print_error(error: UserError) -> None:
    """Print what went wrong, and in a second line what to do, to the standard error output."""
    print_lines(*filter(None, (error.message, error.hint)), file=sys.stderr)


EXIT_FAILED = 1
EXIT_PIPE = 141
"""What shells give a process that wrote into a closed pipe."""
_OF_HDF5 = re.compile("decrement id ref count")


def run_into_pipe(command: Callable[[], int]) -> int:
    """Run a command and flush what it printed; returns its exit code.

    It is `EXIT_PIPE` where nobody reads the output any more, as in `... | head -3`, and `EXIT_FAILED` after a sentence
    where the output could not be written, as on a full disk. Without standard error, messages are lost, no more.
    """
    output = _take_streams()
    ended: SystemExit | None = None
    status = 0
    try:
        try:
            status = command()
        except SystemExit as error:  # of --help, --version and wrong options
            ended = error
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at its end, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    if output is not None and output.problem is not None and status == 0:
        sys.stderr.write(f"The output cannot be printed ({output.problem.strerror}). The command was carried out.\n")
        return EXIT_FAILED
    if ended is not None:
        raise ended
    return status


class CarelessFile(io.FileIO):
    """Writes what it can: a print to a window or terminal that is gone must not end the work."""

    def write(self, data: Any) -> int:
        """Write, or drop it when it cannot be written."""
        try:
            return super().write(data) or 0
        except OSError:
            return len(data)


class _Output(io.FileIO):
    """Drops what cannot be written and keeps why; but a pipe that nobody reads ends the command."""

    problem: OSError | None = None
    is_closed_outside = False

    def write(self, data: Any) -> int:
        try:
            if self.is_closed_outside:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            return super().write(data) or 0
        except BrokenPipeError:
            raise
        except OSError as error:
            self.problem = self.problem or error
            return len(data)


def careless_stream(descriptor: int) -> io.TextIOWrapper:
    """A text stream on a descriptor that never fails; a line is there as soon as it is printed."""
    return _text(CarelessFile(descriptor, "w", closefd=False), "utf-8", line_buffering=True)


def _take_streams() -> _Output | None:
    """Replace the process's own streams; None where somebody else has replaced them, as tests do."""
    if os.name != "posix" or sys.stdout is not sys.__stdout__ or sys.stderr is not sys.__stderr__:
        return None
    _quiet_hdf5()
    is_closed = sys.stdout is None
    _fill_descriptors()
    output = _Output(1, "w", closefd=False)
    output.is_closed_outside = is_closed
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
    sys.stdout = _text(output, _encoding(sys.stdout), line_buffering=output.isatty())
    sys.stderr = _text(CarelessFile(2, "w", closefd=False), _encoding(sys.stderr), line_buffering=True)
    return output


def _quiet_hdf5() -> None:
    """Leave out what h5py prints when it closes a file that cannot be written: the command says so in a sentence."""
    show_error, show_ignored = sys.excepthook, sys.unraisablehook

    def is_known(error: BaseException | None) -> bool:
        return isinstance(error, RuntimeError) and _OF_HDF5.search(str(error)) is not None

    sys.excepthook = lambda kind, error, trace: None if is_known(error) else show_error(kind, error, trace)
    sys.unraisablehook = lambda caught: None if is_known(caught.exc_value) else show_ignored(caught)


def _fill_descriptors() -> None:
    """Let the null device stand for streams that are closed: a file that is opened would take their numbers."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _text(raw: io.FileIO, encoding: str, *, line_buffering: bool) -> io.TextIOWrapper:
    buffer = io.BufferedWriter(raw)
    return io.TextIOWrapper(buffer, encoding=encoding, errors="backslashreplace", line_buffering=line_buffering)


def _encoding(stream: TextIO | None) -> str:
    return stream.encoding if stream is not None else "utf-8"


def end_process(status: int) -> NoReturn:
    """End with this exit code without taking Python apart, which takes a tenth of a second and can fail.

    Threads of torch's backends outlive the group of processes. One that lets go of a tensor while Python is being taken
    apart is ended inside of C++, which aborts the process: a finished training would count as failed. What is
    registered to be done at the end is done, and what was printed is written. HDF5 crashes at its own end where a file
    could not be written, as on a full disk. Where a thread still works, Python waits for it and ends by itself.
    """
    works = any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())
    if status or int(os.environ.get("WORLD_SIZE", "1")) > 1 or not works:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(status)
    sys.exit(status)
