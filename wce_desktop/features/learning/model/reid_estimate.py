"""The estimate of a training of re-identification."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.models.backbones import BACKBONES, find_backbone
from training.reidentification.training_run.config import ReidConfig
from wce_desktop.core.clock import counted
from wce_desktop.core.language import tr
from wce_desktop.features.learning.model.estimate import RESUMABLE, Estimate, free_bytes
from wce_desktop.features.learning.model.speed_book import SpeedBook
from wce_desktop.session.study_choice import StudyRow, patients_note_on

RESNET50_PARAMETERS = 24_000_000
"""Of the paper's trunk, which is not among the backbones."""
JOINT_PARAMETERS = 1_000_000


@dataclass(frozen=True)
class ReidEstimate(Estimate):
    """How many tracklets there are is known once the studies are read.

    Attributes:
        patients: that the studies are of.
    """

    patients: int = 0
    patients_note: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Patients and steps; time; disk."""
        patients, steps = counted(self.patients, "patient"), counted(self.steps, "step")
        said = tr("Tracklets of {patients}, {steps}.", patients=patients, steps=steps)
        return (f"{said} {self.patients_note}".strip(), *super().sentences[1:])


def estimate_reid(config: ReidConfig, rows: Sequence[StudyRow], book: SpeedBook, place: Path) -> ReidEstimate:
    """Estimate a training of re-identification on these studies."""
    patients = len({row.study.patient_id for row in rows})
    batch = 2 * min(config.procedures, patients)
    images = batch * (config.frame_steps + config.tracklet_steps * config.views)
    speed = book.expect(config.device, config.backbone, config.crop_px)
    frames = sum(row.study.frame_count for row in rows)
    seconds = book.start.value + frames / book.reading.value + images / speed.value
    is_known = config.backbone in BACKBONES
    trunk = find_backbone(config.backbone).parameters if is_known else RESNET50_PARAMETERS
    weights = 4 * (trunk + JOINT_PARAMETERS)
    optimizer = weights * (2 if config.optimizer == "adamw" else 1)
    disk = RESUMABLE * (weights + optimizer) + weights
    doubt = max(speed.doubt, book.reading.doubt, book.start.doubt)
    free = free_bytes(place)
    found = (frames, config.steps, images, seconds, doubt, speed.value, disk, free)
    return ReidEstimate(*found, patients=patients, patients_note=patients_note_on(rows))
