"""What is in a folder: the images of a study in order, studies to be queued, and what is passed over, and why."""

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.files.inputs import unreadable
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text, join_texts
from training.version import IMAGE_NUMBERING, NUMBERING
from training.video import formats, image_reader, mask_files
from training.video.dicom.elements import SUFFIXES as DICOM_SUFFIXES
from training.video.dicom.elements import is_dicom
from training.video.dicom.series import has_no_picture, is_single_picture, series_order

_EXAMPLES = 3
_SENTENCES = {
    "masks": "Masks of other images, left out ({count:,}): {examples}.",
    "video": "Videos, to be opened by themselves ({count:,}): {examples}.",
    "dicom": "DICOM files, to be opened by themselves ({count:,}): {examples}.",
    "images": "Images beside videos, left out ({count:,}): {examples}.",
    "folders": "Folders, to be opened by themselves ({count:,}): {examples}.",
    "empty": "Empty files, left out ({count:,}): {examples}.",
    "without_pictures": "DICOM files without pictures, left out ({count:,}): {examples}.",
    "others": "Files of other kinds, left out ({count:,}): {examples}.",
    "hidden": "Hidden files and files of the system, left out ({count:,}): {examples}.",
    "links": "Links to other folders or to nothing, left out ({count:,}): {examples}.",
    "unreadable": "Not readable, left out ({count:,}): {examples}.",
}
"""Of what is passed over, by the reason."""


class LeftOut(defaultdict[str, list[str]]):
    """Names of what is passed over in a folder, by the reason (see `_SENTENCES`)."""

    def __init__(self) -> None:
        super().__init__(list)

    def add(self, other: "LeftOut") -> None:
        """Take in what is passed over in another folder."""
        for reason, names in other.items():
            self[reason] += names

    def add_file(self, path: Path) -> None:
        """Take in a file that is no study."""
        is_empty = formats.is_plain_file(path) and _is_empty(path)
        self["hidden" if formats.is_hidden(path.name) else "empty" if is_empty else "others"].append(path.name)

    def sentences(self) -> tuple[str, ...]:
        """One for each reason, with the count and the first names."""
        given = ((sentence, self.get(reason, ())) for reason, sentence in _SENTENCES.items())
        return tuple(Text(sentence, len(names), _examples(names)) for sentence, names in given if names)


def _examples(names: Sequence[str]) -> str:
    shown = sorted(names, key=formats.natural_key)[:_EXAMPLES]
    named = ", ".join("".join(c if c.isprintable() else "?" for c in name) for name in shown)
    return named + (", …" if len(names) > _EXAMPLES else "")


@dataclass(frozen=True)
class FolderListing:
    """The images of a folder in the order of their frames, and what is to be said of it in sentences."""

    names: tuple[str, ...]
    notes: tuple[str, ...] = ()


def list_folder(folder: Path, numbering: int = NUMBERING) -> FolderListing:
    """The images directly inside a folder, and what else is there.

    Masks are left out. A folder that holds no images but DICOM files of single pictures is read as one series. By
    rules before `IMAGE_NUMBERING` masks were frames, too, and WebP files and DICOM series were not read.

    Raises:
        UserError: its DICOM files are of several patients or examinations.
    """
    if numbering < IMAGE_NUMBERING:
        return FolderListing(tuple(formats.in_order(formats.image_files(folder, numbering), numbering)))
    left_out = LeftOut()
    images: list[str] = []
    dicom: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            kind = _kind(entry)
            {"image": images, "dicom": dicom}.get(kind, left_out[kind]).append(entry.name)
    if not images and dicom:
        return _series(folder, dicom, left_out)
    left_out["dicom"] += dicom
    masks = mask_files.masks_among(folder, images, image_reader.read_image)
    left_out["masks"] += masks
    return FolderListing(tuple(formats.in_order(set(images) - masks, numbering)), left_out.sentences())


def _kind(entry: "os.DirEntry[str]") -> str:
    """What something in a folder is by its name: image, video or dicom, or the reason why it is left out."""
    if formats.is_hidden(entry.name):
        return "hidden"
    try:
        is_directory = entry.is_dir()
    except OSError:
        return "links"
    if is_directory:
        return "links" if entry.is_symlink() else "folders"
    if not formats.is_plain_file(entry):
        return "links" if entry.is_symlink() else "others"
    if formats.is_image_name(entry.name, NUMBERING):
        return "image"  # also an empty one: its number shows that a frame is missing
    if Path(entry.name).suffix.lower() in formats.VIDEO_SUFFIXES:
        return "video"
    if formats.may_be_dicom(entry.name) and is_dicom(Path(entry.path)):
        return "dicom"
    try:
        return "others" if entry.stat().st_size else "empty"
    except OSError:
        return "unreadable"


