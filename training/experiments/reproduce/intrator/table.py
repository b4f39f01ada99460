"""A table of Intrator et al. 2023 on the phantom: encoders trained once and kept, the paper's figures beside ours."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.experiments.reproduce.intrator.cells import (
    Cell,
    Setting,
    cells_of,
    classifier_cell,
    trained_cell,
    untrained_cell,
)
from training.experiments.reproduce.intrator.page import page
from training.experiments.reproduce.intrator.rows import (
    CHANCE,
    INTRATOR_BUDGETS,
    INTRATOR_TABLES,
    PROTOCOL,
    TITLE,
    IntratorTable,
    departures,
    rows_of,
)
from training.experiments.reproduce.intrator.values import Values, is_trained
from training.experiments.reproduce.outcome import (
    COLUMNS,
    NOTHING,
    check_results,
    result_names,
    table_document,
    write_results,
)
from training.experiments.reproduce.phantom_set import rendered
from training.experiments.reproduce.plan import seeds_from
from training.experiments.reproduce.published import published_figures
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.text_table import aligned, shortened
from training.files.written import WrittenFiles
from training.runs.reporter import Reporter

SPREAD = "± is the standard deviation over the seeds, with their number in brackets; shares are from 0 to 1."


def reproduce_intrator(config: ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Compute a table; all tables share the trainings, which are kept.

    Returns:
        JSON values: text (the printed table), table, budget, finished, is_comparison, json, csv and page (paths).

    Raises:
        UserError: unusable input, or a loss that is not finite.
        Cancelled: as the reporter asked, or a stop before the first training was done.
    """
    table, budget = INTRATOR_TABLES[config.table], INTRATOR_BUDGETS[config.budget]
    names = result_names(table.name, budget.name, budget.phantom.key)
    check_results(config.out, names, overwrite=config.overwrite)
    WrittenFiles(config.out, "reproduction").check([page_name(config)], overwrite=config.overwrite)
    setting = Setting(config, budget, rendered(budget.phantom, config.cache, reporter), reporter)
    seeds = seeds_from(config.seed, config.seeds or budget.seeds)
    untrained = untrained_cell(setting)
    trained = cells_of(setting, seeds, "Encoders of re-identification", trained_cell)
    votes = table.kind == "votes"
    classifiers = cells_of(setting, seeds, "Classifier of single frames", classifier_cell) if votes else []
    values = Values(table, untrained, trained, classifiers)
    lines = table_lines(setting, values)
    notes = _notes(setting, table, untrained, len(trained))
    as_json, as_csv = _write(setting, values, lines, notes)
    as_page = _write_page(setting, values, notes)
    return {
        "text": _text(setting, table, lines, notes),
        "table": table.name,
        "budget": budget.name,
        "is_comparison": budget.is_comparison,
        "finished": len(trained) == len(seeds) and len(classifiers) in (0, len(seeds)),
        "json": str(as_json),
        "csv": str(as_csv),
        "page": str(as_page),
    }


def page_name(config: ReproduceConfig) -> str:
    """Name of the page with the figures of a table."""
    as_json, _ = result_names(config.table, config.budget, INTRATOR_BUDGETS[config.budget].phantom.key)
    return f"{as_json.removesuffix('.json')}.html"


def table_lines(setting: Setting, values: Values) -> list[tuple[str, ...]]:
    """One line for each row and figure, in the order of `COLUMNS`."""
    table = values.table
    published = published_figures(setting.config.published)
    made: list[tuple[str, ...]] = []
    for row in rows_of(table, weights_there=setting.starts_from_imagenet):
        seeds = values.seeds_of(row)
        steps = NOTHING
        if seeds and is_trained(row.key):
            steps = " + ".join(f"{step:,}" for step in values.trained[0]["steps"])
        for figure in (*table.figures, *(() if row.key == CHANCE else table.ours)):
            known = None if row.is_ours else published.get((table.name, row.name, figure))
            paper, said = known.text if known else NOTHING, str(seeds) if seeds else NOTHING
            ours = values.text(row, figure)
            made.append((row.name, figure, paper, ours, said, steps, setting.budget.phantom.sentence))
    return made


def _notes(setting: Setting, table: IntratorTable, untrained: Cell, seeds: int) -> list[str]:
    """Sentences under the table."""
    budget, training, is_same = setting.budget, untrained["training"], untrained["is_same"]
    sentences = [] if budget.is_comparison else ["Not a comparison: this budget only checks that everything works."]
    batch = min(budget.encoders.procedures, training["procedures"])
    sentences += [
        f"Evaluated on {len(is_same):,} pairs, {sum(is_same):,} of them of the same finding, of "
        f"{len(untrained['procedures']):,} tracklets of {len(set(untrained['procedures']))} procedures "
        "(paper: 600 pairs, 252 of the same).",
        f"Trained on {training['tracklets']:,} tracklets ({training['frames']:,} frames) of {training['procedures']} "
        f"procedures of other patients (paper: 15,465 tracklets), {batch} in a batch; {seeds} "
        f"seed{'' if seeds == 1 else 's'}, budget {budget.name}.",
        "Steps: of the single-frame encoder + of the multi-view encoder, which goes on from its weights.",
        SPREAD,
        *table.notes,
        *departures(budget),
        "The phantom's polyps stand for those of the paper's colonoscopies.",
    ]
    sources = {known.source for (name, _, _), known in published_figures().items() if name == table.name}
    return [*sentences, *(f"The paper's figures: {source}." for source in sorted(sources))]


def _text(setting: Setting, table: IntratorTable, lines: Sequence[tuple[str, ...]], notes: Sequence[str]) -> str:
    return "\n\n".join(
        [
            f"{TITLE}\n{table.title}\nData: {setting.budget.phantom.sentence}",
            aligned(COLUMNS[:-1], shortened([line[:-1] for line in lines])),
            "\n".join(f"* {note}" for note in notes),
        ]
    )


def _write(
    setting: Setting, values: Values, lines: Sequence[tuple[str, ...]], notes: Sequence[str]
) -> tuple[Path, Path]:
    """JSON and CSV beside the cells; returns their paths."""
    budget, table = setting.budget, values.table
    cells = {
        "untrained": values.untrained,
        "trained": list(values.trained),
        "classifiers": list(values.classifiers),
    }
    content = table_document(TITLE, PROTOCOL, table, budget, COLUMNS, lines, notes=list(notes), cells=cells)
    names = result_names(table.name, budget.name, budget.phantom.key)
    return write_results(setting.config.out, names, content, lines, overwrite=setting.config.overwrite)


def _write_page(setting: Setting, values: Values, notes: Sequence[str]) -> Path:
    """The figures beside the table; returns the page's path."""
    out, name = setting.config.out, page_name(setting.config)
    written = WrittenFiles(out, "reproduction")
    written.check([name], overwrite=setting.config.overwrite)
    made = page(values, values.table.title, setting.budget.phantom.sentence, notes)
    with written.writing(name) as beside:
        beside.write_text(made, encoding="utf-8")
    return out / name
