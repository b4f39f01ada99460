"""The JSON file beside an index on disk: what the index holds, and its files with their checksums.

Nothing is ever changed in place. A changed shard is written under a new name, then the manifest is replaced, then the
old files go: whatever moment a process dies at, the manifest names whole files, and others are swept up the next time.
"""

import contextlib
import os
import uuid
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from training.embeddings import neighbour


class IndexedStudy(BaseModel):
    """One study's rows in a shard: their ids are [first, first + rows)."""

    model_config = ConfigDict(frozen=True)

    study_id: str
    first: int
    rows: int
    stamp: str
    """Of the embedding file that was read; see `stamp_of`."""


class IndexShard(BaseModel):
    """Whole studies."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    studies: tuple[IndexedStudy, ...] = ()
    next_id: int = 0
    files: dict[str, int] = {}
    """File name -> CRC-32, of the codes and of the squared norms; empty: not written yet."""

    @property
    def study_ids(self) -> set[str]:
        """Of its studies."""
        return {study.study_id for study in self.studies}


class IndexManifest(BaseModel):
    """The JSON file beside an index; it is replaced last, so what it names is always whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[2] = 2
    metric: neighbour.Metric
    lists: int
    """Inverted lists (cells); a search reads `probes` of them."""
    code_bytes: int
    """Of one frame's product-quantised code."""
    probes: int = 1
    recall: float = 0.0
    """Share of the true 10 nearest that a search found, in [0, 1]; see `ApproximateSearch.measure`."""
    recall_queries: int = 0
    recall_rows: int = 0
    """How many frames were in the index when recall was measured."""
    trained_rows: int
    """How many frames were there when the cells and codes were learned."""
    learned: dict[str, int] = {}
    """File name -> CRC-32, of what all shards share."""
    shards: tuple[IndexShard, ...] = ()
    seal: int = 0
    """CRC-32 of all of the above, put there by `save`."""

    @property
    def name(self) -> str:
        """FAISS' own name for such an index."""
        return f"IVF{self.lists},PQ{self.code_bytes}"

    @property
    def files(self) -> dict[str, int]:
        """All that it names."""
        result = dict(self.learned)
        for shard in self.shards:
            result |= shard.files
        return result

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """Read it.

        Returns:
            None where there is none, it or what its shards share is damaged, or it is of another format.
        """
        try:
            manifest = cls.model_validate_json(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        if any(Path(name).name != name for name in manifest.files):  # of other folders nothing is read
            return None
        return manifest if manifest.seal == manifest._sum() and _are_whole(manifest.learned, path.parent) else None

    def without_damaged(self, folder: Path) -> Self:
        """The same with the shards whose files are whole."""
        return self.model_copy(update={"shards": tuple(each for each in self.shards if _are_whole(each.files, folder))})

    def save(self, path: Path) -> None:
        """Write beside and rename."""
        beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.tmp")
        sealed = self.model_copy(update={"seal": self._sum()})
        beside.write_text(sealed.model_dump_json(indent=1), encoding="utf-8")
        beside.replace(path)

    def _sum(self) -> int:
        return zlib.crc32(self.model_dump_json(exclude={"seal"}).encode())


def _are_whole(files: dict[str, int], folder: Path) -> bool:
    try:
        return all(checksum(folder / name) == value for name, value in files.items())
    except OSError:
        return False


def checksum(path: Path) -> int:
    """CRC-32 of a file: against damage, not against malice."""
    value = 0
    with path.open("rb") as file:
        while block := file.read(8 << 20):
            value = zlib.crc32(block, value)
    return value


def synced(*files: Path) -> dict[str, int]:
    """Checksums of files that are on disk now."""
    for path in files:
        with path.open("r+b") as file:
            os.fsync(file.fileno())
    return {path.name: checksum(path) for path in files}


def forget(folder: Path, study_id: str) -> None:
    """Delete the shards that hold a study, in all indexes of a folder; their other studies are added again.

    An index of one shard goes whole.

    Raises:
        OSError: something cannot be deleted; calling it again goes on.
    """
    for path in folder.glob("neighbours-*.json"):
        manifest = IndexManifest.load(path)
        kept = () if manifest is None else tuple(each for each in manifest.shards if study_id not in each.study_ids)
        if manifest is not None and kept:
            manifest = manifest.model_copy(update={"shards": kept, "recall_rows": 0})
            manifest.save(path)
            sweep(path, manifest.files)
        else:
            path.unlink()
            sweep(path, ())


def sweep(path: Path, kept: Iterable[str]) -> None:
    """Delete the files of the index of a manifest that it does not name."""
    for left in (*path.parent.glob(f"{path.stem}-*"), *path.parent.glob(f"{path.name}.*.tmp")):
        if left.name not in kept:
            with contextlib.suppress(OSError):  # in use by another process: the next one sweeps it up
                left.unlink()
