"""What came out: the table as lines for a person, as JSON, and as CSV."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from training.experiments.reproduce.budgets import PROTOCOL, departures
from training.experiments.reproduce.data import TableData
from training.experiments.reproduce.figures import NOT_IN_DATA, Measured, heading
from training.experiments.reproduce.pairing import Paired, pair_table
from training.experiments.reproduce.plan import Plan
from training.experiments.reproduce.published import NOT_A_NUMBER, NOT_AT_HAND, Figures, figures_of
from training.experiments.reproduce.tables import TITLES, Row
from training.experiments.text_table import aligned, shortened
from training.files.csv_text import CsvWriter
from training.files.written import WrittenFiles
from training.runs.folder import write_json

COLUMNS = ("row", "figure", "paper", "ours", "seeds", "steps", "data")
NOTHING = "-"
MEANS = "mean ± standard deviation over the trainings (their number in brackets)"
COUNTED = "per cent of the findings (their number in brackets)"
SHARES = "Ours are shares from 0 to 1, the paper's are in per cent."


@dataclass(frozen=True)
class Outcome:
    """A table with everything that could be computed for it."""

    plan: Plan
    data: TableData
    rows: tuple[Row, ...]
    """All rows, those without figures of ours included."""
    keys: tuple[str, ...]
    found: Mapping[str, Mapping[str, Measured]]
    """Row -> figure -> what was measured."""
    why_not: Mapping[str, str]
    """Row -> why it has no figure of ours."""
    steps: Mapping[str, str]
    """Row -> steps of its finetunings, as they were."""
    pairs: tuple[Paired, ...]
    reports: Mapping[str, Sequence[Mapping[str, Any]]]
    """Row -> its reports, a seed each."""
    published: Figures
    """The paper's figures, as far as they are at hand."""

    def lines(self) -> list[tuple[str, ...]]:
        """One line for each row and figure, in the order of `COLUMNS`.

        Classes and findings that neither the paper nor these data have for a row are left out.
        """
        made: list[tuple[str, ...]] = []
        for row in self.rows:
            for key in self.keys:
                paper = NOTHING if row.is_ours else self._paper(row.name, key)
                if paper == NOTHING and ":" in key and not self._is_measured(row.name, key):
                    continue
                if row.name in self.found:
                    ours = self.found[row.name][key].sentence
                    steps = self.steps[row.name]
                    seeds = str(len(self.reports[row.name]))
                    made.append((row.name, heading(key), paper, ours, seeds, steps, self.data.sentence))
                else:
                    made.append((row.name, heading(key), paper, self.why_not[row.name], NOTHING, NOTHING, NOTHING))
        return made

    def _is_measured(self, row: str, key: str) -> bool:
        return row in self.found and self.found[row][key].sentence != NOT_IN_DATA

    def _paper(self, row: str, key: str) -> str:
        """The paper's figure; "-" where its table has none, for a class of these data only, for example."""
        known = self.published.get((self.plan.table.name, row, key))
        if known is not None:
            return known.text
        return NOTHING if figures_of(self.published, self.plan.table.name) else NOT_AT_HAND

    def notes(self) -> list[str]:
        """Sentences under the table."""
        budget = self.plan.budget
        repeats = "1 seed" if len(self.plan.seeds) == 1 else f"{len(self.plan.seeds)} seeds"
        by = "at random" if self.data.evaluate.get("split") == "random" else "by patient"
        said = [] if budget.is_comparison else ["Not a comparison: this budget only checks that everything works."]
        is_counted = all(key.partition(":")[0] == "findings" for key in self.keys)
        said.append(
            f"Ours: {COUNTED if is_counted else MEANS}; {budget.folds} folds {by} x {repeats}, {budget.backbone} at "
            f"{budget.input_size} px, budget {budget.name}."
        )
        said += [] if is_counted else [SHARES]
        has_pretraining = any(row.training is not None and row.training.pretrain for row in self.rows)
        said += [*self.plan.table.notes, *self.data.notes]
        if changed := departures(budget, self.plan.table.paper, has_pretraining):
            said.append(changed)
        if any(line[2] == NOT_AT_HAND for line in self.lines()):
            said.append(NOT_A_NUMBER)
        sources = {known.source for (table, _, _), known in self.published.items() if table == self.plan.table.name}
        said += [f"The paper's figures: {source}." for source in sorted(sources)]
        return said

    def text(self) -> str:
        """The table, the paired differences and the notes, as Markdown that reads well in a terminal."""
        table = self.plan.table
        parts = [
            f"{TITLES[table.paper]}\n{table.title}\nData: {self.data.sentence}",
            aligned(COLUMNS[:-1], shortened([line[:-1] for line in self.lines()])),  # the data are said once, above
        ]
        if self.pairs:
            parts.append("Fold by fold, same patients and same seed:\n\n" + aligned(*pair_table(self.pairs)))
        parts.append("\n".join(f"* {note}" for note in self.notes()))
        return "\n\n".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Everything, for other programs."""
        return table_document(
            TITLES[self.plan.table.paper],
            PROTOCOL,
            self.plan.table,
            self.plan.budget,
            COLUMNS,
            self.lines(),
            data={"sentence": self.data.sentence, "digest": self.data.digest},
            folds=self.plan.budget.folds,
            seeds=list(self.plan.seeds),
            values={
                row: {
                    key: [{"seed": seed, "fold": fold, "value": value} for (seed, fold), value in found.values.items()]
                    for key, found in figures.items()
                }
                for row, figures in self.found.items()
            },
            paired=[
                {
                    "row": pair.row,
                    "against": pair.against,
                    "figure": pair.figure,
                    "mean": pair.mean,
                    "deviation": pair.deviation,
                    "better": pair.better,
                    "trainings": len(pair.differences),
                }
                for pair in self.pairs
            ],
            reports={row: list(reports) for row, reports in self.reports.items()},
            notes=self.notes(),
        )

    def write(self, folder: Path, *, overwrite: bool = False) -> tuple[Path, Path]:
        """Write JSON and CSV; returns their paths; see `write_results`."""
        names = result_names(self.plan.table.name, self.plan.budget.name, self.data.digest)
        return write_results(folder, names, self.to_json(), self.lines(), overwrite=overwrite)


class PrintedTable(Protocol):
    """A table of a paper, as its rows describe it."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...


