"""The papers' figures: those that are shipped (`resources/published`), and those of a reader's own CSV file."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import Field

from training.datasets.table import TableRow, read_rows
from training.errors import UserError
from training.experiments.engine import NOTHING
from training.experiments.reproduce.intrator_rows import INTRATOR_TABLES, IntratorTable
from training.experiments.reproduce.tables import Table
from training.experiments.reproduce.triplet_tables import TABLES
from training.experiments.reproduce.vats import VATS_TABLES, VatsTable
from training.experiments.reproduce.xiang_rows import XIANG_TABLES, XiangTable
from training.files.inputs import resources_folder

KEYED_TABLES: dict[str, VatsTable | IntratorTable | XiangTable] = {**VATS_TABLES, **INTRATOR_TABLES, **XIANG_TABLES}
EVERY_TABLE = (*TABLES, *KEYED_TABLES)


def row_names(name: str) -> list[str]:
    """The rows of a table of any paper; raises `UserError` listing the names there are."""
    return [row.name for row in (KEYED_TABLES[name] if name in KEYED_TABLES else find_table(name)).rows]


def find_table(name: str) -> Table:
    """The table of a name; raises `UserError` listing the names there are."""
    if name not in TABLES:
        raise UserError(f"There is no table {name!r}.", f"There are: {', '.join(EVERY_TABLE)}.")
    return TABLES[name]


NOT_AT_HAND = "not at hand"
"""A figure that the paper shows without a number."""
NOT_A_NUMBER = f'"{NOT_AT_HAND}": the paper shows this figure without a number, and it is not guessed.'


@dataclass(frozen=True)
class Published:
    """One figure of a paper."""

    text: str
    """As printed there, deviation included."""
    source: str
    """Where it was read."""


Figures = Mapping[tuple[str, str, str], Published]
"""(table, row, figure) -> figure."""

FOLDER = "published"
COLUMNS = ("table", "row", "figure", "text", "source")
"""Of a CSV file with figures that a person read in the paper."""


class _FigureRow(TableRow):
    table: str
    row: str
    figure: str
    text: str = Field(min_length=1)
    source: str = Field(min_length=1)


def published_figures(path: Path | None = None) -> Figures:
    """The shipped figures, and those of a CSV file of the reader's own (`COLUMNS`), which win.

    Raises:
        UserError: a line that cannot be read, or a table or row that there is not.
    """
    return {**shipped_figures(), **(read_figures(path) if path else {})}


@cache
def shipped_figures() -> Figures:
    """The figures of the papers' tables, as printed there, from `resources/published`."""
    folder = resources_folder(FOLDER) / FOLDER
    files = [path for name in EVERY_TABLE if (path := folder / f"{name}.csv").is_file()]
    return {key: figure for path in files for key, figure in read_figures(path).items()}


def read_figures(path: Path) -> Figures:
    """The figures of one CSV file with the columns `COLUMNS`; see `OLDER_ROWS` and `figure_key` for the names.

    Raises:
        UserError: a line that cannot be read, or a table or row that there is not.
    """
    known: dict[tuple[str, str, str], Published] = {}
    for line in read_rows(path, _FigureRow, COLUMNS):
        rows, row = row_names(line.table), OLDER_ROWS.get((line.table, line.row), line.row)
        if row not in rows:
            raise UserError(f"{path}: {line.table} has no row {line.row!r}.", f"There are: {', '.join(rows)}.")
        known[line.table, row, figure_key(line.figure)] = Published(line.text, line.source)
    return known


OLDER_ROWS: Mapping[tuple[str, str], str] = {
    ("pascual-table4", "Guo"): "Guo et al.",
    ("vats-table2", "others' systems"): "Vats et al. (supervised)",
    ("vats-table3", "random weights"): "Random R50",
    ("vats-table3", "ImageNet"): "INet pretrained R50",
    ("vats-table4", "random weights"): "Random R50",
    ("vats-table4", "ImageNet"): "ImageNet Pretrained R50",
}
"""(table, row in files of older versions, which are still read) -> the paper's name of the row."""


def figure_key(name: str) -> str:
    """A figure's name in the format of all tables: what is measured, and of what ("auc:finetuned, CAD-CAP, best").

    The tables of Vats et al. used to have it the other way round ("finetuned, CAD-CAP, best: AUC"), which is still
    read.
    """
    what, separator, measure = name.rpartition(": ")
    return f"{measure.lower()}:{what}" if separator else name


def paper_text(figures: Figures, table: str, row: str, figure: str) -> str:
    """The paper's figure as printed there; "-" where it has none, as in each row of ours."""
    known = figures.get((table, row, figure))
    return known.text if known else NOTHING


def sources_of(figures: Figures, table: str) -> list[str]:
    """A sentence for each place where figures of a table were read."""
    sources = {known.source for (name, _, _), known in figures.items() if name == table}
    return [f"The paper's figures: {source}." for source in sorted(sources)]


def figures_of(figures: Figures, table: str) -> tuple[str, ...]:
    """The keys of the figures of a table, each once, in order."""
    return tuple(dict.fromkeys(key for name, _, key in figures if name == table))
