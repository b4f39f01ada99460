"""What an index on disk says of itself: which studies are in it, how it was made, and how good it is."""

import uuid
import zlib
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import StudyRows


class IndexedStudy(BaseModel):
    """One study's rows in the index: their ids are [first, first + rows)."""

    model_config = ConfigDict(frozen=True)

    study_id: str
    first: int
    rows: int
    stamp: str
    """Of the embedding file that was read; see `stamp_of`."""


class IndexManifest(BaseModel):
    """The JSON file beside an index; it is replaced last, so what it names is always whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    metric: Metric
    lists: int
    """Inverted lists (cells); a search reads `probes` of them."""
    code_bytes: int
    """Of one frame's product-quantised code."""
    probes: int
    recall: float
    """Share of the true 10 nearest that a search found, in [0, 1]; measured by `training.embeddings.recall`."""
    recall_queries: int
    recall_rows: int
    """How many frames were in the index when recall was measured."""
    trained_rows: int
    """How many frames were there when the cells and codes were learned."""
    next_id: int
    studies: tuple[IndexedStudy, ...]
    checksums: dict[str, int]
    """File name -> CRC-32, of the index and of the squared norms."""
    seal: int = 0
    """CRC-32 of all of the above, put there by `save`."""

    @property
    def name(self) -> str:
        """FAISS' own name for such an index."""
        return f"IVF{self.lists},PQ{self.code_bytes}"

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """Read and check everything that it names.

        Returns:
            None where there is none, or anything of it is damaged or of another format.
        """
        try:
            manifest = cls.model_validate_json(path.read_bytes())
            if any(Path(name).name != name for name in manifest.checksums):  # of other folders nothing is read
                return None
            sums = {name: checksum(path.parent / name) for name in manifest.checksums}
        except (OSError, ValueError, RecursionError):
            return None
        return manifest if sums == manifest.checksums and manifest.seal == manifest._sum() else None

    def save(self, path: Path) -> None:
        """Write beside and rename."""
        beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.tmp")
        sealed = self.model_copy(update={"seal": self._sum()})
        beside.write_text(sealed.model_dump_json(indent=1), encoding="utf-8")
        beside.replace(path)

    def _sum(self) -> int:
        return zlib.crc32(self.model_dump_json(exclude={"seal"}).encode())


def stamp_of(part: StudyRows) -> str:
    """Changes when the study is scored again; not when the library is moved."""
    header = part.header
    return f"{header.model_sha256[:16]} {header.space} {header.created_utc} {header.video_fingerprint} {len(part)}"


def checksum(path: Path) -> int:
    """CRC-32 of a file: against damage, not against malice."""
    value = 0
    with path.open("rb") as file:
        while block := file.read(8 << 20):
            value = zlib.crc32(block, value)
    return value