class NamedBudget(Protocol):
    """How much is computed."""

    @property
    def name(self) -> str: ...
    @property
    def is_comparison(self) -> bool: ...


def table_document(
    paper: str,
    protocol: int,
    table: PrintedTable,
    budget: NamedBudget,
    columns: Sequence[str],
    lines: Sequence[Sequence[str]],
    **more: Any,
) -> dict[str, Any]:
    """A printed table and what it was made from, for other programs; `more` are JSON values."""
    return {
        "schema_version": 1,
        "table": table.name,
        "title": table.title,
        "paper": paper,
        "protocol": protocol,
        "budget": budget.name,
        "is_comparison": budget.is_comparison,
        "lines": [dict(zip(columns, line, strict=True)) for line in lines],
        **more,
    }


def result_names(table: str, budget: str, digest: str) -> tuple[str, str]:
    """Names of a table's JSON and CSV, which what was computed decides."""
    stem = f"{table}-{budget}-{digest}".replace(" ", "")
    return f"{stem}.json", f"{stem}.csv"


def check_results(folder: Path, names: tuple[str, str], *, overwrite: bool) -> None:
    """Raise `ForeignFileError` where a file that this program did not write has the name of a result."""
    WrittenFiles(folder, "reproduction").check(names, overwrite=overwrite)


def write_results(
    folder: Path,
    names: tuple[str, str],
    content: Mapping[str, Any],
    lines: Sequence[Sequence[str]],
    *,
    columns: Sequence[str] = COLUMNS,
    overwrite: bool = False,
) -> tuple[Path, Path]:
    """Write JSON and CSV; returns their paths.

    Raises:
        ForeignFileError: a file that this program did not write has such a name; `overwrite` replaces it.
    """
    check_results(folder, names, overwrite=overwrite)
    folder.mkdir(parents=True, exist_ok=True)
    written, (as_json, as_csv) = WrittenFiles(folder, "reproduction"), names
    with written.writing(as_json) as beside:
        write_json(beside, content)
    with written.writing(as_csv) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        CsvWriter(file, lineterminator="\n").writerows([columns, *lines])
    return folder / as_json, folder / as_csv
