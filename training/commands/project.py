"""`python -m training project --embeddings FILE... --out FILE`: a map of embeddings, by PCA and t-SNE.

`python -m training evolution --run RUN --studies MANIFEST --out FILE`: the same frames under a run's kept steps.
"""

import os
from typing import Any

from training.projection.config import EvolutionConfig, ProjectConfig
from training.runs.reporter import Reporter

__all__ = ["EvolutionConfig", "ProjectConfig", "run_evolution", "run_project"]


def run_project(config: ProjectConfig, reporter: Reporter) -> dict[str, Any]:
    """Make the map; see `training.projection.run.project`. No torch anywhere."""
    # openTSNE's threads wait for each other at every step; spinning, beside a window that plays, cost four times the
    # CPU time. Must be said before OpenMP is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")

    from training.projection.run import project

    return project(config, reporter)


def run_evolution(config: EvolutionConfig, reporter: Reporter) -> dict[str, Any]:
    """Make it; torch is imported here, not with the settings."""
    if config.space == "views":
        from training.projection.view_evolution import make_view_evolution

        return make_view_evolution(config, reporter)
    from training.projection.evolution import make_evolution

    return make_evolution(config, reporter)
