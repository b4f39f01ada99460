"""Studies and findings to report."""

import re
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.wce_desktop.library.exchange.conftest import FRAMES
from training.video import fingerprint
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.vocabulary import Vocabulary, load_vocabulary
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.exchange.clinical.content import ExportedFinding, ExportedStudy
from wce_desktop.session.places import resource

SECRETS = ("Lovelace", "Ada", "H-4711", "Dr. Babbage", "look at Mrs", "1897", "Mayfair")
"""What must not be in any export: name, number, reader, comment, year of birth, indication."""
SIDE = 96


def secrets_in(content: bytes) -> list[str]:
    """Those of `SECRETS` in a file's bytes, without digits in the middle of a number, as in a random UID."""
    return [word for word in SECRETS if re.search(rb"(?<![\d.])" + re.escape(word.encode()), content)]


def vocabulary() -> Vocabulary:
    return load_vocabulary(resource("labels", "default.json"))


def round_frame(number: int) -> NDArray[np.uint8]:
    """(96, 96, 3) uint8: tissue in a circle, and writing in the corner."""
    rng = np.random.default_rng(number)
    y, x = np.mgrid[:SIDE, :SIDE]
    inside = (x - 48) ** 2 + (y - 48) ** 2 < 40**2
    frame = np.where(inside[..., None], rng.integers(90, 200, (SIDE, SIDE, 3)), 0).astype(np.uint8)
    frame[2:6, 2:30:2] = 255
    return frame


def round_study(library: Library, folder: Path) -> Study:
    """A study of 30 pictures of a patient whose name is in its path."""
    path = folder / "Lovelace, Ada 1897"
    path.mkdir()
    for number in range(FRAMES):
        cv2.imwrite(str(path / f"{number:03d}.png"), round_frame(number))
    return library.studies.add(
        path, study_id="s-01", patient_id="p-01", fingerprint=fingerprint(path), frame_count=FRAMES, duration_seconds=15
    )


def add_findings(library: Library, study_id: str) -> None:
    """An ulcer with everything, in the small bowel, and a polyp with nothing but its span."""
    ulcer = Finding(
        "f-1", study_id, "ulcer", Span(10, 16), 4.5, "0-IIc slightly depressed", (11, 14), "look at Mrs Lovelace",
        "Dr. Babbage", "few", "P2", "jejunum",
    )  # fmt: skip
    polyp = Finding("f-2", study_id, "polyp", Span(20, 23), morphology="like that of Ada", segment="left of Mayfair")
    landmark = Landmark("l-1", study_id, Region.SMALL_BOWEL, 5)
    library.annotations.edit(study_id, "findings", [Add(landmark), Add(ulcer), Add(polyp)])


def a_finding(finding_id: str = "f-1", kind: str = "ulcer", comment: str = "") -> ExportedFinding:
    finding = Finding(
        finding_id, "s-01", kind, Span(10, 16), 4.5, "0-IIc slightly depressed", (11, 14), comment, "", "few", "P2",
        "jejunum",
    )  # fmt: skip
    return ExportedFinding(finding, "Ulcer", 5.0, "small bowel", (0, 1))


def a_study(*findings: ExportedFinding, has_free_text: bool = False, is_masked: bool = True) -> ExportedStudy:
    return ExportedStudy("s-01", "p-01", 30, True, has_free_text, findings, is_masked, True, (11, 14))


def pictures() -> NDArray[np.uint8]:
    """(2, 96, 96, 3) for `a_study`."""
    return np.stack([round_frame(11), round_frame(14)])
