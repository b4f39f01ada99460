"""Reading one figure off a cross-validation's report: its values fold by fold, or one count over all folds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

Report = Mapping[str, Any]
FoldKey = tuple[int, int]
"""(seed, fold): what two rows are compared on."""

HEADINGS: dict[str, str] = {
    "accuracy": "accuracy",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "precision": "precision",
    "recall": "recall",
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
"""Family of a figure -> its name for a person."""
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
    def mean(self) -> float | None:
        """Mean over folds and seeds; None without a value."""
        return fmean(self.values.values()) if self.values else None

    @property
    def deviation(self) -> float | None:
        """Standard deviation (n - 1) over folds and seeds; None below two values."""
        return stdev(self.values.values()) if len(self.values) > 1 else None

    @property
    def sentence(self) -> str:
        """ "0.912 ± 0.014 (6)": mean, deviation, number of trainings."""
        if self.text or self.mean is None:
            return self.text or CANNOT
        spread = "" if self.deviation is None else f" ± {self.deviation:.3f}"
        return f"{self.mean:.3f}{spread} ({len(self.values)})"


def heading(key: str) -> str:
    """The figure's name for a person: "f1:polyp" -> "F1, polyp"; the same format in every table."""
    family, _, of_what = key.partition(":")
    name = HEADINGS.get(family, family)
    return f"{name}, {of_what}" if of_what else name


def keys_of(figures: Iterable[str], reports: Sequence[Report], known: Iterable[str] = ()) -> tuple[str, ...]:
    """The figures' keys, families spelled out for the classes or findings of the reports and of the paper.

    Args:
        figures: of the table.
        reports: what was computed.
        known: keys of the figures that the paper prints; those of a family follow the reports' own.
    """
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
    """One figure over the reports of a row's seeds.

    Args:
        reports: what `cross_validate` returned, one for each seed.
        key: "auc", "f1:polyp", "found_95", "findings:small (2-6 mm)".
    """
    family, _, rest = key.partition(":")
    if family == "findings":
        return _counted([finding_rows(report).get(key) for report in reports])
    if family.startswith("found_"):
        level = f"0.{family.removeprefix('found_')}"
        shares = {
            _seed(report): report.get("findings", {}).get("all", {}).get("detected", {}).get(level)
            for report in reports
        }
        return Measured({(seed, WHOLE): float(share) for seed, share in shares.items() if share is not None})
    if rest and not any(rest in report["classes"] for report in reports):
        return Measured({}, NOT_IN_DATA)
    values: dict[FoldKey, float] = {}
    for report in reports:
        for row in report["folds_detail"]:
            found = row["classes"].get(rest, {}).get(family) if rest else row["figures"].get(family)
            if found is not None:
                values[int(row["seed"]), int(row["fold"])] = float(found)
    return Measured(values)


def finding_rows(report: Report) -> dict[str, Mapping[str, Any]]:
    """ "findings:small (2-6 mm)" -> that row of the report; nothing where the data name no findings."""
    found = report.get("findings") or {}
    if not found:
        return {}
    rows = {"findings:all": found["all"]}
    for part, column in (("by_size", "size"), ("by_morphology", "morphology")):
        rows |= {f"findings:{row[column]}": row for row in found[part]}
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


def _seed(report: Report) -> int:
    return int(report["folds_detail"][0]["seed"])
