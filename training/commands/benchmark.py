"""`python -m training benchmark`: pretraining methods compared on one data set, with a report.

`python -m training few-labels`: fine-tunings compared by their number of labels.

`python -m training reproduce TABLE`: a paper's table, its figures beside ours.
"""

from typing import Any

from training.experiments.benchmark.config import BenchmarkConfig
from training.experiments.few_labels.config import FewLabelsConfig
from training.experiments.reproduce.intrator_rows import INTRATOR_TABLES
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.vats import VATS_TABLES
from training.experiments.reproduce.xiang_rows import XIANG_TABLES
from training.runs.reporter import Reporter

__all__ = ["BenchmarkConfig", "FewLabelsConfig", "ReproduceConfig", "run_benchmark", "run_few_labels", "run_reproduce"]


def run_benchmark(config: BenchmarkConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.experiments.benchmark.run`. The result is the report's table; torch is imported here."""
    from training.experiments.benchmark.page import text_table
    from training.experiments.benchmark.run import benchmark

    report = benchmark(config, reporter)
    return {
        "text": text_table(report),
        "report": str(config.out / "report.html"),
        "finished": report["finished"],
        "methods": [method["name"] for method in report["methods"] if method["figures"]],
        "seeds": report["seeds"],
    }


def run_few_labels(config: FewLabelsConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.experiments.few_labels.run`. torch is imported here, not with the settings."""
    from training.experiments.few_labels.run import compare_few_labels

    return compare_few_labels(config, reporter)


def run_reproduce(config: ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.experiments.reproduce.reproduction`. torch is imported here, not with the settings."""
    if config.table in VATS_TABLES:
        from training.experiments.reproduce.vats_table import reproduce_vats

        return reproduce_vats(config, reporter)
    if config.table in INTRATOR_TABLES:
        from training.experiments.reproduce.intrator_table import reproduce_intrator

        return reproduce_intrator(config, reporter)
    if config.table in XIANG_TABLES:
        from training.experiments.reproduce.xiang_table import reproduce_xiang

        return reproduce_xiang(config, reporter)
    from training.experiments.reproduce.reproduction import reproduce

    return reproduce(config, reporter)
