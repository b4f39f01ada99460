"""`python -m training evolution --run RUN --studies MANIFEST --out FILE`: the same frames under a run's kept steps."""

from typing import Any

from training.projection.evolution_config import EvolutionConfig
from training.runs.reporter import Reporter

__all__ = ["EvolutionConfig", "run_evolution"]


def run_evolution(config: EvolutionConfig, reporter: Reporter) -> dict[str, Any]:
    """Make it; torch is imported here, not with the settings."""
    if config.space == "views":
        from training.projection.view_evolution import make_view_evolution

        return make_view_evolution(config, reporter)
    from training.projection.evolution import make_evolution

    return make_evolution(config, reporter)
