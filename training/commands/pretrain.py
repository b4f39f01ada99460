"""`python -m training pretrain`: train an embedding on frames without labels."""

from typing import Any

from training.pretraining.config import PRESETS, PretrainConfig, pretrain_config
from training.runs.reporter import Reporter

__all__ = ["PRESETS", "PretrainConfig", "pretrain_config", "run_pretrain"]


def run_pretrain(config: PretrainConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.pretraining.run.pretrain`. torch is imported here, not with the settings."""
    from training.pretraining.run import pretrain

    return pretrain(config, reporter)
