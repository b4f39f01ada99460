"""The stretch in which a job must not be killed: while a checkpoint is written."""

from collections.abc import Iterator
from contextlib import contextmanager

from training.runs.json_reporter import JsonReporter
from training.runs.reporter import Reporter


@contextmanager
def uninterrupted(reporter: Reporter, what: str = "writing a checkpoint") -> Iterator[None]:
    """Keep the window from killing this process while the body runs.

    The window hears of the begin and the end (`Busy` events) and lets its grace wait for the end. No such stretch
    begins after a cancel was asked for: a begin that the window has not yet read is therefore older than the cancel,
    and is read long before the grace is over.

    Raises:
        Cancelled: cancel was asked for before the body began.
    """
    reporter.check()
    if not isinstance(reporter, JsonReporter):
        yield
        return
    reporter.busy(True, what)
    try:
        yield
    finally:
        reporter.busy(False, what)
