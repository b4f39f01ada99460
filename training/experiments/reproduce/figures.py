"""Reading one figure off a cross-validation's report: its values fold by fold, or one count over all folds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

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
CANNOT = "not defined"
WHOLE = -1
"""Stands for the fold where a figure is one of all folds together."""
PER_CLASS = ("f1", "mcc")
"""Figures per class; their keys are "f1:polyp"."""


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
    """The figure's name for a person."""
    family, _, rest = key.partition(":")
    if family.startswith("imbalance_"):
        return f"AUC at {family.removeprefix('imbalance_')} normal frames to one"
    if rest:
        return f"{family.upper()}, {rest}" if family in PER_CLASS else rest
    return HEADINGS.get(key, key)


def keys_of(figures: Iterable[str], reports: Sequence[Report]) -> tuple[str, ...]:
    """The figures' keys, families spelled out for the classes or findings that the reports have."""
    keys: list[str] = []
    for figure in figures:
        if figure in PER_CLASS:
            classes = dict.fromkeys(
                name for report in reports for name in (*report["classes"][1:], *report["classes"][:1])
            )
            keys += [f"{figure}:{name}" for name in classes] or [figure]
        elif figure == "findings":
            keys += list(dict.fromkeys(key for report in reports for key in finding_rows(report))) or [figure]
        else:
            keys.append(figure)
    return tuple(keys)


def measured(reports: Sequence[Report], key: str) -> Measured:
    """One figure over the reports of a row's seeds.

    Args:
        reports: what `cross_validate` returned, one for each seed.
        key: "auc", "f1:polyp", "found_95", "imbalance_10", "findings:< 6 mm".
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
    if family.startswith("imbalance_"):
        return _imbalance(reports, int(family.removeprefix("imbalance_")))
    values: dict[FoldKey, float] = {}
    for report in reports:
        for row in report["folds_detail"]:
            found = row["classes"].get(rest, {}).get(family) if rest else row["figures"].get(family)
            if found is not None:
                values[int(row["seed"]), int(row["fold"])] = float(found)
    return Measured(values)


def finding_rows(report: Report) -> dict[str, Mapping[str, Any]]:
    """ "findings:< 6 mm" -> that row of the report; nothing where the data name no findings."""
    found = report.get("findings") or {}
    if not found:
        return {}
    rows = {"findings:all": found["all"]}
    for part in ("by_size", "by_morphology", "by_size_and_morphology"):
        for row in found[part]:
            said = ", ".join(str(row[name]) for name in ("size", "morphology") if name in row)
            rows[f"findings:{said}"] = row
    return rows


def _counted(rows: Sequence[Mapping[str, Any] | None]) -> Measured:
    """Findings detected at the report's specificities; each seed counts every finding once."""
    known = [row for row in rows if row is not None and row["findings"]]
    if not known:
        return Measured({}, CANNOT)
    total = known[0]["findings"]
    levels = [level for level, share in known[0]["detected"].items() if share is not None]
    counts = [fmean(row["detected"][level] * total for row in known) for level in levels]
    at = ", ".join(f"{count:.3g} at {100 * float(level):.0f} %" for level, count in zip(levels, counts, strict=True))
    return Measured({}, f"of {total}: {at}")


def _imbalance(reports: Sequence[Report], degree: int) -> Measured:
    """AUC of the report's draws at one degree; the deviation is that over trainings and draws."""
    rows = {_seed(report): _degree(report, degree) for report in reports}
    known = {seed: row for seed, row in rows.items() if row is not None and row["auc"]["mean"] is not None}
    if not known:
        return Measured({}, "too few normal frames")
    spread = fmean(row["auc"]["deviation"] or 0.0 for row in known.values())
    values = {(seed, WHOLE): float(row["auc"]["mean"]) for seed, row in known.items()}
    draws = sum(row["draws"] for row in known.values())
    return Measured(values, f"{fmean(values.values()):.3f} ± {spread:.3f} ({draws} draws)")


def _degree(report: Report, degree: int) -> Mapping[str, Any] | None:
    rows: Sequence[Mapping[str, Any]] = report.get("imbalance") or ()
    return next((row for row in rows if row["degree"] == degree), None)


def _seed(report: Report) -> int:
    return int(report["folds_detail"][0]["seed"])
