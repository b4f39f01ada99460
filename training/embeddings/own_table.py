"""Tables of embeddings or scores from other programs: NumPy, HDF5, Parquet and CSV. Long ones are read in parts."""

import re
import struct
import tokenize
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from training.errors import UserError
from training.files.delimited import MAX_TABLE_BYTES, first_line, read_table
from training.files.inputs import regular_file
from training.texts import Text

ROWS = 1024
"""That are read together."""
FRAME, SECONDS = ("frame_index", "frame"), ("seconds", "video_seconds")
"""What a column that says where a row belongs may be called."""
EMBEDDINGS, SCORES, CLASSES = ("embeddings", "embedding"), ("scores",), ("classes",)
"""What the other arrays of NumPy archives and HDF5 files may be called."""
EXPORT_AGAIN = "Export it again, see “File formats” in the documentation."
_NUMBERED = re.compile(r"e(\d+)")
_DAMAGED = (ValueError, OSError, EOFError, KeyError, RuntimeError, TypeError, zipfile.BadZipFile, struct.error)

Part = tuple[NDArray[Any] | None, NDArray[Any] | None]
"""Embeddings (K, D) and scores (K, C) of successive rows."""


@dataclass(frozen=True)
class OwnTable:
    """A table whose head was read.

    Attributes:
        rows: R
        frame_index: (R,) as it stands in the file; None: it has none.
        seconds: (R,) likewise.
        embedding_size: D; 0: there are scores only.
        classes: names of the columns of the scores; empty: there are embeddings only.
        parts: reads the rows in their order.
    """

    path: Path
    rows: int
    frame_index: NDArray[Any] | None
    seconds: NDArray[Any] | None
    embedding_size: int
    classes: tuple[str, ...]
    parts: Callable[[], Iterator[Part]]


def open_table(path: Path) -> OwnTable:
    """Read the head of a table of any of the formats, which its suffix names.

    Raises:
        UserError: no such file, or damaged; of another format; without embeddings and scores; with values that are no
            numbers; a package is missing that reads it.
    """
    regular_file(path)
    readers = {
        ".npy": _open_array,
        ".npz": _open_archive,
        ".h5": _open_hdf5,
        ".hdf5": _open_hdf5,
        ".parquet": _open_parquet,
        ".csv": _open_csv,
        ".tsv": _open_csv,
    }
    if path.suffix.lower() not in readers:
        raise UserError("{path} is no table of a known format.", "Give one of: {suffixes}.", path, ", ".join(readers))
    with _sentences(path):
        return readers[path.suffix.lower()](path)


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except (*_DAMAGED, SyntaxError, tokenize.TokenError, MemoryError) as error:
        reason = str(error).partition("\n")[0][:200] or type(error).__name__
        raise UserError("{path} cannot be read ({reason}).", EXPORT_AGAIN, path, reason) from error


def _named(path: Path, shapes: Mapping[str, tuple[int, ...]], names: Sequence[str]) -> str:
    """Which of the names there is; empty: none. Raises `UserError` for several."""
    result = [name for name in names if name in shapes]
    if len(result) > 1:
        raise UserError("{path} has both {first} and {second}.", "Keep one of them.", path, *result[:2])
    return result[0] if result else ""


def _of_arrays(
    path: Path,
    shapes: Mapping[str, tuple[int, ...]],
    whole: Callable[[str], NDArray[Any]],
    blocks: Callable[[str], Iterator[NDArray[Any]]],
    names: Sequence[str] = (),
) -> OwnTable:
    """A table of named arrays: `whole` reads one, `blocks` its rows in parts; `names`: of the classes."""
    embeddings, scores = _named(path, shapes, EMBEDDINGS), _named(path, shapes, SCORES)
    for name in filter(None, (embeddings, scores)):
        if len(shapes[name]) != 2 or not shapes[name][1]:
            raise UserError(
                "{path}: {name} has the shape {shape}.", "It must be a row for each frame.", path, name, shapes[name]
            )
    if not embeddings and not scores:
        raise UserError("{path} has no array {name}.", EXPORT_AGAIN, path, EMBEDDINGS[0])
    if classes := _named(path, shapes, CLASSES):
        names = [_text(value) for value in whole(classes).tolist()]
    if scores and len(names) != shapes[scores][1]:
        raise UserError(
            "{path} has scores in {count} columns and the names of {names} classes.",
            "Name the class of each column in the array classes.",
            path,
            shapes[scores][1],
            len(names),
        )
    rows = shapes[embeddings or scores][0]
    keys = [_named(path, shapes, each) for each in (FRAME, SECONDS)]
    for name in filter(None, (scores, *keys)):
        if shapes[name][0] != rows or (name in keys and len(shapes[name]) != 1):
            raise UserError(
                "{path}: {name} has the shape {shape}, but there are {rows:,} rows.",
                EXPORT_AGAIN,
                path,
                name,
                shapes[name],
                rows,
            )

    def parts() -> Iterator[Part]:
        with _sentences(path):
            if embeddings and scores:
                yield from zip(blocks(embeddings), blocks(scores), strict=True)
            else:
                for block in blocks(embeddings or scores):
                    yield (block, None) if embeddings else (None, block)

    frame_index, seconds = (whole(name) if name else None for name in keys)
    size = shapes[embeddings][1] if embeddings else 0
    return OwnTable(path, rows, frame_index, seconds, size, tuple(names) if scores else (), parts)


