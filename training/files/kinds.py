"""The kinds of files that commands write, and how each is recognised by its content.

Nothing here trusts a file: it may be damaged, huge, or made to do harm. Only names and small texts are read.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from training.files.inputs import regular_file
from training.files.json_text import MAX_JSON_BYTES, parse_json, read_json_object
from training.files.outputs import OutputKind

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 64
MAX_TEXT_BYTES = 4096
_HEADER_END = len(SIGNATURE) + 25  # the chunk IHDR: length, type, 13 bytes, checksum


def with_png_text(png: bytes, keyword: str, text: str) -> bytes:
    """A PNG with one more tEXt chunk behind its header.

    Args:
        keyword: 1 to 79 Latin-1 characters.
        text: Latin-1.
    """
    content = b"tEXt" + keyword.encode("latin-1") + b"\0" + text.encode("latin-1")
    chunk = struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))
    return png[:_HEADER_END] + chunk + png[_HEADER_END:]


def png_text(path: Path, keyword: str) -> str | None:
    """The text of a keyword in a PNG's first chunks, before its pixels; None where there is none, or no PNG."""
    with path.open("rb") as file:
        if file.read(len(SIGNATURE)) != SIGNATURE:
            return None
        for _ in range(MAX_CHUNKS):
            head = file.read(8)
            if len(head) < 8 or head[4:] in (b"IDAT", b"IEND"):
                return None
            length = int.from_bytes(head[:4], "big")
            if head[4:] == b"tEXt" and length <= MAX_TEXT_BYTES:
                name, _, text = file.read(length).partition(b"\0")
                if name == keyword.encode("latin-1"):
                    return text.decode("latin-1")
                file.seek(4, 1)
            else:
                file.seek(length + 4, 1)
    return None


WRITTEN_BY = "written_by"
"""Key of a JSON file that says which command wrote it."""
SOFTWARE = "Software"
"""Keyword of a PNG's text that says which part of the program wrote it."""

REID_EMBEDDINGS = "re-identification embeddings"
"""`kind` in the header of a file with the embeddings of a study's flagged frames."""
EXPLANATION_PICTURE = "wce_desktop explanation"
WINDOW_PICTURE = "wce_desktop window"
QUERIES = "wce_desktop evaluate-neighbours"
SUGGESTED = ("undecided", "distance", "nearest_label")
"""Last columns of a list of frames to label."""


def _has_attributes(*names: str) -> Callable[[Path], bool]:
    """Whether an HDF5 file has these attributes, beside those of every file of embeddings."""

    def answer(path: Path) -> bool:
        from training.files.hdf5 import read_content

        with path.open("rb", buffering=0) as file:
            attributes = read_content(file, path.stat().st_size, ()).attributes
        return {"model_sha256", "video_fingerprint", *names} <= attributes.keys()

    return answer


def _is_reid_file(path: Path) -> bool:
    from training.files.safetensors import read_header

    return read_header(path).metadata.get("kind") == REID_EMBEDDINGS


def _json_in_npz(path: Path, member: str) -> dict[str, Any]:
    """The JSON object that an array of bytes in an npz file holds."""
    import numpy as np

    with zipfile.ZipFile(path) as archive:
        result = archive.getinfo(f"{member}.npy")
        if result.file_size > MAX_JSON_BYTES:
            raise ValueError("too large")
        with archive.open(result) as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
    value = parse_json(array.tobytes())
    return value if isinstance(value, dict) else {}


def _first_line(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline(MAX_TEXT_BYTES).strip()


def _npz_of(kind: str) -> Callable[[Path], bool]:
    return lambda path: _json_in_npz(path, "facts").get("kind") == kind


def _png_of(software: str) -> Callable[[Path], bool]:
    return lambda path: png_text(path, SOFTWARE) == software


def _is_list_to_label(path: Path) -> bool:
    with path.open(encoding="utf-8-sig") as file:
        return file.readline(MAX_TEXT_BYTES).strip().endswith(",".join(SUGGESTED))


MAP_PARTS = re.compile(r"affinities\.npz|state\.npz|map-\d{6,}\.npy|\..*\.partial-.*")
"""Names of what lies beside a map while it is being made."""


def _safely(is_ours: Callable[[Path], bool], *, is_folder: bool = False) -> Callable[[Path], bool]:
    """The same question, answered with no where a file cannot be read."""

    def answer(path: Path) -> bool:
        try:
            return is_ours(path if is_folder else regular_file(path))
        except Exception:  # whatever is wrong with the file, it is not what was written here
            return False

    return answer


_is_embedding_file = _safely(_has_attributes("schema_version", "frames_done"))
_is_clip_file = _safely(_has_attributes("clip_schema_version"))
_PARTS = OutputKind(
    "folder of an unfinished map",
    _safely(lambda folder: all(MAP_PARTS.fullmatch(path.name) for path in folder.iterdir()), is_folder=True),
    is_folder=True,
)

EMBEDDING_FILE = OutputKind(
    "embedding file", _is_embedding_file, {".partial": OutputKind("unfinished embedding file", _is_embedding_file)}
)
REID_FILE = OutputKind("file of re-identification embeddings", _safely(_is_reid_file))
CLIP_FILE = OutputKind("clip file", _is_clip_file, {".partial": OutputKind("unfinished clip file", _is_clip_file)})
_INDEX_FACTS = {"schema_version", "time_base", "fingerprint"}
FRAME_INDEX = OutputKind("index", _safely(lambda path: _json_in_npz(path, "header").keys() >= _INDEX_FACTS))
MAP_FILE = OutputKind("map", _safely(_npz_of("projection")), {".parts": _PARTS})
EVOLUTION_FILE = OutputKind("evolution", _safely(_npz_of("evolution")))
EXPLANATION_PNG = OutputKind("picture of an explanation", _safely(_png_of(EXPLANATION_PICTURE)))
WINDOW_PNG = OutputKind("picture of the window", _safely(_png_of(WINDOW_PICTURE)))
QUERIES_JSON = OutputKind("list of queries", _safely(lambda path: read_json_object(path).get(WRITTEN_BY) == QUERIES))
CLEANING_COLUMNS = (
    "kind", "study", "frame", "seconds", "filename", "label", "suggested_label", "self_confidence", "margin",
    "other_study", "other_frame", "other_seconds", "other_filename", "distance",
)  # fmt: skip
"""Of the list that `clean` writes."""
CLEANING_LIST = OutputKind("list of clean", _safely(lambda path: _first_line(path) == ",".join(CLEANING_COLUMNS)))
SUGGESTIONS_CSV = OutputKind("list of frames to label", _safely(_is_list_to_label))
