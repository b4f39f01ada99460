"""`python -m training reproduce TABLE`: a paper's table, its figures beside ours."""

from typing import Any

from training.reproduce.reproduce_config import ReproduceConfig
from training.runs.reporter import Reporter

__all__ = ["ReproduceConfig", "run_reproduce"]


def run_reproduce(config: ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.reproduce.reproduction.reproduce`. torch is imported here, not with the settings."""
    from training.reproduce.reproduction import reproduce

    return reproduce(config, reporter)
