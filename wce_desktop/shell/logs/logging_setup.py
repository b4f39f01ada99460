"""Writes unexpected errors to a log file, without data of patients (`log_privacy`)."""

import logging
import sys
import threading
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from wce_desktop.library.storage.private import restrict_access
from wce_desktop.shell.logs.log_privacy import FORMATTER

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
    qInstallMessageHandler(log_qt_message)


def log_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Take one of Qt's messages into the log."""
    logging.getLogger("qt").log(LEVELS[kind], "%s", message)


def catch_bugs(show: Callable[[BaseException], None]) -> None:
    """Log every uncaught exception, in any thread, and `show` those of the window's thread."""

    def from_window(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        LOG.error("unexpected error", exc_info=(kind, error, trace))
        show(error)

    def from_thread(caught: threading.ExceptHookArgs) -> None:
        if caught.exc_value is not None:
            LOG.error("unexpected error in a thread", exc_info=caught.exc_value)

    def from_destructor(caught: "sys.UnraisableHookArgs") -> None:
        if caught.exc_value is not None:
            LOG.error("unexpected error in a destructor", exc_info=caught.exc_value)

    sys.excepthook = from_window
    sys.unraisablehook = from_destructor
    threading.excepthook = from_thread
