"""`python -m training evaluate`: cross-validation by patient, with a report that a person can read.

`python -m training evaluate-explanations`: how well explanations point at what a person boxed, with a report.
"""

from typing import Any

from training.evaluation.evaluate_config import EvaluateConfig, evaluate_config
from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.finetuning.config import PRESETS
from training.runs.reporter import Reporter

__all__ = [
    "PRESETS",
    "EvaluateConfig",
    "EvaluateExplanationsConfig",
    "evaluate_config",
    "run_evaluate",
    "run_evaluate_explanations",
]


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
        "not_there": report["data"]["not_there_sentence"],
        "mean": {name: row["mean"] for name, row in report["mean"].items()},
        "warnings": report["warnings"],
    }


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
