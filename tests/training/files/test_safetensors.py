"""safetensors files made to do harm, and damaged ones."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

from training.errors import UserError
from training.files.safetensors import Announced, read_header
from training.files.tensors import load_tensors


def crafted(path: Path, header: bytes | dict[str, Any], data: bytes = b"") -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def entry(**changes: Any) -> dict[str, Any]:
    return {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]} | changes


def test_names_shapes_and_metadata_come_out(tmp_path: Path) -> None:
    save_file({"a": np.zeros((2, 3), np.float16), "b": np.zeros((), np.int64)}, tmp_path / "x", {"step": "4"})
    assert read_header(tmp_path / "x") == Announced({"a": (2, 3), "b": ()}, {"step": "4"})
    assert load_tensors(tmp_path / "x")["a"].dtype == torch.float16


CRAFTED: dict[str, tuple[bytes | dict[str, Any], bytes]] = {
    "deep": (b'{"a":' + b"[" * 100_000, b""),
    "closed and deep": (b'{"a":' + b"[" * 500 + b"]" * 500 + b"}", b""),
    "a list": (b"[1, 2]", b""),
    "no JSON": (b"{no", b""),
    "not UTF-8": (b'{"\xff\xfe": 1}', b""),
    "no entry": ({"a": 3}, b""),
    "lacks": ({"a": {"dtype": "F32"}}, b""),
    "negative size": ({"a": entry(shape=[-2, -3])}, bytes(24)),
    "fraction": ({"a": entry(shape=[2.0, 3])}, bytes(24)),
    "text as size": ({"a": entry(shape="23")}, bytes(24)),
    "true as size": ({"a": entry(shape=[True, 6])}, bytes(24)),
    "huge": ({"a": entry(shape=[2**40, 2**40])}, bytes(24)),
    "beyond": ({"a": entry(data_offsets=[0, 2**70])}, bytes(24)),
    "turned": ({"a": entry(data_offsets=[24, 0])}, bytes(24)),
    "gap": ({"a": entry(), "b": entry(data_offsets=[32, 56])}, bytes(56)),
    "overlap": ({"a": entry(), "b": entry()}, bytes(24)),
    "type": ({"a": entry(dtype="F8_E4M3", data_offsets=[0, 6])}, bytes(6)),
    "type as list": ({"a": entry(dtype=["F32"])}, bytes(24)),
    "cut": ({"a": entry()}, bytes(23)),
    "more": ({"a": entry()}, bytes(25)),
    "metadata": ({"__metadata__": {"step": 3}, "a": entry()}, bytes(24)),
    "metadata as list": ({"__metadata__": [], "a": entry()}, bytes(24)),
    "many dimensions": ({"a": entry(shape=[1] * 60 + [6])}, bytes(24)),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_headers_are_refused(tmp_path: Path, name: str) -> None:
    header, data = CRAFTED[name]
    path = crafted(tmp_path / "x.safetensors", header, data)
    for read in (read_header, load_tensors):
        with pytest.raises(UserError, match="is not a readable safetensors file"):
            read(path)


@pytest.mark.parametrize("content", [b"", b"\x02", b"\xff" * 8, (10).to_bytes(8, "little"), bytes(8), bytes(100)])
def test_lengths_that_cannot_be(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(UserError, match="not a readable safetensors file"):
        read_header(tmp_path / "x")


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(tmp_path: Path, wrong: float) -> None:
    save_file({"fine": np.ones(3, np.float32), "layer": np.array([1, wrong], np.float32)}, tmp_path / "x")
    with pytest.raises(UserError, match="weights layer hold numbers that are not finite"):
        load_tensors(tmp_path / "x")


def test_flipped_bits_and_cut_files_give_tensors_or_a_sentence(tmp_path: Path) -> None:
    save_file({"a": np.ones((2, 3), np.float32), "b": np.arange(4)}, tmp_path / "x", {"step": "4"})
    whole, path = (tmp_path / "x").read_bytes(), tmp_path / "y"
    choose, refused = random.Random(5), 0
    for number in range(1500):
        content = bytearray(whole)
        for _ in range(1 + number % 3):
            content[choose.randrange(len(whole))] ^= 1 << choose.randrange(8)
        path.write_bytes(content[: choose.randrange(len(whole))] if number % 10 == 0 else content)
        try:
            assert all(bool(torch.isfinite(tensor).all()) for tensor in load_tensors(path).values())
        except UserError:
            refused += 1
    assert refused > 700


def test_a_length_that_begins_as_a_pickle_does_is_still_a_length(tmp_path: Path) -> None:
    for length in (0x0280, 0x0380, 0x0480, 0x0580):
        header = json.dumps({"a": entry()}).encode()
        path = crafted(tmp_path / "x.safetensors", header + b" " * (length - len(header)), bytes(24))
        assert read_header(path).shapes == {"a": (2, 3)}
