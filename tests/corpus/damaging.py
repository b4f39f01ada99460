"""Damage to the bytes of a file, away from its header."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.corpus.sources import Source

_CELL_BYTES = 188
Spans = list[tuple[int, int]]


def damage_file(path: Path, media: tuple[int, int], source: Source) -> Spans:
    """Damage the file in place.

    Args:
        path: a whole file.
        media: first byte of its first packet, and where the last one ends.
        source: says which damage, and its seed.

    Returns:
        Spans [start, stop) of bytes of the whole file that are lost or changed.
    """
    rng = np.random.default_rng(source.seed)
    data = bytearray(path.read_bytes())
    first, last = media
    length = last - first
    where = [0.3 + 0.3 * rng.random()]
    if source.damage == "noise at two places":
        where = [0.2 + 0.1 * rng.random(), 0.55 + 0.1 * rng.random()]
    share = {"noise": 0.1, "bits": 0.15, "zeros": 0.04}.get(source.damage, 0.05)
    spans = [(first + int(length * at), first + int(length * (at + share))) for at in where]
    if source.damage == "cut":
        spans = [(first + int(length * (0.5 + 0.3 * rng.random())), len(data))]
    if source.damage == "lost" and source.container in ("ts", "m2ts"):
        spans = [_whole_cells(start, stop) for start, stop in spans]
    for start, stop in reversed(spans):
        data[start:stop] = _instead(data[start:stop], source.damage, rng)
    path.write_bytes(data)
    return spans


def _whole_cells(start: int, stop: int) -> tuple[int, int]:
    """Cells of a transport stream, fewer than 16: their counter begins again there and would not show the loss."""
    start -= start % _CELL_BYTES
    return start, start + min((stop - start) // _CELL_BYTES, 15) * _CELL_BYTES


def _instead(data: bytearray, damage: str, rng: np.random.Generator) -> bytes:
    if damage in ("cut", "lost"):
        return b""
    if damage == "zeros":
        return bytes(len(data))
    noise: NDArray[np.uint8] = rng.integers(0, 256, len(data), dtype=np.uint8)
    if damage == "bits":
        values = np.frombuffer(bytes(data), np.uint8)
        return (
            np.where(rng.random(len(data)) < 0.005, values ^ (1 << noise % 8).astype(np.uint8), values)
            .astype(np.uint8)
            .tobytes()
        )
    return noise.tobytes()


def damage_folder(folder: Path, source: Source) -> set[int]:
    """Damage some images of a folder; return the frame numbers that are hit. `lost` ones are removed altogether."""
    rng = np.random.default_rng(source.seed)
    names = sorted(folder.iterdir(), key=lambda path: int(path.stem.split()[1]))
    hit = sorted(rng.permutation(len(names))[:5].tolist())
    for number in hit:
        path = names[number]
        data = path.read_bytes()
        if source.damage == "lost":
            path.unlink()
        elif source.damage == "cut":
            path.write_bytes(data[: len(data) // 2])
        else:
            path.write_bytes(data[:2] + rng.integers(0, 256, 40, dtype=np.uint8).tobytes() + data[42:])
    return set(hit)
