"""Two rows fold by fold: the same patients held out, the same seed, one difference each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from training.experiments.reproduce.figures import FoldKey, Measured, heading
from training.experiments.reproduce.tables import RANDOM, Row
from training.experiments.text_table import Line


@dataclass(frozen=True)
class Paired:
    """A row minus another one, in one figure."""

    row: str
    against: str
    figure: str
    differences: Mapping[FoldKey, float]

    @property
    def mean(self) -> float:
        """Mean of the differences."""
        return fmean(self.differences.values())

    @property
    def deviation(self) -> float | None:
        """Standard deviation (n - 1) of the differences; None of one."""
        return stdev(self.differences.values()) if len(self.differences) > 1 else None

    @property
    def better(self) -> int:
        """Trainings in which the row is above the other one."""
        return sum(1 for value in self.differences.values() if value > 0)

    @property
    def sentence(self) -> str:
        """ "+0.012 ± 0.020, above in 4 of 6"."""
        spread = "" if self.deviation is None else f" ± {self.deviation:.3f}"
        return f"{self.mean:+.3f}{spread}, better in {self.better} of {len(self.differences)}"


def paired(rows: Sequence[Row], found: Mapping[str, Mapping[str, Measured]], keys: Sequence[str]) -> list[Paired]:
    """Every comparison that the table asks for and that has folds in common.

    Args:
        rows: with the names that each is compared with.
        found: row name -> figure -> what was measured; rows without results are absent.
        keys: figures to compare.
    """
    made = []
    for row in rows:
        for other in row.against:
            for key in keys:
                mine, theirs = (found.get(name, {}).get(key) for name in (row.name, other))
                if mine is None or theirs is None:
                    continue
                common = sorted(mine.values.keys() & theirs.values.keys())
                if common:
                    differences = {pair: mine.values[pair] - theirs.values[pair] for pair in common}
                    made.append(Paired(row.name, other, key, differences))
    return made


def pair_table(pairs: Sequence[Paired]) -> tuple[Line, list[Line]]:
    """Columns and rows: one row for each two rows that are compared, one column for each figure."""
    keys = list(dict.fromkeys(pair.figure for pair in pairs))
    rows: list[Line] = []
    for row, against in dict.fromkeys((pair.row, pair.against) for pair in pairs):
        said = {pair.figure: pair.sentence for pair in pairs if (pair.row, pair.against) == (row, against)}
        rows.append((difference_name(row, against), *(said.get(key, "-") for key in keys)))
    return ("difference", *(heading(key) for key in keys)), rows


def difference_name(row: str, against: str) -> str:
    """ "SimCLR - TL_BA (ours, random weights)": what both names begin with is said once."""
    if row.startswith(RANDOM) and against.startswith(RANDOM):
        return f"{row.removeprefix(RANDOM)} - {against.removeprefix(RANDOM)} ({RANDOM.strip(': ')})"
    return f"{row} - {against}"
