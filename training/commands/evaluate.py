"""`python -m training evaluate`: cross-validation by patient, with a report that a person can read."""

from typing import Any

from training.evaluation.evaluate_config import EvaluateConfig, evaluate_config
from training.finetuning.config import PRESETS
from training.runs.reporter import Reporter

__all__ = ["PRESETS", "EvaluateConfig", "evaluate_config", "run_evaluate"]


def run_evaluate(config: EvaluateConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.evaluation.cross_validation.cross_validate`. The result is the report's headline."""
    from training.evaluation.cross_validation import cross_validate

    report = cross_validate(config, reporter)
    if not report["finished"]:
        return report
    return {
        "report": str(config.out / "report.html"),
        "finished": True,
        "method": report["method"],
        "init": report["init"],
        "split": report["split"],
        "folds": report["folds"],
        "seeds": len(report["seeds"]),
        "auc": report["pooled"]["auc"],
        "auc_low": report["pooled"]["low"],
        "auc_high": report["pooled"]["high"],
        "patients": report["pooled"]["patients"],
        "mean": {name: row["mean"] for name, row in report["mean"].items()},
        "warnings": report["warnings"],
    }
