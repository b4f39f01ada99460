"""The texts of a report, and the text blocks that a reader inserts into them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from training.errors import UserError
from training.files.json_text import read_json_object
from training.files.outputs import written_beside
from wce_desktop.core.annotation.report_part import ReportPart
from wce_desktop.core.language import tr
from wce_desktop.session.places import resource

Adequacy = Literal["", "adequate", "inadequate"]
BLOCKS_NAME = "text-blocks.json"
"""In the library's folder once a reader has changed them."""
MAX_BLOCKS = 500


@dataclass(frozen=True, slots=True)
class Texts:
    """What a reader writes for the report; free text, except for the adequacy of the preparation."""

    summary: str = ""
    recommendation: str = ""
    adequacy: Adequacy = ""

    @property
    def content(self) -> dict[str, Any]:
        """As the content of a `ReportPart`."""
        return asdict(self)


def texts_part(parts: Iterable[ReportPart]) -> ReportPart | None:
    """The part that holds the texts."""
    return next((part for part in parts if part.kind == "texts"), None)


def texts_of(parts: Iterable[ReportPart]) -> Texts:
    """The texts of a report; empty where none were entered. What breaks the rules is left out."""
    part = texts_part(parts)
    content = part.content if part is not None else {}
    summary, recommendation = (content.get(name, "") for name in ("summary", "recommendation"))
    adequate: Adequacy = "adequate" if content.get("adequacy") == "adequate" else ""
    return Texts(
        summary if isinstance(summary, str) else "",
        recommendation if isinstance(recommendation, str) else "",
        "inadequate" if content.get("adequacy") == "inadequate" else adequate,
    )


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A text to insert, with the title that the menu shows."""

    title: str
    text: str


def read_blocks(library: Path) -> tuple[TextBlock, ...]:
    """The library's text blocks; those that the application ships until a reader has changed them.

    Raises:
        UserError: the file cannot be read.
    """
    own = library / BLOCKS_NAME
    path = own if own.is_file() else resource("report", BLOCKS_NAME)
    blocks = read_json_object(path, "list of text blocks").get("blocks")
    try:
        if not isinstance(blocks, list) or len(blocks) > MAX_BLOCKS:
            raise TypeError("no list of blocks")
        made = tuple(TextBlock(**block) for block in blocks)
        made = made if path == own else tuple(TextBlock(tr(block.title), tr(block.text)) for block in made)
        if not all(isinstance(text, str) for block in made for text in (block.title, block.text)):
            raise TypeError("a block is not text")
    except TypeError as error:
        raise UserError(
            "The text blocks {path} cannot be read ({reason}).", "Correct the file, or delete it.", path, error
        ) from error
    return made


def write_blocks(library: Path, blocks: Sequence[TextBlock]) -> None:
    """Keep the text blocks in the library's folder.

    Raises:
        UserError: it cannot be written.
    """
    path = library / BLOCKS_NAME
    document = {"blocks": [asdict(block) for block in blocks]}
    try:
        with written_beside(path) as beside:
            beside.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise UserError(
            "The text blocks {path} cannot be written ({reason}).",
            "Free some disk space, or check the folder's permissions.",
            path,
            error.strerror or error,
        ) from error
