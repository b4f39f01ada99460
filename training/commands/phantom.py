"""`python -m training phantom OUT_DIR`: render synthetic studies with ground truth."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from training.files.marks import OutputFolder, OverwriteField
from training.runs.reporter import Reporter
from training.settings import Settings


class PhantomCommand(Settings):
    """What to render; see `training.phantom.dataset.write_studies`."""

    out: Annotated[Path, OutputFolder("folder of the studies")]
    """Folder for manifest, tables, videos and truth; made where missing, finished studies in it are kept."""
    studies: int = Field(default=4, ge=1)
    frames: int = Field(default=3000, ge=2)
    """Frames of each study."""
    seed: int = Field(default=0, ge=0, lt=2**31)
    size_px: int = Field(default=256, ge=48, le=1024, multiple_of=2)
    passes: int = Field(default=1, ge=1, le=2)
    """2: two studies of each patient, with the same lesions and other motion."""
    positive_share: float = Field(default=0.01, ge=0, le=0.5)
    """Wanted share of frames that show a lesion."""
    rest_share: float = Field(default=0.0, ge=0, le=0.9)
    """Share of the frames in which the capsule lies still."""
    frames_per_second: int = Field(default=2, ge=1, le=60)
    """Of the videos; more show the same motion in smaller steps, so that a lesion is in view for more frames."""
    speed: float = Field(default=1.0, ge=0.1, le=2)
    """Of the capsule; 1 is the usual one."""
    alike: bool = False
    """All lesions are polyps of the same colour; surface, outline, size and form distinguish those of a patient."""
    first_patient: int = Field(default=0, ge=0, le=1_000_000)
    """Number of the first patient, so that further patients can be rendered into another folder."""
    overwrite: OverwriteField = False
    device: Literal["auto", "cpu", "cuda", "mps"] = "cpu"
    """Accepted like in every command; rendering uses the CPU."""


def run_phantom(config: PhantomCommand, reporter: Reporter) -> dict[str, Any]:
    """Render the studies; the result names the manifest and counts studies, frames and positive frames."""
    from training.datasets.labels import NORMAL, read_labels
    from training.datasets.manifest import load_manifest
    from training.phantom.dataset import write_studies

    manifest = write_studies(
        config.out,
        studies=config.studies,
        frames=config.frames,
        seed=config.seed,
        size_px=config.size_px,
        passes=config.passes,
        positive_share=config.positive_share,
        first_patient=config.first_patient,
        rest_share=config.rest_share,
        frames_per_second=config.frames_per_second,
        speed=config.speed,
        alike=config.alike,
        overwrite=config.overwrite,
        reporter=reporter,
    )
    done = len(load_manifest(manifest).studies)
    rows = read_labels(manifest.with_name("labels.csv"))
    positive = {(row.study_id, frame) for row in rows if row.label != NORMAL for frame in range(row.start, row.stop)}
    return {
        "manifest": str(manifest),
        "studies": done,
        "studies_wanted": config.studies,
        "frames": done * config.frames,
        "positive_frames": len(positive),
    }
