"""Keeps data of patients out of the log: names of studies and files, and what messages of errors quote."""

import copy
import logging
import re
from collections.abc import Iterable
from pathlib import PurePath
from types import TracebackType

from training.runs.failure import ABOUT_CODE, summary_of, trace_of
from training.video.formats import VIDEO_SUFFIXES
from wce_desktop.core.study import Study

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
            for text in (str(study.path), study.path.name, study.path.stem, study.name, study.pseudonym):
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
