"""`python -m training benchmark`: pretraining methods compared on one data set, with a report."""

from typing import Any

from training.experiments.benchmark.config import BenchmarkConfig
from training.runs.reporter import Reporter

__all__ = ["BenchmarkConfig", "run_benchmark"]


def run_benchmark(config: BenchmarkConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.experiments.benchmark.run`. The result is the report's table; torch is imported here."""
    from training.experiments.benchmark.run import benchmark
    from training.experiments.benchmark.tables import text_table

    report = benchmark(config, reporter)
    return {
        "text": text_table(report),
        "report": str(config.out / "report.html"),
        "finished": report["finished"],
        "methods": [method["name"] for method in report["methods"] if method["figures"]],
        "seeds": report["seeds"],
    }
