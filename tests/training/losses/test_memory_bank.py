"""The memory of every frame: what a batch changes in it, where it lies, and what is drawn from it."""

import copy
import errno
import os
import sys
from collections import namedtuple
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import normalize

from training.errors import UserError
from training.losses.memory_bank import MemoryBank, draw_negatives


@given(st.lists(st.integers(0, 19), min_size=1, max_size=8, unique=True), st.integers(0, 100))
@settings(max_examples=25, deadline=None)
def test_only_the_rows_of_the_batch_change(rows: list[int], seed: int) -> None:
    bank = MemoryBank(20, 8, start="random", seed=seed)
    before = bank.vectors.clone()
    bank.update_(torch.tensor(rows), torch.randn(len(rows), 8, generator=torch.Generator().manual_seed(seed + 1000)))
    others = [row for row in range(20) if row not in rows]
    assert torch.equal(bank.vectors[others], before[others])
    assert not torch.equal(bank.vectors[rows], before[rows])


def test_a_row_is_a_moving_average_of_directions() -> None:
    bank = MemoryBank(3, 4, momentum=0.7)
    first, second = torch.tensor([[3.0, 0, 0, 0]]), torch.tensor([[0, 5.0, 0, 0]])
    bank.update_(torch.tensor([1]), first)  # never seen: taken whole
    torch.testing.assert_close(bank.of(torch.tensor([1])), normalize(first))
    bank.update_(torch.tensor([1]), second)
    expected = normalize(0.7 * normalize(first) + 0.3 * normalize(second))
    torch.testing.assert_close(bank.of(torch.tensor([1])), expected, atol=1e-3, rtol=1e-3)
    assert bank.of(torch.tensor([0, 2])).abs().sum() == 0.0
    assert bank.of(torch.tensor([[0, 1], [1, 2]])).shape == (2, 2, 4)


def test_a_million_frames_take_less_than_300_mb() -> None:
    assert MemoryBank.nbytes(1_000_000) == 256_000_000
    bank = MemoryBank(1000, 128)
    assert bank.vectors.element_size() * bank.vectors.nelement() == MemoryBank.nbytes(1000)


def test_a_bank_on_disk_is_the_same_bank(tmp_path: Path) -> None:
    on_disk, in_memory = (MemoryBank(50, 8, start="random", seed=3, folder=folder) for folder in (tmp_path, None))
    rows, vectors = torch.tensor([4, 30]), torch.randn(2, 8)
    for bank in (on_disk, in_memory):
        bank.update_(rows, vectors)
    assert torch.equal(on_disk.vectors, in_memory.vectors)
    trial = copy.deepcopy(on_disk)
    trial.update_(rows, -vectors)
    assert torch.equal(on_disk.vectors, in_memory.vectors)
    files = [bank.vectors.untyped_storage().filename for bank in (on_disk, trial, in_memory)]
    assert [file and Path(file).parent for file in files] == [tmp_path, tmp_path, None]
    assert files[0] != files[1]
    assert on_disk.to(torch.float64).vectors.dtype == torch.float16  # stays where and what it is
    on_disk.load_state_dict(trial.state_dict())
    assert torch.equal(on_disk.vectors, trial.vectors)


def test_a_disk_without_room_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**6, 0, 10**6))
    with pytest.raises(UserError, match=r"memory bank of 1,000,000 frames takes 0\.3 GB .* 0\.0 GB are free"):
        MemoryBank(1_000_000, 128, folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_room_of_its_copies_is_looked_for_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**9, 0, 600_000_000))
    told = r"1,000,000 frames takes 0\.3 GB, 1\.0 GB with its copies in 3 checkpoints, in .* 0\.6 GB are free"
    with pytest.raises(UserError, match=told):
        MemoryBank(1_000_000, 128, folder=tmp_path, copies=3)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**9, 0, 4 * MemoryBank.nbytes(1000)))
    MemoryBank(1000, 128, folder=tmp_path, copies=3)
    with pytest.raises(UserError, match="in 4 checkpoints"):
        MemoryBank(1000, 128, folder=tmp_path, copies=4)


@pytest.mark.skipif(sys.platform == "win32", reason="there a mapped file keeps its name")
def test_a_bank_on_disk_leaves_no_file_behind_however_the_process_ends(tmp_path: Path) -> None:
    bank = MemoryBank(50, 8, start="random", folder=tmp_path)
    assert not list(tmp_path.iterdir())
    assert bank.vectors.abs().sum() > 0


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="takes room at once where the system can")
def test_a_disk_that_fills_up_before_the_room_is_taken_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(UserError, match=r"bank-.* cannot be written .*No space left on device"):
        MemoryBank(50, 8, folder=tmp_path)
    assert not list(tmp_path.iterdir())


@given(st.integers(2, 40), st.integers(1, 60), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_negatives_are_other_frames(frames: int, count: int, seed: int) -> None:
    rows = torch.arange(frames)
    drawn = draw_negatives(rows, frames, count, torch.Generator().manual_seed(seed))
    assert drawn.shape == (frames, min(count, frames - 1))
    assert bool((drawn != rows.unsqueeze(1)).all())
    assert 0 <= int(drawn.min()) <= int(drawn.max()) < frames
    if frames - 1 <= count:  # all others, each once
        assert all(len(set(row)) == frames - 1 for row in drawn.tolist())


def test_negatives_are_drawn_evenly() -> None:
    rows = torch.full((400,), 3)
    counts = torch.bincount(draw_negatives(rows, 11, 9, torch.Generator().manual_seed(0)).flatten(), minlength=11)
    assert counts[3] == 0
    assert float(counts[counts > 0].float().std()) < 40  # 360 expected of each
