"""Datasets of studies in the workers of a data loader."""

import multiprocessing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch.utils.data import DataLoader

import training
from tests.videos import number_of, write_video

STARTS = [name for name in ("fork", "spawn") if name in multiprocessing.get_all_start_methods()]


def number_in(picture: NDArray[np.uint8]) -> int:
    return number_of(picture)


@pytest.mark.parametrize("start", STARTS)
def test_workers_read_exact_frames(tmp_path: Path, start: str) -> None:
    study = training.open_study(write_video(tmp_path / "a.mp4", 120, height=128, width=128, noise=60))
    study[50]  # the decoder stands somewhere
    dataset = study.torch_dataset(every=3, size=128, transform=number_in)
    loader: DataLoader[tuple[Any, int]] = DataLoader(
        dataset,
        batch_size=8,
        shuffle=True,
        num_workers=2 if start == "fork" else 1,  # each that is spawned imports torch
        multiprocessing_context=start,
        persistent_workers=True,
    )
    for _ in range(3):
        numbers = [pair for read, frames in loader for pair in zip(frames.tolist(), read.tolist(), strict=True)]
        assert sorted(numbers) == [(frame, frame) for frame in range(0, 120, 3)]
    assert study.missing == []


def test_items_are_tensors_with_frame_numbers(tmp_path: Path) -> None:
    study = training.open_study(write_video(tmp_path / "a.mp4", 20))
    dataset = study.torch_dataset(every=5, size=32, start=1, stop=18)
    picture, frame = dataset[-1]
    assert (picture.shape, picture.dtype, frame) == ((3, 32, 32), torch.float32, 16)
    assert 0 <= float(picture.min()) < float(picture.max()) <= 1
    assert dataset.frame_index.tolist() == [1, 6, 11, 16]
    with pytest.raises(IndexError):
        dataset[4]


def test_missing_frames_are_left_out(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", 20)
    study = training.open_study(path)
    replace(study.index, missing=np.array([5, 6])).save(tmp_path / "a.npz")
    dataset = training.open_study(path, index=str(tmp_path / "a.npz")).torch_dataset(size=32)
    assert dataset.frame_index.tolist() == [*range(5), *range(7, 20)]
