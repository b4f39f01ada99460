"""Recognises annotation files by their content, and reads them; files of other tools are named and not read."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from training.datasets.annotations import coco, cvat_reader, kvasir, yolo
from training.datasets.annotations.content import AnnotationFile, Budget, ImportTooLargeError
from training.datasets.annotations.via_and_labelme import LABELME, add_labelme, is_labelme, is_via, is_via_3, read_via
from training.errors import UserError, reason_of
from training.files import json_text, markup_text
from training.runs.reporter import Reporter, SilentReporter, reported
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
    result = _folder(path, reporter, budget) if path.is_dir() else _file(path, reporter, budget)
    for file in result:
        file.drop_copies()
    return tuple(result)


def _file(path: Path, reporter: Reporter, budget: Budget) -> list[AnnotationFile]:
    if path.suffix.lower() in ARCHIVES:
        raise UserError("{path} is an archive, which is not read.", "Unpack it, and choose the folder.", path)
    if (folder := yolo.yolo_folder(path)) is not None:
        return [yolo.read_yolo_folder(folder, reporter, budget)]
    if path.name == "metadata.csv" and kvasir.is_kvasir(path.parent):
        return [_counted(kvasir.read_kvasir(path.parent, reporter), budget)]
    return _of_content(path, reporter, budget)


def _counted(file: AnnotationFile, budget: Budget) -> AnnotationFile:
    budget.take_file(file)
    return file


def _of_content(path: Path, reporter: Reporter, budget: Budget, folder: str = "") -> list[AnnotationFile]:
    suffix = path.suffix.lower()
    if suffix in (".xml", ".json"):
        budget.take_bytes(path)
    if suffix == ".xml":
        root = markup_text.read_xml(path, max_bytes=MAX_ANNOTATION_BYTES)
        if cvat_reader.is_cvat(root):
            return [cvat_reader.read_cvat(path, root, reporter, budget)]
        raise foreign_error(path) or UserError(
            "{path} is not an annotation file of CVAT.", "Export “CVAT for images” or “for video” 1.1.", path
        )
    result = [_counted(file, budget) for file in _json(path, reporter, folder)] if suffix == ".json" else []
    if not result and (error := foreign_error(path)) is not None:
        raise error
    return result


def _json(path: Path, reporter: Reporter, folder: str) -> list[AnnotationFile]:
    """Of a JSON file; `NaN` in it is no number, and spoils only the box that has it."""
    reporter.check()
    document = json_text.read_json(path, "annotation file", max_bytes=MAX_ANNOTATION_BYTES, constants={})
    if coco.is_coco(document):
        return [coco.read_coco(path, document, reporter)]
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
    if yolo.yolo_folder(folder) is not None:
        return [yolo.read_yolo_folder(folder, reporter, budget)]
    if kvasir.is_kvasir(folder):
        return [_counted(kvasir.read_kvasir(folder, reporter), budget)]
    paths = _annotation_paths(folder)
    result: list[AnnotationFile] = []
    labelme = AnnotationFile(folder, LABELME)
    errors: list[UserError] = []
    for path in reported(paths, reporter, "files", "reading", every=1):
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
                result.append(file)
    result += [labelme] if labelme.images else []
    if errors and not result:
        raise errors[0]
    if errors:
        result[0].notes += [Text("A file is left out: {message}", error.message) for error in errors]
    return result


def _annotation_paths(folder: Path) -> list[Path]:
    """The files that may hold annotations, and those of other tools, below a folder; hidden ones are left out."""
    paths: list[Path] = []

    def fail(error: OSError) -> None:
        if error.filename == str(folder):
            text = Text("The folder {folder} cannot be read ({reason}).", folder, reason_of(error))
            raise UserError(text, "Check its permissions.") from error

    for place, folders, names in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths += [Path(place, name) for name in names if Path(name).suffix.lower() in SUFFIXES and name[0] != "."]
        if len(paths) > MAX_FILES:
            text = Text("{folder} holds more than {max_files:,} files of annotations.", folder, MAX_FILES)
            raise UserError(text, "Choose a folder below it.")
    return sorted(paths, key=lambda path: natural_key(str(path)))


HEAD_BYTES = 65_536
TEXT_LETTERS = 4096
"""At the beginning of a text, by which it is recognised."""
MAX_FOREIGN_BYTES = 64 * 1024**2
READ = "COCO, CVAT, YOLO, VIA, LabelMe, Kvasir-Capsule and labels.csv"
WHAT_IS_READ = Text("Read are: {read}.", READ)


def foreign_tool(path: Path) -> str:
    """The tool or format that wrote a file which is not read; empty: none that is recognised.

    Files that cannot be opened are not recognised either.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except (OSError, ValueError):
        return ""
    binary = next((tool for tool, is_it in _BINARY if is_it(head)), "")
    if binary:
        return binary
    text = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace").lstrip()
    if text[:1] in ("{", "["):
        return _of_json(path, text)
    return next((tool for tool, pattern in _TEXT if pattern.match(text[:TEXT_LETTERS])), "")


