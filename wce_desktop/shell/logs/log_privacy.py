"""Keeps names of studies and of their files out of the log: they may name patients."""

import logging
import re
from collections.abc import Iterable

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


class PrivateFormatter(logging.Formatter):
    """Writes study ids instead of the names of known studies, and no name of a video or picture at all."""

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
        """The line, with its trace where it has one, without names."""
        return self.hidden(super().format(record))

    def hidden(self, text: str) -> str:
        """A text without names."""
        if self._pattern is not None:
            text = self._pattern.sub(lambda found: self._known.get(found[0].casefold(), "(study)"), text)
        return _FILE.sub("(file)", text)


FORMATTER = PrivateFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
"""Of the application's log."""
