"""What came of the kills, and the table that says it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

COLUMNS = (
    "what",
    "kills",
    "confirmed edits",
    "lost",
    "left half done",
    "results compared",
    "different",
    "other",
)


@dataclass
class Tally:
    """The counts of one kind of work.

    Attributes:
        what: the work that was killed.
        kills: how many processes were killed while they worked.
        confirmed: edits that the program had said were saved; lost: those of them that were not on disk.
        in_middle: kills that left something half done, which the next start took up or left aside.
        compared: finished results that were compared with those of an undisturbed run; different: those unlike them.
        problems: everything else that went wrong, a sentence each.
    """

    what: str
    kills: int = 0
    confirmed: int = 0
    lost: int = 0
    in_middle: int = 0
    compared: int = 0
    different: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether nothing was lost, and nothing else went wrong."""
        return not (self.lost or self.different or self.problems)

    def as_json(self) -> dict[str, Any]:
        """For another process."""
        return asdict(self)


def table(tallies: Iterable[Tally]) -> str:
    """A Markdown table with a row for each kind of work and one for their sum; below it the problems."""
    rows = list(tallies)
    whole = Tally("together")
    for one in rows:
        for name in ("kills", "confirmed", "lost", "in_middle", "compared", "different"):
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
        whole.problems += one.problems
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for one in (*rows, whole):
        cells = (one.what, one.kills, one.confirmed, one.lost, one.in_middle, one.compared, one.different)
        lines.append("| " + " | ".join(map(str, (*cells, len(one.problems)))) + " |")
    said = [f"- {one.what}: {problem}" for one in rows for problem in one.problems]
    return "\n".join([*lines, *(["", *said] if said else [])])
