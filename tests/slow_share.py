"""A file system below a folder that answers when it is told to, as a share that is far away or down."""

import builtins
import io
import os
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ASKING = (
    (os, "stat"), (os, "lstat"), (os, "open"), (os, "scandir"), (os, "listdir"), (os, "access"), (os, "mkdir"),
    (os, "replace"), (os, "rename"), (os, "unlink"), (os, "statvfs"), (io, "open"), (builtins, "open"),
)  # fmt: skip
"""What asks the file system by a path."""
OURS = ("/wce_desktop/", "/training/")
NOT_OURS = "/tests/"


class Share:
    """Notes who asks the file system below a folder.

    Attributes:
        answers: while it is cleared, other threads than the window's wait for an answer.
        asked_by_window: where the code asked in the thread that made this object, outermost first.
    """

    def __init__(self, folder: Path) -> None:
        self._below = f"{folder}{os.sep}"
        self._window = threading.get_ident()
        self.answers = threading.Event()
        self.answers.set()
        self.asked_by_window: list[str] = []

    def _noting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any, *given: Any, **further: Any) -> Any:
            if isinstance(path, str | os.PathLike) and str(os.fspath(path)).startswith(self._below):
                if threading.get_ident() == self._window:
                    self.asked_by_window.append(_where())
                else:
                    self.answers.wait()
            return function(path, *given, **further)

        return asked

    @contextmanager
    def mounted(self) -> Iterator["Share"]:
        """Within it the file system is slow; at its end it answers."""
        with pytest.MonkeyPatch.context() as patch:
            for module, name in ASKING:
                patch.setattr(module, name, self._noting(getattr(module, name)))
            try:
                yield self
            finally:
                self.answers.set()


def _where() -> str:
    """The innermost functions of the program."""
    frames = [
        frame
        for frame in traceback.extract_stack()
        if any(each in frame.filename for each in OURS) and NOT_OURS not in frame.filename
    ]
    return " > ".join(f"{Path(frame.filename).stem}.{frame.name}:{frame.lineno}" for frame in frames[-4:])
