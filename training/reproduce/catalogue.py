"""Every table that can be reproduced, by the name it has on the command line."""

from training.errors import UserError
from training.reproduce import laiz, pascual
from training.reproduce.tables import Table

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


def find_table(name: str) -> Table:
    """The table of a name; raises `UserError` listing the names there are."""
    if name not in TABLES:
        raise UserError(f"There is no table {name!r}.", f"There are: {', '.join(TABLES)}.")
    return TABLES[name]
