"""Every table that can be reproduced, by the name it has on the command line; those of Vats et al. apart."""

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
