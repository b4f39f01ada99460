"""What came out: the table as lines for a person, as JSON, as CSV, and as a page."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.experiments.engine import NOTHING, ONLY_A_TRIAL, Line, aligned, counted, machine_sentence
from training.experiments.reproduce.budgets import PROTOCOL, departures
from training.experiments.reproduce.data import TableData
from training.experiments.reproduce.figures import (
    NOT_IN_DATA,
    Measured,
    heading,
    keys_of,
    measured,
    pair_table,
    paired,
)
from training.experiments.reproduce.pages.page import Figure, page_text
from training.experiments.reproduce.published import NOT_A_NUMBER, NOT_AT_HAND, Figures, figures_of, sources_of
from training.experiments.reproduce.tables import TITLES, PaperTable, Row
from training.files.csv_text import CsvWriter
from training.files.written import WrittenFiles
from training.runs.folder import write_json

if TYPE_CHECKING:
    from training.experiments.reproduce.reproduction import Plan

COLUMNS = ("row", "figure", "paper", "ours", "seeds", "steps", "data")
MEANS = "mean ± standard deviation over the trainings (their number in brackets)"
COUNTED = "per cent of the findings (their number in brackets)"


@dataclass(frozen=True)
class Outcome:
    """A table with everything that could be computed for it."""

    plan: "Plan"
    data: TableData
    rows: tuple[Row, ...]
    """All rows, those without figures of ours included."""
    reports: Mapping[str, Sequence[Mapping[str, Any]]]
    """Row -> its reports, a seed each."""
    why_not: Mapping[str, str]
    """Row -> why it has no figure of ours."""
    published: Figures
    """The paper's figures, as far as they are at hand."""
    machine: Mapping[str, str] | None = None
    """On which it was computed."""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The figures of the table."""
        every = [report for reports in self.reports.values() for report in reports]
        return keys_of(self.plan.table.figures, every, figures_of(self.published, self.plan.table.name))

    @cached_property
    def measured(self) -> dict[str, dict[str, Measured]]:
        """Row -> figure -> what was measured."""
        return {row: {key: measured(reports, key) for key in self.keys} for row, reports in self.reports.items()}

    def steps(self, row: str) -> str:
        """Of its finetunings, as they were: "200", or "180 to 200" where trainings differ."""
        taken = sorted({int(step) for report in self.reports[row] for step in report["steps"]})
        return f"{taken[0]:,}" if len(taken) == 1 else f"{taken[0]:,} to {taken[-1]:,}"

    def lines(self) -> list[tuple[str, ...]]:
        """One line for each row and figure, in the order of `COLUMNS`.

        Classes and findings that neither the paper nor these data have for a row are left out.
        """
        table, result = self.plan.table.name, list[tuple[str, ...]]()
        absent = NOTHING if figures_of(self.published, table) else NOT_AT_HAND
        for row in self.rows:
            for key in self.keys:
                known = self.published.get((table, row.name, key))
                paper = NOTHING if row.is_ours else known.text if known else absent
                ours = self.measured.get(row.name, {}).get(key)
                if paper == NOTHING and ":" in key and (ours is None or ours.text == NOT_IN_DATA):
                    continue
                if ours is not None:
                    seeds, said = str(len(self.reports[row.name])), ours.sentence()
                    more = (said, seeds, self.steps(row.name), self.data.sentence)
                else:
                    more = (self.why_not[row.name], NOTHING, NOTHING, NOTHING)
                result.append((row.name, heading(key), paper, *more))
        return result

    def notes(self) -> list[str]:
        """Sentences under the table."""
        budget = self.plan.budget
        by_group = "by group" if "images" in self.data.evaluate else "by patient"
        by = "at random" if self.data.evaluate.get("split") == "random" else by_group
        said = [] if budget.is_comparison else [ONLY_A_TRIAL]
        is_counted = all(key.partition(":")[0] == "findings" for key in self.keys)
        seeds = counted(len(self.plan.seeds), "seed")
        said.append(
            f"Ours: {COUNTED if is_counted else MEANS}; {budget.folds} folds {by} x {seeds}, {budget.backbone} at "
            f"{budget.input_size} px, budget {budget.name}."
        )
        has_pretraining = any(row.training is not None and row.training.pretrain for row in self.rows)
        said += [machine_sentence(self.machine), *self.plan.table.notes, *self.data.notes]
        if changed := departures(budget, self.plan.table.paper, has_pretraining):
            said.append(changed)
        if any(line[2] == NOT_AT_HAND for line in self.lines()):
            said.append(NOT_A_NUMBER)
        return [*said, *sources_of(self.published, self.plan.table.name)]

    def printed(self) -> "PrintedTable":
        """The table, the differences of rows fold by fold, and the notes."""
        table, budget = self.plan.table, self.plan.budget
        pairs = paired(self.rows, self.measured, self.keys)
        differences = aligned(*pair_table(pairs)) if pairs else ""
        values = {
            row: {
                key: [{"seed": seed, "fold": fold, "value": value} for (seed, fold), value in figure.values.items()]
                for key, figure in figures.items()
            }
            for row, figures in self.measured.items()
        }
        return PrintedTable(
            TITLES[table.paper],
            PROTOCOL,
            table,
            budget.name,
            budget.is_comparison,
            self.data.sentence,
            self.lines(),
            self.notes(),
            section=f"Fold by fold, same patients and same seed:\n\n{differences}" if pairs else "",
            more={
                "data": {"sentence": self.data.sentence, "digest": self.data.digest},
                "machine": self.machine,
                "folds": budget.folds,
                "seeds": list(self.plan.seeds),
                "values": values,
                "paired": [pair.to_json() for pair in pairs],
                "reports": {row: list(reports) for row, reports in self.reports.items()},
            },
        )


@dataclass(frozen=True)
class PrintedTable:
    """A paper's table with ours beside it, as text, JSON and CSV."""

    paper: str
    """Author, year and title."""
    protocol: Any
    table: PaperTable
    budget: str
    is_comparison: bool
    data: str
    """What the data are."""
    lines: Sequence[Line]
    """In the order of `columns`; the last one says the data."""
    notes: Sequence[str]
    columns: Line = COLUMNS
    section: str = ""
    """Printed between the table and the notes."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further JSON values."""

    @property
    def shown_lines(self) -> list[Line]:
        """The lines as a person reads them, without the data."""
        return shortened([line[:-1] for line in self.lines])

    def text(self) -> str:
        """Markdown that reads well in a terminal; the data are said once, above the table."""
        table = aligned(self.columns[:-1], self.shown_lines)
        notes = "\n".join(f"* {note}" for note in self.notes)
        parts = (f"{self.paper}\n{self.table.title}\nData: {self.data}", table, self.section, notes)
        return "\n\n".join(part for part in parts if part)

    def to_json(self) -> dict[str, Any]:
        """Everything, for other programs."""
        return {
            "schema_version": 1,
            "table": self.table.name,
            "title": self.table.title,
            "paper": self.paper,
            "protocol": self.protocol,
            "budget": self.budget,
            "is_comparison": self.is_comparison,
            "lines": [dict(zip(self.columns, line, strict=True)) for line in self.lines],
            "notes": list(self.notes),
            **self.more,
        }

    def write(
        self,
        folder: Path,
        digest: str,
        *,
        finished: bool,
        overwrite: bool = False,
        figures: Callable[[], Sequence[Figure]] = tuple,
    ) -> dict[str, Any]:
        """Write JSON, CSV and, where jinja2 and matplotlib are installed, a page.

        Returns:
            What a reproduction says: text, table, budget, is_comparison, finished, json, csv and page (paths).

        Raises:
            ForeignFileError: a file that this program did not write has such a name; `overwrite` replaces it.
        """
        names = result_names(self.table.name, self.budget, digest)
        check_results(folder, names, overwrite=overwrite)
        folder.mkdir(parents=True, exist_ok=True)
        written, (as_json, as_csv, as_html) = WrittenFiles(folder, "reproduction"), names
        with written.writing(as_json) as beside:
            write_json(beside, self.to_json())
        with written.writing(as_csv) as beside, beside.open("w", newline="", encoding="utf-8") as file:
            CsvWriter(file, lineterminator="\n").writerows([self.columns, *self.lines])
        page = {}
        with suppress(ImportError):
            content = page_text(self, self.shown_lines, figures())
            with written.writing(as_html) as beside:
                beside.write_text(content, encoding="utf-8")
            page = {"page": str(folder / as_html)}
        return {
            "text": self.text(),
            "table": self.table.name,
            "budget": self.budget,
            "is_comparison": self.is_comparison,
            "finished": finished,
            "json": str(folder / as_json),
            "csv": str(folder / as_csv),
            **page,
        }


def shortened(lines: Sequence[Line]) -> list[Line]:
    """Each row's name once, and one line for all figures of a row that says the same of each of them.

    The lines (row, figure, paper, ours, ...) of a row come one after the other.
    """
    shown: list[Line] = []
    for name in dict.fromkeys(line[0] for line in lines):
        mine = [line for line in lines if line[0] == name]
        if len(mine) > 1 and len({tuple(line[2:]) for line in mine}) == 1:
            shown.append((name, "all", *mine[0][2:]))
        else:
            shown.append(mine[0])
            shown += [("", *line[1:]) for line in mine[1:]]
    return shown


def result_names(table: str, budget: str, digest: str) -> tuple[str, str, str]:
    """Names of a table's JSON, CSV and page, which what was computed decides."""
    stem = f"{table}-{budget}-{digest}".replace(" ", "")
    return f"{stem}.json", f"{stem}.csv", f"{stem}.html"


def check_results(folder: Path, names: Sequence[str], *, overwrite: bool) -> None:
    """Raise `ForeignFileError` where a file that this program did not write has the name of a result."""
    WrittenFiles(folder, "reproduction").check(names, overwrite=overwrite)
