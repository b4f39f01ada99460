"""The papers' figures, as far as they have been read in a source; what has not been read is never guessed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from training.datasets.table import TableRow, read_rows
from training.errors import UserError
from training.experiments.reproduce import laiz, pascual
from training.experiments.reproduce.tables import Table
from training.experiments.reproduce.vats import VATS_TABLES

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        pascual.TABLE1,
        pascual.TABLE2,
        pascual.TABLE3,
        pascual.TABLE4,
        laiz.TABLE6,
        laiz.TABLE7,
        laiz.TABLE8,
        laiz.TABLE9,
        laiz.FIGURE8,
        laiz.FIGURE13,
    )
}


def row_names(name: str) -> list[str]:
    """The rows of a table of any paper; raises `UserError` listing the names there are."""
    if name in VATS_TABLES:
        return [row.name for row in VATS_TABLES[name].rows]
    return [row.name for row in find_table(name).rows]


def find_table(name: str) -> Table:
    """The table of a name; raises `UserError` listing the names there are."""
    if name not in TABLES:
        raise UserError(f"There is no table {name!r}.", f"There are: {', '.join((*TABLES, *VATS_TABLES))}.")
    return TABLES[name]


NOT_AT_HAND = "not at hand"

LOOKED_AT = (
    "Searched on 2026-11-21 for arXiv 1912.04643 and 2204.09773: the copies of ar5iv.labs.arxiv.org, deepai.org, "
    "vdocument.in, tomesphere.com, citegraph.io, bohrium.dp.tech and scholarfeed.org that could be read give title, "
    "abstract and introduction, no table; of a review that lists polyp studies (Mini-invasive Surg 2024;8:4, Table 4) "
    "only rows of other work could be read. No public source file quotes either table."
)
"""Where the figures were looked for; printed beside tables in which one is missing."""


@dataclass(frozen=True)
class Published:
    """One figure of a paper."""

    text: str
    """As printed there, deviation included."""
    source: str
    """Where it was read."""


Figures = Mapping[tuple[str, str, str], Published]
"""(table, row, figure) -> figure."""

COLUMNS = ("table", "row", "figure", "text", "source")
"""Of a CSV file with figures that a person read in the paper."""


class _FigureRow(TableRow):
    table: str
    row: str
    figure: str
    text: str = Field(min_length=1)
    source: str = Field(min_length=1)


PUBLISHED: Figures = {}
"""Only what was read with one's own eyes belongs here, its source with it."""


def published_figures(path: Path | None) -> Figures:
    """The figures known here, and those of a CSV file of the reader's own (`COLUMNS`), which win.

    Raises:
        UserError: a line that cannot be read, or a table or row that there is not.
    """
    known = dict(PUBLISHED)
    for line in read_rows(path, _FigureRow, COLUMNS) if path else ():
        rows = row_names(line.table)
        if line.row not in rows:
            raise UserError(f"{path}: {line.table} has no row {line.row!r}.", f"There are: {', '.join(rows)}.")
        known[line.table, line.row, line.figure] = Published(line.text, line.source)
    return known
