"""HDF5 files made to do harm, and damaged ones: a sentence, never a crash and never another file's bytes."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from tests.training.embeddings.samples import begin, go_on, rows
from training.embeddings.file import EmbeddingFile
from training.embeddings.writer import EmbeddingWriter, partial_header, partial_path
from training.errors import UserError

Change = Callable[[h5py.File], object]


def _replaced(name: str, **settings: object) -> Change:
    def change(file: h5py.File) -> None:
        del file[name]
        file.create_dataset(name, **settings)

    return change


def _with(name: str, value: object) -> Change:
    def change(file: h5py.File) -> None:
        del file[name]
        file[name] = value

    return change


def _attribute(name: str, value: object, **settings: object) -> Change:
    def change(file: h5py.File) -> None:
        del file.attrs[name]
        file.attrs.create(name, value, **settings)

    return change


def _written(name: str, row: object, value: float) -> Change:
    def change(file: h5py.File) -> None:
        file[name][row] = value

    return change


def _compact(file: h5py.File) -> None:
    del file["frame_index"]
    settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    settings.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple((50,))
    h5py.h5d.create(file.id, b"frame_index", h5py.h5t.NATIVE_INT64, space, settings)


def _virtual(file: h5py.File) -> None:
    del file["embeddings"]
    layout = h5py.VirtualLayout((50, 16), "<f2")
    layout[:] = h5py.VirtualSource("/etc/passwd", "x", (50, 16), "<f2")
    file.create_virtual_dataset("embeddings", layout)


CRAFTED: dict[str, tuple[Change, str]] = {
    "texts": (_replaced("embeddings", shape=(50, 16), dtype=h5py.string_dtype()), "numbers of a known type"),
    "references": (_replaced("embeddings", shape=(50, 16), dtype=h5py.ref_dtype), "numbers of a known type"),
    "lists": (_replaced("embeddings", shape=(50, 16), dtype=h5py.vlen_dtype("f2")), "numbers of a known type"),
    "records": (_replaced("embeddings", shape=(50, 16), dtype=[("a", "f2")]), "numbers of a known type"),
    "big endian": (_replaced("embeddings", shape=(50, 16), dtype=">f2"), "numbers of a known type"),
    "doubles": (_replaced("embeddings", shape=(50, 16), dtype="<f8", data=np.zeros((50, 16))), "which is wrong"),
    "integers": (_replaced("embeddings", data=np.zeros((50, 16), "<i8")), "which is wrong"),
    "one dimension": (_replaced("embeddings", data=np.zeros(50, "<f2")), "1 dimensions"),
    "six dimensions": (_replaced("embeddings", data=np.zeros((50, 1, 1, 1, 1, 1), "<f2")), "number of dimensions"),
    "scalar": (_with("embeddings", np.float16(1)), "number of dimensions"),
    "no columns": (_replaced("embeddings", shape=(50, 0), dtype="<f2"), "length of its embeddings"),
    "short frame_index": (_replaced("frame_index", data=np.arange(7)), "50 rows for 7 frames|7 rows|50"),
    "missing": (lambda file: file.pop("embeddings"), "no table embeddings"),
    "no frame_index": (lambda file: file.pop("frame_index"), "no table frame_index"),
    "group": (lambda file: (file.pop("embeddings"), file.create_group("embeddings")), "is a group"),
    "loop": (lambda file: (file.pop("embeddings"), file.__setitem__("embeddings", file["/"])), "is a group"),
    "soft link": (_with("embeddings", h5py.SoftLink("/cams")), "is a link"),
    "link loop": (_with("embeddings", h5py.SoftLink("/embeddings")), "is a link"),
    "external link": (_with("embeddings", h5py.ExternalLink("/etc/passwd", "/x")), "HDF5 file: "),
    "external storage": (
        _replaced("embeddings", shape=(50, 16), dtype="<f2", external=[("/etc/passwd", 0, 1600)]),
        "stored outside",
    ),
    "virtual": (_virtual, "HDF5 file: "),
    "compact": (_compact, "not stored contiguously"),
    "columns of scores": (_replaced("scores", data=np.zeros((50, 7), "<f4")), "scores is of a wrong shape"),
    "flat CAMs": (_replaced("cams", data=np.zeros((50, 3, 2, 9), "<f2")), "cams is of a wrong shape"),
    "frames descend": (_written("frame_index", slice(None), 3), "is not ascending"),
    "negative frame": (_written("frame_index", 0, -1), "is not ascending"),
    "endless time": (_written("video_seconds", 3, np.inf), "not finite"),
    "classes as references": (
        lambda file: file.attrs.__setitem__("classes", file.ref),
        "attribute classes",
    ),
    "classes as records": (_attribute("classes", np.zeros(3, [("a", "f2")])), "attribute classes"),
    "classes as numbers": (_attribute("classes", 3), "attribute classes"),
    "many classes": (_attribute("classes", ["a"] * 4000, dtype=h5py.string_dtype()), "HDF5 file: |damaged"),
    "a number as text": (_attribute("schema_version", "1"), "without embeddings"),
    "progress as text": (_attribute("complete", "yes"), "progress"),
    "progress beyond the end": (_attribute("frames_done", 51), "number of its frames"),
    "deep preprocessing": (_attribute("preprocessing", "[" * 100_000), "preprocessing|HDF5 file: "),
    "preprocessing as a list": (_attribute("preprocessing", "[1]"), "preprocessing"),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_files_are_refused_with_a_sentence(tmp_path: Path, name: str) -> None:
    change, words = CRAFTED[name]
    path = go_on(begin(tmp_path / "a.h5"))
    with h5py.File(path, "r+", libver=("earliest", "latest")) as file:
        change(file)
    with pytest.raises(UserError, match=words):
        EmbeddingFile.open(path)


@pytest.mark.parametrize("name", ["texts", "external storage", "loop", "short frame_index", "progress beyond the end"])
def test_an_unfinished_file_is_checked_before_it_is_gone_on_with(tmp_path: Path, name: str) -> None:
    writer = begin(tmp_path / "a.h5")
    writer.append(rows(0, 8))
    writer.close()
    with h5py.File(partial_path(writer.path), "r+", libver=("earliest", "v108")) as file:
        CRAFTED[name][0](file)
    for read in (EmbeddingWriter.resume, partial_header):
        with pytest.raises(UserError, match=f"cannot be read: .*({CRAFTED[name][1]})"):
            read(writer.path)


def test_files_in_the_newest_form_are_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w", libver="latest") as file:
        file.attrs["schema_version"] = 1
    with pytest.raises(UserError, match="form that this program does not write"):
        EmbeddingFile.open(tmp_path / "a.h5")


def test_scores_that_are_none(tmp_path: Path) -> None:
    path = go_on(begin(tmp_path / "a.h5"))
    with h5py.File(path, "r+") as file:
        file["scores"][4] = np.inf
    with EmbeddingFile.open(path) as read, pytest.raises(UserError, match=r"scores are not in \[0, 1\]"):
        assert read.scores is not None


def test_a_pipe_and_a_folder_are_no_embedding_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.h5")
    for path in (tmp_path / "pipe.h5", tmp_path):
        with pytest.raises(UserError, match="not a embedding file"):
            EmbeddingFile.open(path)


def test_flipped_bits_and_cut_files_give_numbers_or_a_sentence(tmp_path: Path) -> None:
    whole, path = go_on(begin(tmp_path / "a.h5")).read_bytes(), tmp_path / "b.h5"
    choose, refused = random.Random(11), 0
    for number in range(1500):
        content = bytearray(whole)
        for _ in range(1 + number % 4):
            content[choose.randrange(len(whole))] ^= 1 << choose.randrange(8)
        path.write_bytes(content[: choose.randrange(len(whole))] if number % 10 == 0 else content)
        try:
            with EmbeddingFile.open(path) as file:
                assert len(file.embeddings) == len(file.missing) == len(file)
                assert file.scores is None or len(file.scores) == len(file)
        except UserError:
            refused += 1
    assert 150 < refused < 1500


def test_reading_needs_no_hdf5_library(tmp_path: Path) -> None:
    path = go_on(begin(tmp_path / "a.h5"))
    code = (
        "import sys; from pathlib import Path; from training.embeddings.file import EmbeddingFile;"
        f"EmbeddingFile.open(Path({str(path)!r})).embeddings[:].sum(); sys.exit('h5py' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