def _series(folder: Path, names: Sequence[str], left_out: LeftOut) -> FolderListing:
    singles = [name for name in sorted(names, key=formats.natural_key) if is_single_picture(folder / name)]
    for name in set(names) - set(singles):
        left_out["without_pictures" if has_no_picture(folder / name) else "dicom"].append(name)
    if not singles:
        return FolderListing((), left_out.sentences())
    ordered, notes = series_order(folder, singles)
    return FolderListing(ordered, (*notes, *left_out.sentences()))


def list_study(folder: Path, numbering: int = NUMBERING) -> FolderListing:
    """The images of a study, at least one; see `list_folder`.

    Raises:
        UserError: the folder cannot be read, or holds no image; or see there.
    """
    try:
        listing = list_folder(folder, numbering)
    except OSError as error:
        raise unreadable(folder, error) from error
    if not listing.names:
        raise UserError(
            join_texts(" ", [Text("The folder {name} holds no images.", folder.name), *listing.notes]),
            "Choose a folder with jpg, png, bmp, tif or webp files or with a DICOM series, or open a video in it.",
        )
    return listing


@dataclass(frozen=True)
class StudiesBelow:
    """The studies in a folder and in the folders below it, in natural order, and what is passed over."""

    paths: tuple[Path, ...]
    left_out: LeftOut


def studies_below(folder: Path, reporter: Reporter | None = None) -> StudiesBelow:
    """The videos, DICOM files and folders of images in a folder and in the folders below it.

    A folder that holds more images than videos is one study. Links to folders are not followed.
    """
    return _Walk(folder, reporter or SilentReporter()).result()


class _Walk:
    def __init__(self, top: Path, reporter: Reporter) -> None:
        self._top = top
        self._reporter = reporter
        self._studies: list[Path] = []
        self._of_images: dict[Path, list[str]] = {}
        self._left_out = LeftOut()
        self._waiting = [top]
        while self._waiting:
            self._visit(self._waiting.pop())

    def result(self) -> StudiesBelow:
        for folder, names in self._of_images.items():
            if self._holds_masks(folder, names):
                self._left_out["masks"].append(f"{self._name(folder)}/")
            else:
                self._studies.append(folder)
        return StudiesBelow(
            tuple(sorted(self._studies, key=lambda path: formats.natural_key(str(path)))), self._left_out
        )

    def _name(self, path: Path) -> str:
        return path.relative_to(self._top).as_posix() if path != self._top else path.name

    def _visit(self, folder: Path) -> None:
        try:
            with os.scandir(folder) as scanned:
                entries = sorted(scanned, key=lambda entry: formats.natural_key(entry.name))
        except OSError:
            self._left_out["unreadable"].append(f"{self._name(folder)}/")
            return
        images: list[str] = []
        pictures: list[str] = []
        for entry in entries:
            self._reporter.check()
            path, kind = Path(entry.path), _kind(entry)
            if kind == "folders":
                self._waiting.append(path)
            elif kind == "image":
                images.append(entry.name)
            elif (kind == "video" and _is_empty(path)) or kind == "empty":
                self._left_out["empty"].append(self._name(path))
            elif kind == "video" or (kind == "others" and path.suffix.lower() in DICOM_SUFFIXES):
                self._studies.append(path)
            elif kind == "dicom":
                if is_single_picture(path):
                    pictures.append(entry.name)
                elif has_no_picture(path):
                    self._left_out["without_pictures"].append(self._name(path))
                else:
                    self._studies.append(path)
            else:
                self._left_out[kind].append(self._name(path))
        if images and not formats.are_more_than_videos(images, [entry.name for entry in entries]):
            self._left_out["images"] += [self._name(folder / name) for name in images]
        elif images:
            self._of_images[folder] = images
            self._left_out["dicom"] += [self._name(folder / name) for name in pictures]
        elif pictures:
            self._studies.append(folder)

    def _holds_masks(self, folder: Path, names: list[str]) -> bool:
        """Whether a folder is named as one of masks, and others have images of the same names."""
        if not self._is_named_for_masks(folder):
            return False
        mine = {mask_files.base_name(name) for name in names}
        others = (theirs for other, theirs in self._of_images.items() if not self._is_named_for_masks(other))
        return any(len(mine & {mask_files.base_name(name) for name in theirs}) * 2 >= len(mine) for theirs in others)

    def _is_named_for_masks(self, folder: Path) -> bool:
        return any(mask_files.has_mask_word(part) for part in folder.relative_to(self._top).parts)


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except OSError:
        return False
