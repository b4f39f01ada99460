"""Commands that compare and evaluate: `evaluate`, `compare`, `evaluate-explanations`, `benchmark` and `reproduce`.

The result of each is what a person reads first of its report. torch is imported when one is run.
"""

from typing import Any

from training.evaluation.evaluate_config import CompareConfig, EvaluateConfig
from training.experiments.benchmark.config import BenchmarkConfig
from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.experiments.reproduce import intrator_rows, reproduce_config, vats, xiang_rows
from training.runs.reporter import Reporter


def run_evaluate(config: EvaluateConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.evaluation.cross_validation.cross_validate`. The result is the report's headline."""
    from training.evaluation.cross_validation import cross_validate

    report = cross_validate(config, reporter)
    if not report["finished"]:
        return report
    return {
        "report": str(config.out / "report.html"),
        "finished": True,
        **_evaluated(report),
        "auc": report["pooled"]["auc"],
        "auc_low": report["pooled"]["low"],
        "auc_high": report["pooled"]["high"],
        "patients": report["pooled"]["patients"],
        "not_there": report["data"]["not_there_sentence"],
        "mean": {name: row["mean"] for name, row in report["mean"].items()},
        **_within_source(report["within_source"]),
        "warnings": report["warnings"],
    }


def _evaluated(report: dict[str, Any]) -> dict[str, Any]:
    if report["model"]:
        return {"model": report["model"]["model_id"]}
    shown = {name: report[name] for name in ("method", "init", "split", "folds")}
    return {**shown, "seeds": len(report["seeds"])}


def _within_source(figures: dict[str, Any]) -> dict[str, Any]:
    """Of the report's headline; empty where the frames have no source."""
    if not figures:
        return {}
    shown = {name: figures[name] for name in ("mean", "low", "high", "notes")}
    return {"within_source": {**shown, "classes": {name: row["mean"] for name, row in figures["classes"].items()}}}


def run_compare(config: CompareConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.experiments.comparison.compare_reports`. The result is the table."""
    from training.experiments.comparison import compare_reports

    return compare_reports(config, reporter)


def run_evaluate_explanations(config: EvaluateExplanationsConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.experiments.explanations.evaluation`. The result is the report's table."""
    from training.experiments.explanations.evaluation import evaluate_explanations
    from training.experiments.explanations.report import text_table

    report = evaluate_explanations(config, reporter)
    if not report["finished"]:
        return report
    return {
        "text": text_table(report),
        "report": str(config.out / "report.html"),
        "finished": True,
        "frames": report["data"]["frames"],
        "groups": report["data"]["groups"],
        "models": [model["model_id"] for model in report["models"]],
        "warnings": report["warnings"],
    }


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


def run_reproduce(config: reproduce_config.ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.experiments.reproduce.reproduction`. torch is imported here, not with the settings."""
    if config.table in vats.VATS_TABLES:
        from training.experiments.reproduce.vats_table import reproduce_vats

        return reproduce_vats(config, reporter)
    if config.table in intrator_rows.INTRATOR_TABLES:
        from training.experiments.reproduce.intrator_table import reproduce_intrator

        return reproduce_intrator(config, reporter)
    if config.table in xiang_rows.XIANG_TABLES:
        from training.experiments.reproduce.xiang_table import reproduce_xiang

        return reproduce_xiang(config, reporter)
    from training.experiments.reproduce.reproduction import reproduce

    return reproduce(config, reporter)
