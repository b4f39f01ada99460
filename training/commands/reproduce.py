"""`python -m training reproduce TABLE`: a paper's table, its figures beside ours."""

from typing import Any

from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.vats import VATS_TABLES
from training.runs.reporter import Reporter

__all__ = ["ReproduceConfig", "run_reproduce"]


def run_reproduce(config: ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.experiments.reproduce.reproduction`. torch is imported here, not with the settings."""
    if config.table in VATS_TABLES:
        from training.experiments.reproduce.vats_table import reproduce_vats

        return reproduce_vats(config, reporter)
    from training.experiments.reproduce.reproduction import reproduce

    return reproduce(config, reporter)
