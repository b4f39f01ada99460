"""The rows of the table, commands first, then formats: how cases of each are drawn."""

import zlib

from hypothesis.strategies import SearchStrategy

from tests.fuzz.case import Case
from tests.fuzz.command_cases import cases_of, command_names
from tests.fuzz.drawing import draw_cases
from tests.fuzz.formats import FORMATS, format_cases

PREFIX = "file "


def all_groups() -> list[str]:
    """Names of all rows."""
    return [*command_names(), *(f"{PREFIX}{name}" for name in FORMATS)]


def strategy_of(name: str) -> SearchStrategy[Case]:
    """The cases of a row."""
    return format_cases(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else cases_of(name)


def draw_group(name: str, count: int, seed: int) -> list[Case]:
    """Cases of a row; other ones than in other rows with the same seed."""
    return draw_cases(strategy_of(name), count, seed ^ zlib.crc32(name.encode()))
