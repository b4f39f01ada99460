"""What every reader of a public data set returns: its images, what was said of them, and what is odd about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PublishedBox:
    """A box around something, with the name that the set gives it.

    Corners in pixels of the image file (x to the right, y down), or in shares of its width and height.
    """

    label: str
    x_min: float
    y_min: float
    x_max: float
    y_max: float
    is_relative: bool = False
    finding: str = ""
    """Which lesion of the recording it surrounds, in the set's own words; empty: not said."""

    @property
    def is_empty(self) -> bool:
        """Whether it encloses nothing: some sets have such boxes, which are counted and left out."""
        return self.x_min >= self.x_max or self.y_min >= self.y_max


@dataclass(frozen=True, slots=True)
class PublishedImage:
    """One image of a set, with what the set says of it in the set's own words."""

    path: str
    """Of the file, below the set's folder, with forward slashes."""
    labels: tuple[str, ...]
    """Names as published; none: nothing was said."""
    study: str = ""
    """The recording that it comes from; empty: the set does not say."""
    patient: str = ""
    """Whose recording; empty: the set does not say, and each recording counts as a patient of its own."""
    boxes: tuple[PublishedBox, ...] = ()
    mask: str = ""
    """A file below the set's folder that is bright where the finding lies; empty: none."""
    mask_finding: str = ""
    """The one lesion that the mask draws, whose bright parts are then one box; empty: each part has its own."""
    region: str = ""
    """Where in the bowel, in the words of `StudySpan.region`; empty: not said."""
    frame_number: int | None = None
    """Of the frame in its recording, where the set says it: successive numbers are successive frames."""
    split: str = ""
    """The set's own part that it belongs to (training, validation, 0, 1); empty: none."""
    source: str = ""
    """The device or the data set that it comes from, where the set joins several; empty: not said."""


@dataclass(frozen=True, slots=True)
class PublishedVideo:
    """A recording of a set as a video file; nothing is said of its frames."""

    path: str
    study: str


@dataclass(frozen=True)
class PublishedSet:
    """A data set as it lies on the disk."""

    images: tuple[PublishedImage, ...]
    """Those whose files are there."""
    missing: tuple[str, ...] = ()
    """Files that the set speaks of and that are not there: a download that is not complete."""
    missing_labels: Mapping[str, int] = field(default_factory=dict)
    """Label -> missing images that would carry it, where the set's tables say so."""
    notes: tuple[str, ...] = ()
    """Sentences on what one must know before using it."""
    videos: tuple[PublishedVideo, ...] = ()
    sizes_mm: Mapping[str, float] = field(default_factory=dict)
    """Lesion -> its size, where the set says it."""
    histology: Mapping[str, str] = field(default_factory=dict)
    """Lesion -> its histology in the set's own words, where the set says it."""
    images_per_second: Mapping[str, float] = field(default_factory=dict)
    """Recording -> the rate of its frames, where the set says it."""


@dataclass(frozen=True)
class DataSet:
    """A public data set: where it comes from, and how it is read."""

    name: str
    """On the command line."""
    title: str
    where: str
    """Page to download it from."""
    what: str
    """Which of its files are needed."""
    licence: str
    citation: str
    read: Callable[[Path], PublishedSet]
    """Folder -> contents; raises `UserError` where the folder has another layout."""
    images: int | None = None
    """How many images the publication counts; None: not known."""
    marks: tuple[str, ...] = ()
    """Files and folders in its folder by any of which it is recognised; none: only by its name."""
    verified: str = ""
    """On which real files the reader was tried; empty: only on a tree that a test writes."""
