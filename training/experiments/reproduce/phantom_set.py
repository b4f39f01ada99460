"""The frozen phantom data sets: studies with labels, and studies of other patients to pretrain on; rendered once."""

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.outputs import written_beside
from training.runs.reporter import Cancelled, Reporter

OUTSIDE_PATIENT = 200
"""Number of the first patient of the studies to pretrain on: nobody is in both sets."""


@dataclass(frozen=True)
class PhantomSet:
    """What is rendered; a change of any number is another data set under another name in the cache."""

    patients: int
    """Labelled patients, `passes` studies each."""
    frames: int
    """Frames of each labelled study."""
    outside_patients: int
    """Patients to pretrain on, one study each; their labels are not used."""
    outside_frames: int
    size_px: int
    positive_share: float
    """Wanted share of frames that show a lesion."""
    seed: int = 2026
    passes: int = 1
    """1 or 2: studies of each labelled patient; with 2 both show the same lesions."""

    @property
    def key(self) -> str:
        """Name in the cache: the settings' digest, and the digest of the source that renders them."""
        values = {name: value for name, value in asdict(self).items() if (name, value) != ("passes", 1)}
        said = json.dumps(values, sort_keys=True) + renderer_digest()
        return f"{self.patients}x{self.frames}-{hashlib.sha256(said.encode()).hexdigest()[:10]}"

    @property
    def sentence(self) -> str:
        """What the data are, for the table."""
        return (
            f"phantom: {self.patients} labelled patients x {'' if self.passes == 1 else f'{self.passes} passes x '}"
            f"{self.frames:,} frames, {self.outside_patients} other "
            f"patients x {self.outside_frames:,} frames to pretrain on (seed {self.seed}, {self.key})"
        )

    @property
    def looks(self) -> dict[str, Any]:
        """Further settings of `write_studies`."""
        return {}


@dataclass(frozen=True)
class TrackletSet(PhantomSet):
    """Studies for re-identification: lesions stay in view for many frames, come back, and have the same colours."""

    frames_per_second: int = 10
    speed: float = 0.5
    alike: bool = True

    @property
    def sentence(self) -> str:
        """What the data are, for the table."""
        return f"{super().sentence}; {self.frames_per_second} frames/s, speed {self.speed:g}, alike"

    @property
    def looks(self) -> dict[str, Any]:
        """Frame rate, speed, and lesions that look alike."""
        return {"frames_per_second": self.frames_per_second, "speed": self.speed, "alike": self.alike}


@dataclass(frozen=True)
class RenderedPhantom:
    """Where a phantom set lies."""

    manifest: Path
    labels: Path
    outside: Path
    """Manifest of the studies to pretrain on."""


def renderer_digest() -> str:
    """Digest of the code that renders: frames of an older renderer are never taken for those of today's.

    Comments and empty lines do not count.
    """
    digest = hashlib.sha256()
    for path in sorted((Path(__file__).parents[2] / "phantom").glob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        digest.update("\n".join(line for line in lines if not re.match(r"\s*(#|$)", line)).encode())
    return digest.hexdigest()


def rendered(phantom: PhantomSet, cache: Path, reporter: Reporter) -> RenderedPhantom:
    """The set from the cache; what is missing there is rendered first, and an interrupted rendering continues.

    Raises:
        UserError: the cache cannot be written.
        Cancelled: as the reporter asked, or a stop before all studies were there.
    """
    from training.phantom.dataset import write_studies

    folder = cache / phantom.key
    done = folder / "done.json"
    if not done.is_file():
        reporter.log(f"Rendering the {phantom.sentence}; it is stored in {folder}.")
        parts = (
            ("labelled", phantom.patients, phantom.passes, phantom.frames, 0),
            ("outside", phantom.outside_patients, 1, phantom.outside_frames, OUTSIDE_PATIENT),
        )
        for name, patients, passes, frames, first in parts:
            write_studies(
                folder / name,
                studies=patients * passes,
                frames=frames,
                seed=phantom.seed,
                size_px=phantom.size_px,
                passes=passes,
                positive_share=phantom.positive_share,
                first_patient=first,
                **phantom.looks,
                overwrite=True,  # the cache is the program's own
                reporter=reporter,
            )
            if reporter.stop_requested:
                raise Cancelled
        _write(done, phantom)
    return RenderedPhantom(
        folder / "labelled" / "manifest.json", folder / "labelled" / "labels.csv", folder / "outside" / "manifest.json"
    )


def _write(done: Path, phantom: PhantomSet) -> None:
    try:
        with written_beside(done) as beside:
            beside.write_text(json.dumps(asdict(phantom), indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{done} cannot be written ({error.strerror}).", "Choose another folder.") from error
