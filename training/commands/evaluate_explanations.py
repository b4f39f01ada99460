"""`python -m training evaluate-explanations`: how well explanations point at what a person boxed, with a report."""

from typing import Any

from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.finetuning.config import PRESETS
from training.runs.reporter import Reporter

__all__ = ["PRESETS", "EvaluateExplanationsConfig", "run_evaluate_explanations"]


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
