"""Tables as aligned text that is Markdown too."""

from collections.abc import Sequence

Line = Sequence[str]


def aligned(columns: Line, rows: Sequence[Line]) -> str:
    """A Markdown table whose columns stand under each other."""
    widths = [max(len(line[k]) for line in (columns, *rows)) for k in range(len(columns))]
    lines = [columns, ["-" * width for width in widths], *rows]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


def shortened(lines: Sequence[Line]) -> list[Line]:
    """Each row's name once, and one line for all figures of a row that says the same of each of them.

    Args:
        lines: (row, figure, paper, ours, ...), the lines of a row one after the other.
    """
    made: list[Line] = []
    for name in dict.fromkeys(line[0] for line in lines):
        mine = [line for line in lines if line[0] == name]
        if len(mine) > 1 and len({tuple(line[2:]) for line in mine}) == 1:
            made.append((name, "all", *mine[0][2:]))
        else:
            made.append(mine[0])
            made += [("", *line[1:]) for line in mine[1:]]
    return made
