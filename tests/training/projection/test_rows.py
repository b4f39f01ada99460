"""The matrix that is never wholly in memory: the right rows, in order, and no more of them at once than a block."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from tests.training.projection.embedded_studies import SIZE, write_rows
from tests.training.projection.test_run import config
from training.projection import sources as module
from training.projection.sources import Rows, Source, open_sources


@pytest.fixture
def sources(tmp_path: Path) -> tuple[Source, ...]:
    rng = np.random.default_rng(0)
    files = [write_rows(tmp_path / f"{k}.h5", rng.normal(size=(9000, SIZE)).astype(np.float32)) for k in range(2)]
    return open_sources(config(tuple(files), tmp_path / "m.npz"))


def test_blocks_are_the_chosen_rows_in_order_kept_or_not(sources: tuple[Source, ...]) -> None:
    chosen = [np.arange(3000), np.arange(1, 9000, 7)]
    rows = Rows(sources, chosen)
    wanted = np.concatenate([source.embeddings[c] for source, c in zip(sources, chosen, strict=True)])
    assert rows.shape == wanted.shape
    for _ in range(2):
        assert np.array_equal(np.concatenate(list(rows.blocks())), wanted)
        some = rows.some(100)
        assert 100 <= len(some) < 202
        assert np.array_equal(some, wanted[:: len(wanted) // 100])
        rows.keep()
    assert rows.finite().all()


def test_a_large_matrix_is_not_kept_and_passes_hold_a_block(
    sources: tuple[Source, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Rows(sources, [source.rows() for source in sources])
    whole = 4 * rows.shape[0] * rows.shape[1]
    monkeypatch.setattr(module, "KEEP_BYTES", whole - 1)
    tracemalloc.start()
    rows.keep()
    rows.some(50)
    rows.finite()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < whole / 4
