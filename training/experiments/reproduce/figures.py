"""One figure read off cross-validations: its values fold by fold, or one count over all folds; and two rows compared.

Rows are compared fold by fold: the same patients held out, the same seed, one difference each.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from training.experiments.engine import Line, Spread, spread_text
from training.experiments.reproduce.tables import RANDOM, Row

Report = Mapping[str, Any]
FoldKey = tuple[int, int]
"""(seed, fold): what two rows are compared on."""

HEADINGS: dict[str, str] = {
    "auc": "AUC",
    "sensitivity_at_95": "sensitivity at 95 % specificity",
    "sensitivity_at_90": "sensitivity at 90 % specificity",
    "sensitivity_at_80": "sensitivity at 80 % specificity",
    "f1": "F1",
    "mcc": "MCC",
    "findings": "findings detected",
    "p0": "p0 (share of frames classified correctly)",
    "found_95": "findings detected at 95 % specificity",
    "found_90": "findings detected at 90 % specificity",
    "found_80": "findings detected at 80 % specificity",
}
"""Family of a figure -> its name for a person, where that is another one."""
CANNOT = "not defined"
NOT_IN_DATA = "not in these data"
WHOLE = -1
"""Stands for the fold where a figure is one of all folds together."""
PER_CLASS = ("f1", "mcc")
"""Figures of each class; their keys are "f1:polyp"."""


@dataclass(frozen=True)
class Measured:
    """One figure of one row."""

    values: Mapping[FoldKey, float]
    """Value of each fold of each seed that could say one."""
    text: str = ""
    """What is printed where the figure is a count over the folds."""

    @property
    def spread(self) -> Spread:
        """Over folds and seeds."""
        return Spread(list(self.values.values()))

    def sentence(self) -> str:
        """ "91.2 ± 1.4 % (6)": mean, deviation, number of trainings; in per cent, as both papers print every figure."""
        if self.text or not self.values:
            return self.text or CANNOT
        spread = spread_text(self.spread.mean, self.spread.deviation, in_percent=True)
        return f"{spread} ({len(self.values)})"


def heading(key: str) -> str:
    """The figure's name for a person: "f1:polyp" -> "F1, polyp"; the same format in every table."""
    family, _, of_what = key.partition(":")
    name = HEADINGS.get(family, family)
    return f"{name}, {of_what}" if of_what else name


def keys_of(figures: Iterable[str], reports: Sequence[Report], known: Iterable[str] = ()) -> tuple[str, ...]:
    """The figures' keys, families spelled out for the classes or findings of the reports, then those of the paper."""
    paper = list(known)
    keys: list[str] = []
    for figure in figures:
        own = [figure]
        if figure in PER_CLASS:
            own = [
                f"{figure}:{name}" for report in reports for name in (*report["classes"][1:], *report["classes"][:1])
            ]
        elif figure == "findings":
            own = [key for report in reports for key in finding_rows(report)]
        theirs = [key for key in paper if key.startswith(f"{figure}:")]
        keys += list(dict.fromkeys([*own, *theirs])) or [figure]
    return tuple(keys)


def measured(reports: Sequence[Report], key: str) -> Measured:
    """One figure ("auc", "f1:polyp", "found_95", "findings:small (2-6 mm)") over the reports of a row's seeds."""
    family, _, rest = key.partition(":")
    if family == "findings":
        return _counted([finding_rows(report).get(key) for report in reports])
    if family.startswith("found_"):
        level = f"0.{family.removeprefix('found_')}"
        shares = {
            int(report["folds_detail"][0]["seed"]): report.get("findings", {})
            .get("all", {})
            .get("detected", {})
            .get(level)
            for report in reports
        }
        return Measured({(seed, WHOLE): float(share) for seed, share in shares.items() if share is not None})
    if rest and not any(rest in report["classes"] for report in reports):
        return Measured({}, NOT_IN_DATA)
    values: dict[FoldKey, float] = {}
    for report in reports:
        for row in report["folds_detail"]:
            result = row["classes"].get(rest, {}).get(family) if rest else row["figures"].get(family)
            if result is not None:
                values[int(row["seed"]), int(row["fold"])] = float(result)
    return Measured(values)


