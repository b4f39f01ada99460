"""The formats that labels and boxes are exported in, and what an export says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wce_desktop.core.language import to_translate

FormatName = Literal["csv", "coco", "cvat-images", "cvat-video", "yolo", "kvasir"]


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What was written, in a sentence and as counts ("studies", "boxes"), and sentences about what was not."""

    folder: Path
    sentence: str
    counts: Mapping[str, int]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format.

    Attributes:
        name: in the shell.
        title: in the window, to be translated.
        about: what is written, in a sentence or two, to be translated.
        suffix: of the pictures; empty: none are written.
        holds_labels: whether it has room for labels of frames without a box.
    """

    name: FormatName
    title: str
    about: str
    suffix: str = ""
    holds_labels: bool = True

    @property
    def holds_negatives(self) -> bool:
        """Whether it has room for frames of which a reader said that a class is not there."""
        return self.name in ("csv", "coco", "kvasir")


EXPORT_FORMATS: tuple[ExportFormat, ...] = (
    ExportFormat(
        "csv",
        to_translate("Tables (CSV)"),
        to_translate(
            "Labels, findings, boxes, links and a list of the studies. No pictures. This program imports all of it."
        ),
    ),
    ExportFormat(
        "coco",
        to_translate("COCO, with pictures"),
        to_translate("Boxes in one JSON file, and a picture of each frame that has a box."),
        ".png",
        holds_labels=False,
    ),
    ExportFormat(
        "cvat-images",
        to_translate("CVAT for images"),
        to_translate("Boxes and labels in one XML file, and a picture of each frame that has any."),
        ".png",
    ),
    ExportFormat(
        "cvat-video",
        to_translate("CVAT for video"),
        to_translate(
            "Boxes as tracks, an XML file for each study. No pictures: CVAT needs the video. The format has no room "
            "for labels of frames."
        ),
        holds_labels=False,
    ),
    ExportFormat(
        "yolo",
        to_translate("YOLO, with pictures"),
        to_translate("Boxes in a text file for each frame, and a picture of each frame that has a box."),
        ".png",
        holds_labels=False,
    ),
    ExportFormat(
        "kvasir",
        to_translate("Folders as in Kvasir-Capsule"),
        to_translate("A folder of pictures for each class, and boxes in metadata.csv."),
        ".jpg",
    ),
)


def export_format(name: str) -> ExportFormat:
    """The format of this name; KeyError where there is none."""
    formats: dict[str, ExportFormat] = {each.name: each for each in EXPORT_FORMATS}
    return formats[name]
