"""Writes unexpected errors to a log file, without data of patients.

Notes how the window ends: a crash of native code leaves its stack, anything but a normal end leaves a note.

Keeps data of patients out of the log: names of studies and files, and what messages of errors quote.
"""

import copy
import faulthandler
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path, PurePath
from types import TracebackType
from typing import IO

from PySide6.QtCore import QtMsgType, qInstallMessageHandler

from training.files.scratch import may_still_run
from training.runs.failure import ABOUT_CODE, summary_of, trace_of
from training.video.formats import VIDEO_SUFFIXES
from wce_desktop.core.study import Study
from wce_desktop.library.storage.private import make_private_file, restrict_access

LEAST_CHARACTERS = 4
"""Of a name that is looked for: shorter ones are words of every sentence."""
_SUFFIXES = "|".join(
    sorted(suffix.lstrip(".") for suffix in (*VIDEO_SUFFIXES, ".dcm", ".png", ".jpg", ".jpeg", ".bmp"))
)
_FILE = re.compile(
    rf"(?:[A-Za-z]:)?[^\s'\"“”‘’<>|:]*\.(?:{_SUFFIXES})\b"  # without spaces
    rf"|(?<=[“'\"])[^“”'\"\n]*\.(?:{_SUFFIXES})(?=[”'\"])",  # quoted, also with spaces
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)")
_ERROR = re.compile(r"^((?:\w+\.)*(\w*(?:Error|Exception|Warning|Exit|Interrupt)))\b:.*$", re.MULTILINE)
"""A line that names an error and what it says."""
_CODE = {kind.__name__ for kind in ABOUT_CODE}


def without_values(text: str) -> str:
    """A text of a library or a job, without what it quotes and without what errors say of data."""
    if text.lstrip().startswith('File "'):
        return text  # a line of a trace
    text = _ERROR.sub(lambda found: found[0] if found[2] in _CODE else found[1], text)
    return _QUOTED.sub("(text)", text)


class PrivateFormatter(logging.Formatter):
    """The one place that all of the log goes through: whatever stands in it was made or cleaned here.

    Study ids stand instead of the names of known studies, kinds instead of errors, and no name of a video or picture.
    """

    def __init__(self, form: str) -> None:
        super().__init__(form)
        self._known: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def know(self, studies: Iterable[Study]) -> None:
        """Replace the names, files and patients of these studies from now on."""
        known = {}
        for study in studies:
            for text in (
                str(study.path),
                study.path.name,
                study.path.stem,
                study.name,
                study.pseudonym,
                study.shown_name,
            ):
                if len(text) >= LEAST_CHARACTERS:
                    known[text.casefold()] = study.study_id
        self._known = known
        longest_first = sorted(known, key=len, reverse=True)
        every = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(rf"(?<!\w)(?:{every})(?!\w)", re.IGNORECASE) if known else None

    def format(self, record: logging.LogRecord) -> str:
        """The line, with its trace where it has one, without names and data."""
        clean = copy.copy(record)
        clean.exc_text = None  # another handler may have put its own trace there
        clean.msg = _shown(record.msg) if isinstance(record.msg, BaseException) else record.msg
        if isinstance(record.args, tuple):
            clean.args = tuple(map(_shown, record.args))
        return self.hidden(super().format(clean))

    def formatException(
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """The trace of an error without what it quotes."""
        return trace_of(ei[1]) if ei[1] is not None else ""

    def hidden(self, text: str) -> str:
        """A text without names."""
        if self._pattern is not None:
            text = self._pattern.sub(lambda found: self._known.get(found[0].casefold(), "(study)"), text)
        return _FILE.sub("(file)", text)


def _shown(value: object) -> object:
    """A value of a line as the log may hold it."""
    if isinstance(value, BaseException):
        return summary_of(value)
    if isinstance(value, PurePath):
        return "(path)"
    return value if isinstance(value, bool | int | float) else without_values(str(value))


FORMATTER = PrivateFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
"""Of the application's log."""


LAST = "last-crash.txt"
"""The note of the last window that ended unexpectedly, for the diagnostics."""


class CrashNotes:
    """A file of this process beside the log; removed when the window ends as it should.

    Attributes:
        has_crashed: whether a window before this one ended unexpectedly, by a crash, a kill or a power cut.
    """

    def __init__(self, folder: Path) -> None:
        """Does nothing where the folder cannot be written."""
        self.has_crashed = False
        self._file: IO[str] | None = None
        self._path = folder / f"window-{os.getpid()}.txt"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.has_crashed = _collect(folder)
            self._path.unlink(missing_ok=True)
            make_private_file(self._path)
            self._file = self._path.open("w", encoding="utf-8")
        except OSError:
            return
        faulthandler.enable(self._file)

    def close(self) -> None:
        """The window ends as it should."""
        if self._file is not None:
            faulthandler.disable()
            self._file.close()
            self._file = None
            self._path.unlink(missing_ok=True)


def _collect(folder: Path) -> bool:
    """Keep the newest note of a process that has ended, remove the others; whether there was one."""
    result = [
        path for path in folder.glob("window-*.txt") if not may_still_run(path, path.stem.removeprefix("window-"))
    ]
    for path in sorted(result, key=lambda one: one.stat().st_mtime):
        path.replace(folder / LAST)
    return bool(result)


LOG = logging.getLogger("wce_desktop")
LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def start_logging(path: Path) -> None:
    """Write warnings, errors and Qt's messages to `path` (1 MiB, three files), or to the console where that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob(f"{path.name}*"):
            restrict_access(old)
        handler: logging.Handler = RotatingFileHandler(path, maxBytes=2**20, backupCount=2, encoding="utf-8")
    except OSError:
        handler = logging.StreamHandler()
    handler.setFormatter(FORMATTER)
    logging.getLogger().addHandler(handler)
    LOG.setLevel(logging.INFO)
    logging.raiseExceptions = False  # a line that cannot be written would be printed with its values
    qInstallMessageHandler(lambda kind, _, message: logging.getLogger("qt").log(LEVELS[kind], "%s", message))


def catch_bugs(show: Callable[[BaseException], None]) -> None:
    """Log every uncaught exception, in any thread, and `show` those of the window's thread."""

    def from_window(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        LOG.error("unexpected error", exc_info=(kind, error, trace))
        show(error)

    def log(where: str, caught: "threading.ExceptHookArgs | sys.UnraisableHookArgs") -> None:
        if caught.exc_value is not None:
            LOG.error("unexpected error in a %s", where, exc_info=caught.exc_value)

    sys.excepthook = from_window
    sys.unraisablehook = partial(log, "destructor")
    threading.excepthook = partial(log, "thread")
