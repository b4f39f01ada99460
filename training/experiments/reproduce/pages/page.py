"""The page of a table: its lines, figures and pictures in one file; jinja2 is imported when writing."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.evaluation.page import page_environment
from training.experiments.engine import Line
from training.files.inputs import regular_file

TEMPLATES = Path(__file__).parent / "templates"
RIGHT, WRONG = "#2c6e2f", "#a1260d"
"""Colours of borders; a caption says the same."""


@dataclass(frozen=True)
class Picture:
    """A PNG file with what is written below it, and the colour of its border."""

    path: Path
    caption: str = ""
    colour: str = ""

    @property
    def address(self) -> str:
        """The picture itself, as HTML takes it."""
        content = base64.b64encode(regular_file(self.path).read_bytes())
        return f"data:image/png;base64,{content.decode('ascii')}"


@dataclass(frozen=True)
class Strip:
    """Pictures side by side."""

    caption: str
    pictures: Sequence[Picture]


@dataclass(frozen=True)
class Figure:
    """A figure of a paper, drawn of what was computed here."""

    title: str
    text: str
    plots: Sequence[str] = ()
    """SVG elements; each has ids of its own."""
    strips: Sequence[Strip] = ()


def page_text(printed: Any, lines: Sequence[Line], figures: Sequence[Figure]) -> str:
    """The page of an `outcome.PrintedTable` as HTML; `lines` are those to show, without the data.

    Raises:
        ImportError: jinja2 is not installed.
    """
    template = page_environment(TEMPLATES).get_template("reproduced.html.j2")
    return template.render(printed=printed, lines=lines, figures=figures)
