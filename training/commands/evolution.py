"""`python -m training evolution --run RUN --studies MANIFEST --out FILE`: the same frames under a run's kept steps."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from training.commands.common import CommandConfig
from training.runs.reporter import Reporter


class EvolutionCommand(CommandConfig):
    """Whose frames, under which run; see `training.projection.evolution.evolution`."""

    run: Path = Field(description="Run folder of a pretraining.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON) whose frames are shown.")
    labels: Path | None = Field(None, description="Labels (CSV) to colour by; rare ones stay in the sample.")
    out: Path = Field(description="File to write (npz).")
    sample: int = Field(1500, ge=1, le=100_000, description="Frames.")
    space: Literal["backbone", "projection", "views"] = Field(
        "backbone", description="Before or after the projection head; views: those that pgcon, wincon, pirl kept."
    )
    precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="Of the forward passes; auto: the fastest that the device computes in."
    )


def run_evolution(config: EvolutionCommand, reporter: Reporter) -> dict[str, Any]:
    """Make it; torch is imported here, not with the settings."""
    if config.space == "views":
        from training.projection.view_evolution import make_view_evolution

        return make_view_evolution(config, reporter)
    from training.projection.evolution import make_evolution

    return make_evolution(config, reporter)
