"""Recognises files of other tools by their content, to name them: they are not read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.json_text import parse_json, read_json
from training.texts import Text

HEAD_BYTES = 65_536
TEXT_LETTERS = 4096
"""At the beginning of a text, by which it is recognised."""
MAX_BYTES = 64 * 1024**2
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
        document = read_json(path, "annotation file", max_bytes=MAX_BYTES, constants={})
    except UserError:
        document = _first_line(text)
    first = document[0] if isinstance(document, list) and document else document
    if not isinstance(first, dict):
        return ""
    return next((tool for tool, is_it in _JSON if is_it(first, isinstance(document, list))), "")


def _first_line(text: str) -> object:
    """The value in the first line, where each line has one."""
    try:
        return parse_json(text.partition("\n")[0], {})
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
