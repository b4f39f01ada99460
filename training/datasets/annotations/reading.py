"""Recognises annotation files by their content, and reads them."""

from __future__ import annotations

import os
from pathlib import Path

from training.datasets.annotations.budget import Budget, ImportTooLargeError
from training.datasets.annotations.coco_reader import is_coco, read_coco
from training.datasets.annotations.content import AnnotationFile
from training.datasets.annotations.cvat_reader import is_cvat, read_cvat
from training.datasets.annotations.foreign import foreign_error
from training.datasets.annotations.kvasir import is_kvasir, read_kvasir
from training.datasets.annotations.labelme_reader import LABELME, add_labelme, is_labelme
from training.datasets.annotations.via_reader import is_via, is_via_3, read_via
from training.datasets.annotations.yolo import read_yolo_folder, yolo_folder
from training.errors import UserError, reason_of
from training.files.json_text import read_json
from training.files.xml_text import read_xml
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text
from training.video.formats import natural_key

MAX_ANNOTATION_BYTES = 64 * 1024**2
"""Of one file; 100,000 boxes take some 30 MB."""
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
MAX_FILES = 100_000
"""Of one folder."""
SUFFIXES = (".json", ".xml", ".tsv", ".eaf", ".slp")
FORMATS = "COCO, CVAT, YOLO, VIA, LabelMe"


def read_annotations(path: Path, reporter: Reporter | None = None) -> tuple[AnnotationFile, ...]:
    """Read a file, or all annotation files of a folder; none where the path holds no format of an annotation tool.

    Args:
        path: a JSON or XML file, a list of classes of YOLO, or a folder.
        reporter: receives progress, and can cancel.

    Raises:
        UserError: naming the file, for one that is damaged, too large, or of a version that is not read.
        ImportTooLargeError: the files are too large together, see `Budget`.
        Cancelled: the reporter asked to end.
    """
    reporter = reporter or SilentReporter()
    budget = Budget()
    found = _folder(path, reporter, budget) if path.is_dir() else _file(path, reporter, budget)
    for file in found:
        file.drop_copies()
    return tuple(found)


def _file(path: Path, reporter: Reporter, budget: Budget) -> list[AnnotationFile]:
    if path.suffix.lower() in ARCHIVES:
        raise UserError("{path} is an archive, which is not read.", "Unpack it, and choose the folder.", path)
    if (folder := yolo_folder(path)) is not None:
        return [read_yolo_folder(folder, reporter, budget)]
    if path.name == "metadata.csv" and is_kvasir(path.parent):
        return [_counted(read_kvasir(path.parent, reporter), budget)]
    return _of_content(path, reporter, budget)


def _counted(file: AnnotationFile, budget: Budget) -> AnnotationFile:
    budget.take_file(file)
    return file


def _of_content(path: Path, reporter: Reporter, budget: Budget, folder: str = "") -> list[AnnotationFile]:
    suffix = path.suffix.lower()
    if suffix in (".xml", ".json"):
        budget.take_bytes(path)
    if suffix == ".xml":
        root = read_xml(path, max_bytes=MAX_ANNOTATION_BYTES)
        if is_cvat(root):
            return [read_cvat(path, root, reporter, budget)]
        raise foreign_error(path) or UserError(
            "{path} is not an annotation file of CVAT.", "Export “CVAT for images” or “for video” 1.1.", path
        )
    found = [_counted(file, budget) for file in _json(path, reporter, folder)] if suffix == ".json" else []
    if not found and (error := foreign_error(path)) is not None:
        raise error
    return found


def _json(path: Path, reporter: Reporter, folder: str) -> list[AnnotationFile]:
    """Of a JSON file; `NaN` in it is no number, and spoils only the box that has it."""
    reporter.check()
    document = read_json(path, "annotation file", max_bytes=MAX_ANNOTATION_BYTES, constants={})
    if is_coco(document):
        return [read_coco(path, document, reporter)]
    if is_labelme(document):
        file = AnnotationFile(path, LABELME)
        add_labelme(file, document, folder)
        return [file]
    if is_via_3(document):
        raise UserError("{path} is a project of VIA 3, which is not read.", "Export it as COCO, or use VIA 2.", path)
    return [read_via(path, document, reporter)] if is_via(document) else []


def _folder(folder: Path, reporter: Reporter, budget: Budget) -> list[AnnotationFile]:
    """A data set of YOLO or Kvasir-Capsule; else its JSON and XML files, and those of its folders.

    A file that cannot be read is left out with a sentence, unless it is the only one.
    """
    if yolo_folder(folder) is not None:
        return [read_yolo_folder(folder, reporter, budget)]
    if is_kvasir(folder):
        return [_counted(read_kvasir(folder, reporter), budget)]
    paths = _annotation_paths(folder)
    found: list[AnnotationFile] = []
    labelme = AnnotationFile(folder, LABELME)
    errors: list[UserError] = []
    for done, path in enumerate(paths):
        reporter.check()
        reporter.progress(done, len(paths), "files", "reading")
        try:
            below = path.parent.relative_to(folder).as_posix()
            read = _of_content(path, reporter, budget, "" if below == "." else below)
        except ImportTooLargeError:
            raise
        except UserError as error:
            errors.append(error)
            continue
        for file in read:
            if file.format == labelme.format:
                labelme.take(file)
            else:
                found.append(file)
    found += [labelme] if labelme.images else []
    if errors and not found:
        raise errors[0]
    if errors:
        found[0].notes += [Text("A file is left out: {message}", error.message) for error in errors]
    return found


def _annotation_paths(folder: Path) -> list[Path]:
    """The files that may hold annotations, and those of other tools, below a folder; hidden ones are left out."""
    paths: list[Path] = []

    def fail(error: OSError) -> None:
        if error.filename == str(folder):
            said = Text("The folder {folder} cannot be read ({reason}).", folder, reason_of(error))
            raise UserError(said, "Check its permissions.") from error

    for place, folders, names in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths += [Path(place, name) for name in names if Path(name).suffix.lower() in SUFFIXES and name[0] != "."]
        if len(paths) > MAX_FILES:
            said = Text("{folder} holds more than {max_files:,} files of annotations.", folder, MAX_FILES)
            raise UserError(said, "Choose a folder below it.")
    return sorted(paths, key=lambda path: natural_key(str(path)))