def foreign_error(path: Path) -> UserError | None:
    """The sentence for a file of another tool; None where it is none."""
    tool = foreign_tool(path)
    return UserError(Text("{path} is a file of {tool}. It is not read.", path, tool), WHAT_IS_READ) if tool else None


def _of_json(path: Path, text: str) -> str:
    try:
        document = json_text.read_json(path, "annotation file", max_bytes=MAX_FOREIGN_BYTES, constants={})
    except UserError:
        document = _first_line(text)
    first = document[0] if isinstance(document, list) and document else document
    if not isinstance(first, dict):
        return ""
    return next((tool for tool, is_it in _JSON if is_it(first, isinstance(document, list))), "")


def _first_line(text: str) -> object:
    """The value in the first line, where each line has one."""
    try:
        return json_text.parse_json(text.partition("\n")[0], {})
    except ValueError:
        return None


def _has(*names: str) -> Callable[[Mapping[str, Any], bool], bool]:
    return lambda value, _: all(name in value for name in names)


def _columns(*names: str) -> re.Pattern[str]:
    """A first line that has all these columns, whatever stands between them."""
    return re.compile("".join(rf"(?=[^\r\n]*(?:^|[,;\t\"])\s*{re.escape(name)}[\s\"]*[,;\t\r\n])" for name in names))


def _root(name: str) -> re.Pattern[str]:
    """A document with this root; what stands before it is matched in one way only, as trying all takes for ever."""
    before = r"(?:(?><\?xml.*?\?>)\s*+|(?><!--.*?-->)\s*+|<!DOCTYPE[^>]*+>\s*+)*+"
    return re.compile(rf"{before}<{name}[\s>/]", re.DOTALL)


_BINARY: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
    ("SLEAP or DeepLabCut (HDF5)", lambda head: head.startswith(b"\x89HDF\r\n\x1a\n")),
    ("TensorFlow (TFRecord)", lambda head: head[4:8] == b"\0\0\0\0" and b"image/" in head[:4096]),
    ("Excel (XLSX)", lambda head: head.startswith(b"PK\x03\x04") and b"xl/" in head),
)

_JSON: tuple[tuple[str, Callable[[Mapping[str, Any], bool], bool]], ...] = (
    ("COCO results (predictions without images)", lambda v, many: many and "image_id" in v and "category_id" in v),
    ("Label Studio", lambda v, many: many and "data" in v and ("annotations" in v or "completions" in v)),
    ("Label Studio", lambda v, many: many and ("video" in v or "image" in v) and ("label" in v or "box" in v)),
    ("YouTube-VIS", _has("videos", "annotations", "categories")),
    ("BORIS", _has("observations", "behaviors_conf")),
    ("VIA 3", lambda v, _: all(isinstance(v.get(name), dict) for name in ("metadata", "file", "view", "attribute"))),
    ("Labelbox", lambda v, _: ("data_row" in v and "projects" in v) or ("Labeled Data" in v and "Label" in v)),
    ("Supervisely", lambda v, _: "objects" in v and ("size" in v or "framesCount" in v or "tags" in v)),
    ("Supervisely", _has("classes", "projectType")),
    ("Darwin (V7)", lambda v, _: "annotations" in v and "item" in v),
    ("Darwin (V7)", lambda v, _: isinstance(v.get("image"), dict) and "annotations" in v),
    ("VoTT", lambda v, _: "asset" in v and "regions" in v),
    ("VoTT", _has("assets", "videoSettings")),
    ("Scale AI or nuScenes", _has("sample_token", "category_name")),
    ("BDD100K (Scalabel)", _has("name", "labels", "attributes")),
    ("OpenLABEL", _has("openlabel")),
    ("CreateML", lambda v, many: many and "image" in v and "annotations" in v),
    ("SLEAP", _has("skeletons", "videos", "tracks")),
    ("Datumaro", _has("info", "categories", "items")),
)

_TEXT: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ELAN", _root("ANNOTATION_DOCUMENT")),
    ("ANVIL", _root("annotation[^>]*>\\s*<head>")),
    ("Pascal VOC", _root("annotation")),
    ("dlib (imglab)", _root("dataset")),
    ("ViPER", _root("viper")),
    ("BORIS", _columns("Observation id", "Behavior")),
    ("BORIS", re.compile(r"Observation id[\t,;]")),
    ("DeepLabCut", re.compile(r"scorer[,;\t]")),
    ("Label Studio", _columns("annotation_id", "annotator")),
    ("Roboflow or TensorFlow (CSV)", _columns("filename", "class", "xmin", "ymin", "xmax", "ymax")),
    ("VIA (CSV)", _columns("filename", "region_shape_attributes")),
    ("VIA 3 (CSV)", re.compile(r"# Exported using VGG Image Annotator|# CSV_HEADER")),
    ("RetinaNet or Open Images (CSV)", _columns("ImageID", "LabelName")),
    ("MOTChallenge", re.compile(r"\d+,-?\d+(?:,-?\d+(?:\.\d+)?){7,8}\s*[\r\n]")),
)
