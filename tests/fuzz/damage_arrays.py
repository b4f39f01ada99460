"""Ways to damage files of arrays: HDF5, npz and safetensors whose parts have another type, shape, place or value."""

import io
import json
import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from tests.fuzz.damage_files import Way
from tests.fuzz.damage_text import change_json
from tests.fuzz.values import DEEP, DEEP_OBJECT

DTYPES = ("i8", "u1", "f8", ">f2", "f4", "c16", "?", "S7", "U3", "V5", "M8[s]", [("a", "f4"), ("b", "i2")])
NUMBERS = (float("nan"), float("inf"), float("-inf"), -1.0, 0.0, 1e30, 65504.0, 1e-30)


def hdf5_dataset(path: Path, rng: random.Random) -> None:
    """A dataset that is gone, a group, a link, or of another type or shape."""
    with h5py.File(path, "r+") as file:
        names = [name for name, item in file.items() if isinstance(item, h5py.Dataset)]
        name = rng.choice(names)
        values = file[name][...]
        del file[name]
        rng.choice(_HDF5_DATASETS)(file, name, values, rng)


def _gone(file: Any, name: str, values: Any, rng: random.Random) -> None:
    pass


def _group(file: Any, name: str, values: Any, rng: random.Random) -> None:
    file.create_group(name)


def _strings(file: Any, name: str, values: Any, rng: random.Random) -> None:
    made = file.create_dataset(name, values.shape, h5py.string_dtype())
    made[...] = "a text of some length"


def _references(file: Any, name: str, values: Any, rng: random.Random) -> None:
    file.create_dataset(name, values.shape, rng.choice((h5py.ref_dtype, h5py.regionref_dtype, h5py.vlen_dtype("f4"))))


def _hard_loop(file: Any, name: str, values: Any, rng: random.Random) -> None:
    file[name] = file["/"]


def _soft_link(file: Any, name: str, values: Any, rng: random.Random) -> None:
    file[name] = h5py.SoftLink(rng.choice((f"/{name}", "/nothing", "/scores", "/")))


def _external_link(file: Any, name: str, values: Any, rng: random.Random) -> None:
    here = Path(file.filename)
    other = here.parents[1].with_name("inputs") / "P02.h5"
    file[name] = h5py.ExternalLink(rng.choice((str(other), "P02.h5", here.name, "/nothing")), f"/{name}")


def _external_storage(file: Any, name: str, values: Any, rng: random.Random) -> None:
    other = Path(file.filename).parents[1].with_name("inputs") / "studies" / "videos" / "P01.mp4"
    file.create_dataset(name, values.shape, values.dtype, external=[(str(other), 0, h5py.h5f.UNLIMITED)])


def _virtual(file: Any, name: str, values: Any, rng: random.Random) -> None:
    other = Path(file.filename).parents[1].with_name("inputs") / "P02.h5"
    layout = h5py.VirtualLayout(values.shape, values.dtype)
    layout[...] = h5py.VirtualSource(str(other), name, values.shape)
    file.create_virtual_dataset(name, layout)


def _other_type(file: Any, name: str, values: Any, rng: random.Random) -> None:
    kind = np.dtype(rng.choice([one for one in DTYPES if one not in ("U3", "M8[s]")]))
    file.create_dataset(name, values.shape, kind)


def _other_shape(file: Any, name: str, values: Any, rng: random.Random) -> None:
    shape = rng.choice(
        ((), (0,), (3,), (0, 4), (3, 3, 3, 3, 3), (*values.shape, 1), values.shape[:1], (1, *values.shape))
    )
    file.create_dataset(name, shape, values.dtype)


def _short(file: Any, name: str, values: Any, rng: random.Random) -> None:
    file.create_dataset(name, data=values[: rng.randrange(len(values))])


def _huge(file: Any, name: str, values: Any, rng: random.Random) -> None:
    shape = rng.choice(((2**40, *values.shape[1:]), (len(values), 2**33), (2**31, 2**20)))
    file.create_dataset(name, shape, values.dtype, chunks=tuple(min(side, 64) for side in shape))


def _null(file: Any, name: str, values: Any, rng: random.Random) -> None:
    file.create_dataset(name, data=h5py.Empty(values.dtype))


