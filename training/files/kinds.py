"""The kinds of files that commands write, and how each is recognised by its content.

Nothing here trusts a file: it may be damaged, huge, or made to do harm. Only names and small texts are read.
"""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from training.files.inputs import regular_file
from training.files.json_text import MAX_JSON_BYTES, parse_json, read_json_object
from training.files.outputs import OutputKind
from training.files.png_text import png_text

WRITTEN_BY = "written_by"
"""Key of a JSON file that says which command wrote it."""
SOFTWARE = "Software"
"""Keyword of a PNG's text that says which part of the program wrote it."""

REID_EMBEDDINGS = "re-identification embeddings"
"""`kind` in the header of a file with the embeddings of a study's flagged frames."""
EXPLANATION_PICTURE = "wce_desktop explanation"
WINDOW_PICTURE = "wce_desktop window"
QUERIES = "wce_desktop evaluate-neighbours"


def _has_embedding_attributes(path: Path) -> bool:
    from training.files.hdf5 import read_content

    with path.open("rb", buffering=0) as file:
        attributes = read_content(file, path.stat().st_size, ()).attributes
    return {"schema_version", "model_sha256", "video_fingerprint", "frames_done"} <= attributes.keys()


def _is_reid_file(path: Path) -> bool:
    from training.files.safetensors import read_header

    return read_header(path).metadata.get("kind") == REID_EMBEDDINGS


def _has_clip_attributes(path: Path) -> bool:
    from training.files.hdf5 import read_content

    with path.open("rb", buffering=0) as file:
        attributes = read_content(file, path.stat().st_size, ()).attributes
    return {"clip_schema_version", "model_sha256", "video_fingerprint"} <= attributes.keys()


def _json_in_npz(path: Path, member: str) -> dict[str, Any]:
    """The JSON object that an array of bytes in an npz file holds."""
    import numpy as np

    with zipfile.ZipFile(path) as archive:
        found = archive.getinfo(f"{member}.npy")
        if found.file_size > MAX_JSON_BYTES:
            raise ValueError("too large")
        with archive.open(found) as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
    value = parse_json(array.tobytes())
    return value if isinstance(value, dict) else {}


def _is_index(path: Path) -> bool:
    return {"schema_version", "time_base", "fingerprint"} <= _json_in_npz(path, "header").keys()


def _npz_of(kind: str) -> Callable[[Path], bool]:
    return lambda path: _json_in_npz(path, "facts").get("kind") == kind


def _png_of(software: str) -> Callable[[Path], bool]:
    return lambda path: png_text(path, SOFTWARE) == software


def _json_of(writer: str) -> Callable[[Path], bool]:
    return lambda path: read_json_object(path).get(WRITTEN_BY) == writer


MAP_PARTS = re.compile(r"affinities\.npz|state\.npz|map-\d{6,}\.npy|\..*\.partial-.*")
"""Names of what lies beside a map while it is being made."""


def _holds_map_parts(folder: Path) -> bool:
    return all(MAP_PARTS.fullmatch(path.name) for path in folder.iterdir())


def _safely(is_ours: Callable[[Path], bool], *, is_folder: bool = False) -> Callable[[Path], bool]:
    """The same question, answered with no where a file cannot be read."""

    def answer(path: Path) -> bool:
        try:
            return is_ours(path if is_folder else regular_file(path))
        except Exception:  # whatever is wrong with the file, it is not what was written here
            return False

    return answer


_UNFINISHED = OutputKind("unfinished embedding file", _safely(_has_embedding_attributes))
_PARTS = OutputKind("folder of an unfinished map", _safely(_holds_map_parts, is_folder=True), is_folder=True)

EMBEDDING_FILE = OutputKind("embedding file", _safely(_has_embedding_attributes), {".partial": _UNFINISHED})
REID_FILE = OutputKind("file of re-identification embeddings", _safely(_is_reid_file))
CLIP_FILE = OutputKind(
    "clip file",
    _safely(_has_clip_attributes),
    {".partial": OutputKind("unfinished clip file", _safely(_has_clip_attributes))},
)
FRAME_INDEX = OutputKind("index", _safely(_is_index))
MAP_FILE = OutputKind("map", _safely(_npz_of("projection")), {".parts": _PARTS})
EVOLUTION_FILE = OutputKind("evolution", _safely(_npz_of("evolution")))
EXPLANATION_PNG = OutputKind("picture of an explanation", _safely(_png_of(EXPLANATION_PICTURE)))
WINDOW_PNG = OutputKind("picture of the window", _safely(_png_of(WINDOW_PICTURE)))
QUERIES_JSON = OutputKind("list of queries", _safely(_json_of(QUERIES)))
