"""`python -m training project --embeddings FILE... --out FILE`: a map of embeddings, by PCA and t-SNE."""

import os
from typing import Any

from training.projection.config import ProjectConfig
from training.runs.reporter import Reporter

__all__ = ["ProjectConfig", "run_project"]


def run_project(config: ProjectConfig, reporter: Reporter) -> dict[str, Any]:
    """Make the map; see `training.projection.run.project`. No torch anywhere."""
    # openTSNE's threads wait for each other at every step; spinning, beside a window that plays, cost four times the
    # CPU time. Must be said before OpenMP is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")

    from training.projection.run import project

    return project(config, reporter)