def _filtered(file: Any, name: str, values: Any, rng: random.Random) -> None:
    options: dict[str, Any] = rng.choice(
        ({"compression": "gzip"}, {"compression": "lzf"}, {"scaleoffset": 1}, {"fletcher32": True}, {"shuffle": True})
    )
    if "scaleoffset" in options and values.dtype.kind != "i":
        options = {"compression": "gzip"}
    file.create_dataset(name, data=values, chunks=tuple(max(1, side // 2) for side in values.shape), **options)


def _other_values(file: Any, name: str, values: Any, rng: random.Random) -> None:
    flat = values.reshape(-1).copy()
    with np.errstate(all="ignore"):
        for _ in range(rng.choice((1, 5))):
            flat[rng.randrange(flat.size)] = np.asarray(rng.choice(NUMBERS)).astype(values.dtype)
    file.create_dataset(name, data=flat.reshape(values.shape))


_HDF5_DATASETS: tuple[Callable[[Any, str, Any, random.Random], None], ...] = (
    _gone,
    _group,
    _strings,
    _references,
    _hard_loop,
    _soft_link,
    _external_link,
    _external_storage,
    _virtual,
    _other_type,
    _other_shape,
    _short,
    _huge,
    _null,
    _filtered,
    _other_values,
)


def hdf5_attribute(path: Path, rng: random.Random) -> None:
    """A fact in the header that is gone, or of another kind."""
    with h5py.File(path, "r+") as file:
        name = rng.choice(list(file.attrs))
        before = file.attrs[name]
        del file.attrs[name]
        values: tuple[Any, ...] = (
            None,
            -1,
            2**62,
            float("nan"),
            "",
            "x",
            b"\xff\xfe",
            DEEP,
            DEEP_OBJECT,
            [1, 2, 3],
            [],
        )
        values += ("{}", "null", "x" * 60_000, np.float32(3), h5py.Empty("f4"), ["a", "b"], True)
        value = rng.choice(values)
        if isinstance(before, str) and before.startswith("{") and rng.random() < 0.7:
            value = json.dumps(change_json(json.loads(before), rng))
        if value is not None:
            file.attrs[name] = value[:60_000] if isinstance(value, str) else value


def npz_array(path: Path, rng: random.Random) -> None:
    """An array that is gone, or of another type, shape or value."""
    arrays = _read_npz(path)
    name = rng.choice(list(arrays))
    values, how = arrays[name], rng.randrange(6)
    if how == 0:
        del arrays[name]
    elif how == 1:
        arrays[name] = np.zeros(values.shape, np.dtype(rng.choice(DTYPES)))
    elif how == 2:
        arrays[name] = np.zeros(rng.choice(((), (0,), (3,), (2, 2), (1, 2, 3, 4), (*values.shape, 2))), values.dtype)
    elif how == 3:
        arrays[name] = np.array([{"a": 1}, None], dtype=object)
    elif how == 4:
        arrays[name] = values[: len(values) // 2] if values.ndim else values
    elif values.size:
        flat = values.reshape(-1).copy()
        with np.errstate(all="ignore"):
            flat[rng.randrange(flat.size)] = np.asarray(rng.choice(NUMBERS)).astype(values.dtype)
        arrays[name] = flat.reshape(values.shape)
    _write_npz(path, arrays)


def npz_facts(path: Path, rng: random.Random) -> None:
    """Facts, kept as JSON in an array of bytes, that are other than was expected."""
    arrays = _read_npz(path)
    name = next(name for name in arrays if arrays[name].dtype == np.uint8)
    facts = json.loads(arrays[name].tobytes())
    text = rng.choice(
        (json.dumps(change_json(facts, rng)), json.dumps(change_json(facts, rng)), DEEP, DEEP_OBJECT, "{", "")
    )
    arrays[name] = np.frombuffer(text.encode("utf-8", errors="replace"), np.uint8)
    _write_npz(path, arrays)


def npz_member(path: Path, rng: random.Random) -> None:
    """Members of the archive that claim more than there is, stand there twice, or lie in other folders."""
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    name, how = rng.choice(list(members)), rng.randrange(6)
    extra: list[tuple[str, bytes]] = []
    if how == 0:
        members[name] = _forged_npy(rng)
    elif how == 1:
        members[name] = rng.randbytes(100)
    elif how == 2:
        members[name] = b""
    elif how == 3:
        extra = [(name, members[name]), ("../../x.npy", members[name])]
    elif how == 4:
        members[name] = members[name][: len(members[name]) // 2]
    else:
        extra = [("bomb.npy", bytes(30_000_000))]
    with zipfile.ZipFile(path, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for member, content in (*members.items(), *extra):
            info = zipfile.ZipInfo(f"{member}", (2026, 1, 1, 0, 0, 0))
            archive.writestr(info, content, archive.compression)


def _forged_npy(rng: random.Random) -> bytes:
    """An array whose header claims what does not follow."""
    shape = rng.choice(("(1000000000000,)", "(-1,)", "(2, 3", "(True,)", "((1,),)", "(18446744073709551616,)", "(3,)"))
    kind = rng.choice(("'<f8'", "'|O'", "'<U1000000000'", "'|V0'", "[('a', '<f4')]", "'x'", "1"))
    header = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}"
    header = rng.choice((header, header, "{" * 3000, "__import__('os')", header.replace("False", "7")))
    header = header + " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(24)


def _read_npz(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _write_npz(path: Path, arrays: dict[str, Any]) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=True, **arrays)
    path.write_bytes(buffer.getvalue())


def safetensors_header(path: Path, rng: random.Random) -> None:
    """Another header over the same bytes: tensors gone, of another type or shape, or in other places."""
    header, body = _read_safetensors(path)
    tensors = [name for name in header if name != "__metadata__"]
    name, how = rng.choice(tensors or ["x"]), rng.randrange(7)
    if how == 0:
        header = change_json(header, rng)
    elif how == 1:
        header.pop(name, None)
    elif how == 2 and tensors:
        header[name]["dtype"] = rng.choice(("F64", "I8", "BOOL", "BF16", "F8_E4M3", "X", 1, None))
    elif how == 3 and tensors:
        header[name]["data_offsets"] = rng.choice(([0, 0], [0, 2**63], [-4, 4], [8, 0], [0], "x", [0, 4], [0.5, 1]))
    elif how == 4 and tensors:
        header[name]["shape"] = rng.choice(([], [0], [2**40], [2**32, 2**32], [-1], [1.5], "x", [1] * 100, None))
    elif how == 5:
        header["__metadata__"] = rng.choice(
            ({}, {"step": "x"}, {"step": 1}, [], "x", {"step": "-1"}, {"numbers": DEEP})
        )
    else:
        header["__metadata__"] = change_json(header.get("__metadata__", {"a": "b"}), rng)
    _write_safetensors(path, json.dumps(header).encode(), body)


def safetensors_length(path: Path, rng: random.Random) -> None:
    """A length of the header that is not its length, or a header that is no JSON object."""
    header, body = _read_safetensors(path)
    text = json.dumps(header).encode()
    length = rng.choice((0, 1, len(text) + 8, len(text) - 1, 2**63, 2**64 - 1, 100_000_001, None))
    text = (
        text if length is not None else rng.choice((DEEP.encode(), DEEP_OBJECT.encode(), b"[]", b"null", b"\xff" * 20))
    )
    _write_safetensors(path, text, body, length)


def safetensors_values(path: Path, rng: random.Random) -> None:
    """Weights that are no finite numbers, or all zero."""
    header, body = _read_safetensors(path)
    content = bytearray(body)
    half = rng.choice((b"\x00\x7e", b"\x00\x7c", b"\x00\xfc", b"\xff\xff"))  # nan, inf, -inf as float16; nan as float32
    for _ in range(rng.choice((1, 1000))):
        place = rng.randrange(len(content) // 4) * 4
        content[place : place + 4] = half * 2 if len(half) == 2 else half
    _write_safetensors(path, json.dumps(header).encode(), bytes(content))


def _read_safetensors(path: Path) -> tuple[dict[str, Any], bytes]:
    content = path.read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def _write_safetensors(path: Path, header: bytes, body: bytes, length: int | None = None) -> None:
    path.write_bytes(struct.pack("<Q", len(header) if length is None else length) + header + body)


HDF5_WAYS: tuple[Way, ...] = (hdf5_dataset, hdf5_dataset, hdf5_dataset, hdf5_attribute)
NPZ_WAYS: tuple[Way, ...] = (npz_array, npz_array, npz_facts, npz_member)
SAFETENSORS_WAYS: tuple[Way, ...] = (safetensors_header, safetensors_header, safetensors_length, safetensors_values)