def finding_rows(report: Report) -> dict[str, Mapping[str, Any]]:
    """ "findings:small (2-6 mm)" -> that row of the report; nothing where the data name no findings."""
    result = report.get("findings") or {}
    if not result:
        return {}
    rows = {"findings:all": result["all"]}
    for part, column in (("by_size", "size"), ("by_morphology", "morphology")):
        rows |= {f"findings:{row[column]}": row for row in result[part]}
    return rows


def _counted(rows: Sequence[Mapping[str, Any] | None]) -> Measured:
    """Findings detected at the report's specificities, in per cent; each seed counts every finding once."""
    known = [row for row in rows if row is not None and row["findings"]]
    if not known:
        return Measured({}, NOT_IN_DATA)
    levels = [level for level, share in known[0]["detected"].items() if share is not None]
    shares = [100 * fmean(row["detected"][level] for row in known) for level in levels]
    at = (f"{share:.2f} % at {100 * float(level):.0f} %" for level, share in zip(levels, shares, strict=True))
    return Measured({}, f"{'; '.join(at)} (of {known[0]['findings']})")


@dataclass(frozen=True)
class Paired:
    """A row minus another one, in one figure."""

    row: str
    against: str
    figure: str
    differences: Mapping[FoldKey, float]

    @property
    def spread(self) -> Spread:
        """Of the differences; there is at least one."""
        return Spread(list(self.differences.values()))

    @property
    def better(self) -> int:
        """Trainings in which the row is above the other one."""
        return sum(1 for value in self.differences.values() if value > 0)

    def sentence(self) -> str:
        """ "+1.2 ± 2.0 %, better in 4 of 6"."""
        spread = spread_text(self.spread.mean, self.spread.deviation, in_percent=True, sign="+")
        return f"{spread}, better in {self.better} of {len(self.differences)}"

    def to_json(self) -> dict[str, Any]:
        """The difference in shares, as the values are."""
        return {
            "row": self.row,
            "against": self.against,
            "figure": self.figure,
            "mean": self.spread.mean,
            "deviation": self.spread.deviation,
            "better": self.better,
            "trainings": len(self.differences),
        }


def paired(rows: Sequence[Row], found: Mapping[str, Mapping[str, Measured]], keys: Sequence[str]) -> list[Paired]:
    """Every comparison that the table asks for and that has folds in common; `found` lacks rows without results."""
    result = []
    for row in rows:
        for other in row.against:
            for key in keys:
                mine, theirs = (found.get(name, {}).get(key) for name in (row.name, other))
                if mine is None or theirs is None:
                    continue
                common = sorted(mine.values.keys() & theirs.values.keys())
                if common:
                    differences = {pair: mine.values[pair] - theirs.values[pair] for pair in common}
                    result.append(Paired(row.name, other, key, differences))
    return result


def pair_table(pairs: Sequence[Paired]) -> tuple[Line, list[Line]]:
    """Columns and rows: one row for each two rows that are compared, one column for each figure."""
    keys = list(dict.fromkeys(pair.figure for pair in pairs))
    rows: list[Line] = []
    for row, against in dict.fromkeys((pair.row, pair.against) for pair in pairs):
        said = {pair.figure: pair.sentence() for pair in pairs if (pair.row, pair.against) == (row, against)}
        rows.append((difference_name(row, against), *(said.get(key, "-") for key in keys)))
    return ("difference", *(heading(key) for key in keys)), rows


def difference_name(row: str, against: str) -> str:
    """ "SimCLR - TL_BA (ours, random weights)": what both names begin with is said once."""
    if row.startswith(RANDOM) and against.startswith(RANDOM):
        return f"{row.removeprefix(RANDOM)} - {against.removeprefix(RANDOM)} ({RANDOM.strip(': ')})"
    return f"{row} - {against}"
