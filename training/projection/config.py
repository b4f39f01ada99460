"""What a map is made of and how: every setting with its range and meaning."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from training.files.kinds import MAP_FILE
from training.files.marks import OutputFile, OverwriteField
from training.settings import Settings


class ProjectConfig(Settings):
    """One map; frozen, checked when made."""

    out: Annotated[Path, OutputFile(MAP_FILE)] = Field(description="File of the map to write (npz).")
    overwrite: OverwriteField = False
    embeddings: tuple[Path, ...] = Field((), description="Embedding files, one for a study.")
    manifest: Path | None = Field(
        None, description="Instead: manifest (JSON) whose paths are embedding files; spans say which frames."
    )
    method: Literal["tsne", "pca"] = Field("tsne", description="t-SNE (after PCA), or PCA alone.")
    sample: int = Field(
        0, ge=0, le=10_000_000, description="Frames of the map; 0: all for PCA, 15,000 for t-SNE. Rare labels stay."
    )
    labels: Path | None = Field(None, description="Labels (CSV) whose rare ones the sample keeps; never learned from.")
    onto: Path | None = Field(None, description="An existing map into which the frames are placed; it stays as it is.")
    components: int = Field(50, ge=2, le=512, description="Principal components that t-SNE starts from.")
    perplexity: float = Field(30.0, gt=1, le=1000, description="t-SNE: how many neighbours count, roughly.")
    iterations: int = Field(750, ge=1, le=100_000, description="t-SNE: steps in all, early exaggeration included.")
    exaggeration_iterations: int = Field(250, ge=0, le=10_000, description="t-SNE: first steps that pull clouds apart.")
    exaggeration: float = Field(12.0, ge=1, le=100, description="t-SNE: how strongly they are pulled.")
    step: int = Field(25, ge=1, le=1000, description="t-SNE: steps between two pictures.")
    threads: int | None = Field(None, ge=1, le=256, description="CPU threads; empty: all cores.")
    resume: bool = Field(False, description="Go on with an unfinished map; begin where there is none.")
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Not used: maps are made on the CPU.")
    seed: int = Field(0, ge=0, lt=2**31, description="Same seed, same frames, same map.")

    @model_validator(mode="after")
    def _check_inputs(self) -> "ProjectConfig":
        if bool(self.embeddings) == (self.manifest is not None):
            raise ValueError("give either embedding files or a manifest of them")
        if self.exaggeration_iterations > self.iterations and "exaggeration_iterations" in self.model_fields_set:
            raise ValueError("exaggeration_iterations must not be more than iterations")
        return self
