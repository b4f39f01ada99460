"""What a map is made of and how, and what an evolution is asked to show: settings with their range and meaning."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from training.files import kinds, marks
from training.settings import Only, Settings


class ProjectConfig(Settings):
    """One map; frozen, checked when made."""

    only = (
        Only("method,components,shown,neighbours,min_distance,perplexity", "onto", (None,)),
        Only("components", "method", ("tsne", "umap")),
        Only("neighbours,min_distance", "method", ("umap",)),
        Only("perplexity,iterations,exaggeration_iterations,exaggeration,step", "method", ("tsne",)),
    )

    out: Annotated[Path, marks.OutputFile(kinds.MAP_FILE)] = Field(description="Map file to write (npz).")
    overwrite: marks.OverwriteField = False
    embeddings: tuple[Path, ...] = Field((), description="Embedding files, one per study.")
    manifest: Path | None = Field(
        None,
        description="Manifest (JSON) whose paths are embedding files, instead of embeddings; its spans choose "
        "the frames.",
    )
    method: Literal["tsne", "umap", "pca"] = Field(
        "tsne", description="t-SNE or UMAP (both after PCA), or PCA alone; UMAP needs the extra umap."
    )
    sample: int = Field(
        0,
        ge=0,
        le=10_000_000,
        description="Number of frames; 0: all for PCA, otherwise 15,000. Frames with rare labels stay.",
    )
    shown: int = Field(
        0,
        ge=0,
        le=10_000_000,
        description="Number of frames shown; those beyond the sample are placed among their nearest frames of it. 0: "
        "the sample alone.",
    )
    labels: Path | None = Field(
        None, description="Labels (CSV); frames with rare labels stay in the sample. The map itself does not use them."
    )
    onto: Path | None = Field(None, description="Existing map to place the frames into; its points do not move.")
    components: int = Field(50, ge=2, le=512, description="Principal components that t-SNE and UMAP start from.")
    neighbours: int = Field(15, ge=2, le=1000, description="UMAP: neighbours considered for each frame.")
    min_distance: float = Field(0.1, ge=0, le=1, description="UMAP: least distance of two frames on the map.")
    perplexity: float = Field(
        30.0, gt=1, le=1000, description="t-SNE: perplexity, roughly the number of neighbours considered."
    )
    iterations: int | None = Field(
        None,
        ge=1,
        le=100_000,
        description="t-SNE: total number of steps, including early exaggeration; empty: 300 from 4,000 frames on, "
        "else 750, and more with a longer exaggeration.",
    )
    exaggeration_iterations: int | None = Field(
        None,
        ge=0,
        le=10_000,
        description="t-SNE: steps of early exaggeration; empty: 125 from 4,000 frames on, else 250.",
    )
    exaggeration: float = Field(12.0, ge=1, le=100, description="t-SNE: factor of early exaggeration.")
    step: int = Field(25, ge=1, le=1000, description="t-SNE: steps between two updates of the picture.")
    threads: int | None = Field(None, ge=1, le=256, description="CPU threads; empty: all cores.")
    resume: bool = Field(False, description="Continue an unfinished map, or start a new one if there is none.")
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Not used: maps are computed on the CPU.")
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the sample and of t-SNE.")

    @model_validator(mode="after")
    def _check_inputs(self) -> "ProjectConfig":
        if bool(self.embeddings) == (self.manifest is not None):
            raise ValueError("give either embedding files or a manifest of them, not both")
        if self.iterations is not None and (self.exaggeration_iterations or 0) > self.iterations:
            raise ValueError("exaggeration_iterations must not be more than iterations")
        return self


class EvolutionConfig(Settings):
    """Whose frames, under which run; frozen, checked when made."""

    only = (Only("precision", "space", ("backbone", "projection")), Only("labels", "studies"))

    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to compute on.")
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the sample.")
    run: Path = Field(description="Run folder of a pretraining.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON) whose frames are shown.")
    labels: Path | None = Field(
        None, description="Labels (CSV) to colour by; frames with rare labels stay in the sample."
    )
    out: Annotated[Path, marks.OutputFile(kinds.EVOLUTION_FILE)] = Field(description="File to write (npz).")
    overwrite: marks.OverwriteField = False
    sample: int = Field(1500, ge=1, le=100_000, description="Frames.")
    space: Literal["backbone", "projection", "views"] = Field(
        "backbone",
        description="backbone: before the projection head; projection: after it; views: the views stored by methods "
        "with a memory bank.",
    )
    precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="Precision of the forward passes; auto: the fastest that the device supports."
    )
