"""Reading what a safetensors file announces (names, dtypes, shapes) without loading it and without torch."""

import json
from pathlib import Path

from training.errors import UserError

# A header is a few kilobytes for a ResNet; the format itself allows 100 MB, which nobody writes.
MAX_HEADER_BYTES = 16 * 1024 * 1024
PICKLE_STARTS = (b"PK\x03\x04", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
PICKLE_SUFFIXES = frozenset({".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin"})


def is_pickle(path: Path) -> bool:
    """True where the file's first bytes (or its name) say that it is a pickle or torch's zip of pickles."""
    with path.open("rb") as file:
        start = file.read(4)
    return start[:4] in PICKLE_STARTS or start[:2] in PICKLE_STARTS or path.suffix.lower() in PICKLE_SUFFIXES


def read_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """The shape of every tensor in the file, by name.

    Raises:
        UserError: the file is a pickle, is cut off, or is no safetensors file.
    """
    if is_pickle(path):
        raise UserError(
            f"{path} is a pickle, which can run code when it is loaded, and is not opened.",
            "Give a model folder that holds model.safetensors.",
        )
    broken = UserError(f"{path} is no readable safetensors file.", "Copy the model folder again from where it came.")
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(MAX_HEADER_BYTES, path.stat().st_size - 8):
            raise broken
        try:
            header = json.loads(file.read(length))
            entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
            end = max((entry["data_offsets"][1] for entry in entries.values()), default=0)
            shapes = {name: tuple(int(side) for side in entry["shape"]) for name, entry in entries.items()}
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise broken from error
    if 8 + length + end != path.stat().st_size:
        raise broken
    return shapes