# NumPy


def _head(file: IO[bytes], name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and type of an array; the file stands at its first number then."""
    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, is_fortran, dtype = read(file)
    if dtype.hasobject:
        raise ValueError(Text("{name} holds Python objects", name))
    if is_fortran and len(shape) > 1 and min(shape) > 1:
        raise ValueError(Text("{name} is stored by columns; save numpy.ascontiguousarray of it", name))
    return shape, dtype


def _blocks_of(file: IO[bytes], name: str, rows: int = ROWS) -> Iterator[NDArray[Any]]:
    shape, dtype = _head(file, name)
    width = int(np.prod(shape[1:], dtype=np.int64)) * dtype.itemsize
    for start in range(0, shape[0], rows):
        count = min(rows, shape[0] - start)
        content = file.read(count * width)
        if len(content) != count * width:
            raise ValueError(Text("{name} is cut short", name))
        yield np.frombuffer(content, dtype).reshape(count, *shape[1:])


def _open_array(path: Path) -> OwnTable:
    def blocks(name: str) -> Iterator[NDArray[Any]]:
        with path.open("rb") as file:
            yield from _blocks_of(file, name)

    with path.open("rb") as file:
        shape, _ = _head(file, path.name)
    return _of_arrays(path, {EMBEDDINGS[0]: shape}, lambda name: next(blocks(name)), blocks)


def _open_archive(path: Path) -> OwnTable:
    def blocks(name: str, rows: int = ROWS) -> Iterator[NDArray[Any]]:
        with zipfile.ZipFile(path) as archive, archive.open(f"{name}.npy") as file:
            yield from _blocks_of(file, name, rows)

    shapes = {}
    with zipfile.ZipFile(path) as archive:
        for entry in archive.namelist()[:256]:
            with archive.open(entry) as file:
                shapes[entry.removesuffix(".npy")] = _head(file, entry)[0]

    return _of_arrays(path, shapes, lambda name: np.concatenate([*blocks(name)] or [np.zeros(0)]), blocks)


# HDF5


def _open_hdf5(path: Path) -> OwnTable:
    import h5py

    with h5py.File(path, "r") as file:
        shapes = {name: tuple(item.shape) for name, item in file.items() if isinstance(item, h5py.Dataset)}
        owners = [file, *(file[name] for name in SCORES if name in shapes)]
        names = next((list(owner.attrs[CLASSES[0]]) for owner in owners if CLASSES[0] in owner.attrs), [])

    def whole(name: str) -> NDArray[Any]:
        with h5py.File(path, "r") as file:
            return np.asarray(file[name])

    def blocks(name: str) -> Iterator[NDArray[Any]]:
        with h5py.File(path, "r") as file:
            for start in range(0, shapes[name][0], ROWS):
                yield np.asarray(file[name][start : start + ROWS])

    return _of_arrays(path, shapes, whole, blocks, [_text(name) for name in names])


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


# Tables with named columns


def _of_columns(
    path: Path,
    rows: int,
    names: Sequence[str],
    read: Callable[[Sequence[str]], Iterator[NDArray[np.float64]]],
    vectors: Callable[[], Iterator[NDArray[Any]]] | None = None,
) -> OwnTable:
    """A table of named columns; `read` gives the values (K, columns) of some, `vectors` those (K, D) of a list."""
    matches = {} if vectors else {name: _NUMBERED.fullmatch(name) for name in names}
    numbered = {name: int(match[1]) for name, match in matches.items() if match}
    embedding = sorted(numbered, key=lambda name: numbered[name])
    if [numbered[name] for name in embedding] != list(range(len(embedding))):
        raise UserError(
            "{path}: the columns of the embedding are not e0, e1, e2 and so on.", "Number them from 0.", path
        )
    classes = [name for name in names if name not in {*FRAME, *SECONDS, *EMBEDDINGS, *embedding}]
    columns = {EMBEDDINGS[0]: embedding, SCORES[0]: classes}
    shapes: dict[str, tuple[int, ...]] = {name: (rows, len(part)) for name, part in columns.items() if part}
    shapes |= dict.fromkeys((name for name in names if name in {*FRAME, *SECONDS}), (rows,))
    if vectors:
        shapes[EMBEDDINGS[0]] = rows, next(vectors(), np.zeros((0, 0))).shape[1]
    if not shapes.keys() & columns.keys():
        raise UserError(
            "{path} has neither columns e0, e1, … of an embedding nor columns of classes.", EXPORT_AGAIN, path
        )

    def blocks(name: str) -> Iterator[NDArray[Any]]:
        if vectors and name == EMBEDDINGS[0]:
            return vectors()
        return read(columns[name]) if name in columns else (block[:, 0] for block in read([name]))

    shown = [name.removeprefix("score_") for name in classes]
    return _of_arrays(path, shapes, lambda name: np.concatenate([np.zeros(0), *blocks(name)]), blocks, shown)


def _open_csv(path: Path) -> OwnTable:
    if path.stat().st_size > MAX_TABLE_BYTES:
        raise UserError(
            "{path} is too large for a table of text (more than {limit} MiB).",
            "Save it as Parquet, .npz or HDF5.",
            path,
            MAX_TABLE_BYTES >> 20,
        )
    line = re.sub(r"[\s-]+", "_", first_line(path).casefold())
    key = next((name for name in (*FRAME, *SECONDS) if re.search(rf"(?<!\w){name}(?!\w)", line)), "")
    if not key:
        raise UserError(
            "{path} has neither a column {frames} nor a column {seconds}.",
            "Name the frames by their numbers from 0, or by their times in seconds.",
            path,
            FRAME[0],
            SECONDS[0],
        )
    table = read_table(path, (key,), known=(*FRAME, *SECONDS))
    for number, cells in table.rows:
        if len(cells) != len(table.header):
            raise UserError(
                "{path}, line {line}: there are {count} cells for {columns} columns.",
                "Give each row a cell for each column.",
                path,
                number,
                len(cells),
                len(table.header),
            )

    def read(names: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        places = [table.header.index(name) for name in names]
        for start in range(0, len(table.rows), ROWS):
            part = table.rows[start : start + ROWS]
            yield np.array([[_number(path, line, cells[place]) for place in places] for line, cells in part])

    return _of_columns(path, len(table.rows), table.header, read)


def _number(path: Path, line: int, cell: str) -> float:
    try:
        return float(cell.strip() or "nan")
    except ValueError:
        raise UserError(
            "{path}, line {line}: “{cell}” is no number.",
            "Keep frame_index or seconds, and the columns of the embedding or of classes.",
            path,
            line,
            cell.strip()[:40],
        ) from None


def _open_parquet(path: Path) -> OwnTable:
    try:
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.parquet as pq
    except ModuleNotFoundError as error:
        raise UserError(
            "Parquet files need the package pyarrow, which is not installed.",
            "Install it with pip install 'wce-desktop[parquet]', or save the table as .npz, HDF5 or CSV.",
        ) from error
    # Columns of lists are read as arrays, others as columns of numbers.
    with pq.ParquetFile(path, pre_buffer=False) as file:
        schema, rows = file.schema_arrow, file.metadata.num_rows
    lists = [name for name in EMBEDDINGS if name in schema.names]

    def batches(names: Sequence[str]) -> Iterator[Any]:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            yield from file.iter_batches(batch_size=ROWS, columns=list(names))

    def read(names: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        for name in names:
            kind = schema.field(name).type
            if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
                raise UserError(
                    "{path}: the column {name} holds {kind}, no numbers.", EXPORT_AGAIN, path, name, str(kind)
                )
        for batch in batches(names):
            columns = [batch.column(batch.schema.get_field_index(name)) for name in names]
            yield np.column_stack([np.asarray(each.to_numpy(zero_copy_only=False), np.float64) for each in columns])

    def vectors() -> Iterator[NDArray[Any]]:
        for batch in batches(lists[:1]):
            column = batch.column(0)
            lengths = set(pc.list_value_length(column).to_pylist())
            if len(lengths) > 1 or None in lengths:
                raise ValueError(Text("{name} has rows of different lengths", lists[0]))
            yield column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)

    return _of_columns(path, rows, schema.names, read, vectors if lists else None)
