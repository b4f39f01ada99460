"""Recognises annotation files by their content, and reads them."""

from __future__ import annotations

from pathlib import Path

from training.datasets.annotations.coco_reader import is_coco, read_coco
from training.datasets.annotations.content import AnnotationFile
from training.datasets.annotations.cvat_reader import is_cvat, read_cvat
from training.datasets.annotations.kvasir import is_kvasir, read_kvasir
from training.datasets.annotations.labelme_reader import add_labelme, is_labelme, new_labelme_file
from training.datasets.annotations.via_reader import is_via, is_via_3, read_via
from training.datasets.annotations.yolo import read_yolo_folder, yolo_folder
from training.errors import UserError
from training.files.json_text import read_json
from training.files.xml_text import read_xml
from training.runs.reporter import Reporter, SilentReporter
from training.video.formats import natural_key

MAX_ANNOTATION_BYTES = 64 * 1024**2
"""Of one file; 100,000 boxes take some 30 MB."""
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
FORMATS = "COCO, CVAT, YOLO, VIA, LabelMe"


def read_annotations(path: Path, reporter: Reporter | None = None) -> tuple[AnnotationFile, ...]:
    """Read a file, or all annotation files of a folder; none where the path holds no format of an annotation tool.

    Args:
        path: a JSON or XML file, a list of classes of YOLO, or a folder.
        reporter: receives progress, and can cancel.

    Raises:
        UserError: naming the file, for one that is damaged, too large, or of a version that is not read.
        Cancelled: the reporter asked to end.
    """
    reporter = reporter or SilentReporter()
    found = _folder(path, reporter) if path.is_dir() else _file(path, reporter)
    for file in found:
        file.drop_copies()
    return tuple(found)


def _file(path: Path, reporter: Reporter) -> list[AnnotationFile]:
    if path.suffix.lower() in ARCHIVES:
        raise UserError(f"{path} is an archive, which is not read.", "Unpack it, and choose the folder.")
    if (folder := yolo_folder(path)) is not None:
        return [read_yolo_folder(folder, reporter)]
    if path.suffix.lower() == ".xml":
        root = read_xml(path, max_bytes=MAX_ANNOTATION_BYTES)
        if not is_cvat(root):
            raise UserError(
                f"{path} is not an annotation file of CVAT.", "Export “CVAT for images” or “for video” 1.1."
            )
        return [read_cvat(path, root, reporter)]
    return _json(path, reporter) if path.suffix.lower() == ".json" else []


def _json(path: Path, reporter: Reporter) -> list[AnnotationFile]:
    reporter.check()
    document = read_json(path, "annotation file", max_bytes=MAX_ANNOTATION_BYTES)
    if is_coco(document):
        return [read_coco(path, document, reporter)]
    if is_labelme(document):
        file = new_labelme_file(path)
        add_labelme(file, document)
        return [file]
    if is_via_3(document):
        raise UserError(f"{path} is a project of VIA 3, which is not read.", "Export it as COCO, or use VIA 2.")
    return [read_via(path, document, reporter)] if is_via(document) else []


def _folder(folder: Path, reporter: Reporter) -> list[AnnotationFile]:
    """A data set of YOLO or Kvasir-Capsule; else its JSON and XML files, and those of its folder `annotations`."""
    if yolo_folder(folder) is not None:
        return [read_yolo_folder(folder, reporter)]
    if is_kvasir(folder):
        return [read_kvasir(folder, reporter)]
    paths = _annotation_paths(folder)
    found: list[AnnotationFile] = []
    labelme = new_labelme_file(folder)
    for done, path in enumerate(paths):
        reporter.check()
        reporter.progress(done, len(paths), "files", "reading")
        for file in _file(path, reporter):
            if file.format != labelme.format:
                found.append(file)
                continue
            labelme.images += file.images
            labelme.left_out += file.left_out
    return [*found, labelme] if labelme.images else found


def _annotation_paths(folder: Path) -> list[Path]:
    try:
        places = [folder, *(place for place in (folder / "annotations",) if place.is_dir())]
        paths = [path for place in places for path in place.iterdir() if path.suffix.lower() in (".json", ".xml")]
    except OSError as error:
        raise UserError(f"The folder {folder} cannot be read ({error.strerror}).", "Check its permissions.") from error
    return sorted((path for path in paths if not path.name.startswith(".")), key=lambda path: natural_key(str(path)))
