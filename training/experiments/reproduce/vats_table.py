"""A table of Vats et al. 2022: the benchmark's cells, the paper's figures beside them where they were read."""

from collections.abc import Mapping
from typing import Any

from training.experiments.benchmark.config import BenchmarkConfig, SplitName
from training.experiments.benchmark.pretraining import Pretrain, real_pretrain
from training.experiments.benchmark.report import notes as benchmark_notes
from training.experiments.benchmark.run import benchmark
from training.experiments.engine import NOTHING, spread_text
from training.experiments.reproduce import budgets, outcome, vats
from training.experiments.reproduce.data import rendered
from training.experiments.reproduce.figures import heading
from training.experiments.reproduce.published import Figures, paper_text, published_figures, sources_of
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.runs.reporter import Reporter


def reproduce_vats(config: ReproduceConfig, reporter: Reporter, pretrain: Pretrain = real_pretrain) -> dict[str, Any]:
    """Compute a table; pretrainings and cells are kept in `benchmark` under the results, and shared by the tables.

    What is returned and raised is that of `reproduction.reproduce`.
    """
    table, published = vats.VATS_TABLES[config.table], published_figures(config.published)
    report = benchmark(asked(config, table, reporter), reporter, pretrain)
    lines = table_lines(table, report, published, config.data_set)
    by_groups = config.split == "patients"
    comparison, data = report["comparison"], report["data"]
    printed = outcome.PrintedTable(
        vats.TITLE,
        report["protocol"],
        table,
        comparison["name"],
        comparison["is_comparison"],
        data["sentence"],
        lines,
        (
            *table.said(_parts(config), by_groups=by_groups, pretrained_on=report["asked"]["pretrains_on_others"]),
            *benchmark_notes(report),
            *sources_of(published, table.name),
        ),
        more={"report": dict(report)},
    )
    result = printed.write(config.out, data["digest"], finished=report["finished"], overwrite=config.overwrite)
    return {**result, "budget": config.budget}


def asked(config: ReproduceConfig, table: vats.VatsTable, reporter: Reporter) -> BenchmarkConfig:
    """The benchmark that a table asks for."""
    names = ("images", "studies", "labels", "normal_label", "classes", "budget", "hours", "seeds", "seed")
    more = ("pretrain_studies", "pretrain_images", "weights_cache", "device", "threads")
    asked = {name: getattr(config, name) for name in (*names, *more)}
    if config.phantom:
        result = rendered(budgets.BUDGETS[config.budget].phantom, config.cache, reporter)
        asked |= {"studies": result.manifest, "labels": result.labels}
    return BenchmarkConfig.checked(
        **asked,
        methods=table.methods,
        out=config.out / "benchmark" / table.name,
        cells=config.out / "cells",
        split=_parts(config),
        split_by="frames" if config.split == "random" else "groups",
        shares=() if table.finetune else table.shares(config.data_set),
        shots=(),
        finetune=table.finetune,
        finetune_shares=table.shares(config.data_set) if table.finetune else (1.0,),
    )


def _parts(config: ReproduceConfig) -> SplitName:
    """The split that was asked for, else the paper's of the data set."""
    return config.parts or vats.PARTS.get(config.data_set, "60:40")


def table_lines(
    table: vats.VatsTable, report: Mapping[str, Any], published: Figures, data_set: vats.DataSet = ""
) -> list[tuple[str, ...]]:
    """One line for each row and figure, in the order of `COLUMNS`."""
    result = {method["name"]: method for method in report["methods"]}
    made: list[tuple[str, ...]] = []
    for row in table.rows:
        mine = result.get(row.key, {"figures": {}, "absent": "not implemented", "seeds": []})
        for figure in table.figures:
            if figure.data_set == "" and data_set != "":  # of other data than those of the paper
                continue
            paper = paper_text(published, table.name, row.name, figure.key)
            is_computed = figure.data_set == data_set and bool(row.key)
            if paper == NOTHING and not is_computed:
                continue
            if is_computed and figure.path in mine["figures"]:
                seeds, steps = str(len(mine["seeds"])), f"{report['comparison']['steps']:,}"
                spread = mine["figures"][figure.path]
                ours = spread_text(spread["mean"], spread["deviation"], in_percent=True)
                made.append((row.name, heading(figure.key), paper, ours, seeds, steps, report["data"]["sentence"]))
            else:
                why = mine["absent"] if figure.data_set == data_set or not row.key else vats.OTHER_DATA
                made.append((row.name, heading(figure.key), paper, why or NOTHING, NOTHING, NOTHING, NOTHING))
    return made
