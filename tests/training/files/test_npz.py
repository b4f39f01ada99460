""".npz files made to do harm, and damaged ones: declared arrays come out, or a sentence."""

import io
import json
import os
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib import format as npy
from numpy.typing import NDArray

from training.errors import UserError
from training.files.npz import JSON, Column, NpzError, json_of, read_npy, read_npz

COLUMNS = {"facts": JSON, "points": Column("<f4", ("N", 2)), "study": Column("<i4 <i8", ("N",))}


def written(path: Path, **changes: Any) -> Path:
    arrays: dict[str, Any] = {"facts": np.frombuffer(b'{"a": 1}', np.uint8)}
    arrays |= {"points": np.ones((5, 2), np.float32), "study": np.arange(5, dtype=np.int32)}
    with path.open("wb") as file:
        np.savez(file, **{name: value for name, value in (arrays | changes).items() if value is not None})
    return path


def raw(path: Path, name: str, content: bytes, compression: int = zipfile.ZIP_STORED) -> Path:
    """The same file with other bytes in the place of one array."""
    with zipfile.ZipFile(written(path)) as old:
        parts = {entry.filename: old.read(entry) for entry in old.infolist()}
    with zipfile.ZipFile(path, "w", compression) as new:
        for part, old_content in parts.items():
            new.writestr(part, content if part == f"{name}.npy" else old_content)
    return path


def array_bytes(header: bytes, rest: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + rest


def bytes_of(array: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    npy.write_array(file, array)
    return file.getvalue()


def test_declared_arrays_come_out_and_others_are_not_read(tmp_path: Path) -> None:
    path = written(tmp_path / "a.npz", more=np.array([{}], object))
    found = read_npz(path, COLUMNS)
    assert found.keys() == COLUMNS.keys()
    assert json_of(found["facts"]) == {"a": 1}
    found["points"][0] = 2  # of its own, not a view of the file's bytes
    columns_first = written(path, points=np.asfortranarray(np.arange(10, dtype=np.float32).reshape(5, 2)))
    assert np.array_equal(read_npz(columns_first, COLUMNS)["points"], np.arange(10).reshape(5, 2))


CRAFTED: dict[str, tuple[Callable[[Path], Path], str]] = {
    "missing": (lambda path: written(path, study=None), "has no study"),
    "objects": (lambda path: written(path, study=np.array([{}] * 5, object)), "holds object"),
    "another type": (lambda path: written(path, points=np.ones((5, 2))), "holds float64"),
    "text": (lambda path: written(path, study=np.array(["a"] * 5)), "holds <U1"),
    "rank": (lambda path: written(path, points=np.ones(5, np.float32)), "1 dimensions"),
    "columns": (lambda path: written(path, points=np.ones((5, 3), np.float32)), "length 3 instead of 2"),
    "rows": (lambda path: written(path, points=np.ones((4, 2), np.float32)), "length 5 instead of 4"),
    "compressed": (lambda path: raw(path, "study", bytes(10**6), zipfile.ZIP_DEFLATED), "is compressed"),
    "huge": (
        lambda path: raw(path, "study", array_bytes(header((10**12,)))),
        "does not have its stated size|has length",
    ),
    "negative": (lambda path: raw(path, "study", array_bytes(header((-5,)))), "damaged|dimensions|length of -5"),
    "long header": (lambda path: raw(path, "study", array_bytes(b"{" * 20_000)), "damaged"),
    "nested header": (lambda path: raw(path, "study", array_bytes(b"[" * 9_000)), "damaged"),
    "no header": (lambda path: raw(path, "study", b"\x93NUM"), "damaged"),
    "version": (lambda path: raw(path, "study", b"\x93NUMPY\x09\x00" + bytes(100)), "unknown format"),
    "short": (
        lambda path: raw(path, "points", bytes_of(np.ones((5, 2), np.float32))[:-4]),
        "does not have its stated size",
    ),
    "many parts": (lambda path: written(path, **{f"x{number}": np.zeros(1) for number in range(300)}), "too many"),
}


def header(shape: tuple[int, ...]) -> bytes:
    return repr({"descr": "<i4", "fortran_order": False, "shape": shape}).encode() + b"\n"


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_files_are_refused(tmp_path: Path, name: str) -> None:
    make, words = CRAFTED[name]
    path = make(tmp_path / "a.npz")
    with pytest.raises(NpzError, match=words):
        read_npz(path, COLUMNS)


@pytest.mark.parametrize("text", [b"[" * 100_000, b"[1]", b"{", b'{"a": NaN}', b"\xff"])
def test_a_description_that_is_none(tmp_path: Path, text: bytes) -> None:
    found = read_npz(written(tmp_path / "a.npz", facts=np.frombuffer(text, np.uint8)), COLUMNS)
    with pytest.raises(NpzError, match="description"):
        json_of(found["facts"])


def test_no_file_a_folder_and_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "none", tmp_path, tmp_path / "pipe"):
        with pytest.raises(UserError):
            read_npz(path, COLUMNS)


def test_one_array_as_a_file(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(4.0))
    assert np.array_equal(read_npy(tmp_path / "a.npy", Column("<f8", (4,))), np.arange(4.0))
    with pytest.raises(NpzError, match="length 4 instead of 5"):
        read_npy(tmp_path / "a.npy", Column("<f8", (5,)))
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(NpzError, match="damaged"):
        read_npy(tmp_path / "a.npy", Column("<f8", (4,)))


def test_flipped_bits_and_cut_files_give_arrays_or_a_sentence(tmp_path: Path) -> None:
    whole, path = written(tmp_path / "a.npz").read_bytes(), tmp_path / "b.npz"
    choose, refused = random.Random(3), 0
    for number in range(1500):
        content = bytearray(whole)
        for _ in range(1 + number % 3):
            content[choose.randrange(len(whole))] ^= 1 << choose.randrange(8)
        path.write_bytes(content[: choose.randrange(len(whole))] if number % 10 == 0 else content)
        try:
            found = read_npz(path, COLUMNS)
            assert found["points"].shape == (5, 2)
            json.dumps(json_of(found["facts"]))
        except NpzError:
            refused += 1
    assert refused > 700  # the zip's checksums find nearly all
