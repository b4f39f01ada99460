"""`python -m training finetune`: fine-tune on labelled frames and compare with the old model."""

from typing import Any

from training.finetuning.config import PRESETS, FinetuneConfig, finetune_config
from training.runs.reporter import Reporter

__all__ = ["PRESETS", "FinetuneConfig", "finetune_config", "run_finetune"]


def run_finetune(config: FinetuneConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.finetuning.start.finetune`. torch is imported by it, if at all, not with the settings."""
    from training.finetuning.start import finetune

    return finetune(config, reporter)
