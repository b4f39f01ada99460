"""Batches of images from their files: what they say of each image, the first time and when it is kept."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from training.datasets.sequence_reader import study_sides
from training.datasets.sequences import SequenceSampler, SequenceSpan
from training.pretraining import image_feed
from training.pretraining.image_feed import ImageFeed
from training.video import find_field_of_view, prepare_frame

SIZE = 32
Pictures = Mapping[int, tuple[str, Sequence[Path]]]


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    """Two groups of four images: octagons 80 and 120 px wide."""
    rng = np.random.default_rng(0)
    found: dict[int, tuple[str, list[Path]]] = {}
    for group, side in enumerate((80, 120)):
        files = [tmp_path / f"{group}_{number}.png" for number in range(4)]
        for file in files:
            cv2.imwrite(str(file), rng.integers(90, 200, (side, side, 3)).astype(np.uint8))
        found[group] = f"g{group}", files
    return found


def sampler() -> SequenceSampler:
    """Batches of six single images."""
    return SequenceSampler([SequenceSpan(n, n, 0, 4) for n in range(2)], 1, 6, "anywhere", 1, seed=0)


@pytest.mark.parametrize("kept", [0, 1 << 30])
def test_frames_and_sides_are_those_of_the_files(
    pictures: Pictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr(image_feed, "KEPT_IN_MEMORY", kept)
    with ImageFeed(sampler(), pictures, SIZE, tmp_path) as feed:
        for step in range(3):
            batch = feed(step)
            for place, drawn in enumerate(sampler().batch(step)):
                bgr = cv2.imread(str(pictures[drawn.study][1][drawn.start]))
                assert bgr is not None
                decoded = np.asarray(bgr[..., ::-1], np.uint8)
                view = find_field_of_view([decoded])
                assert np.array_equal(batch.frames[place].numpy(), prepare_frame(decoded, view, SIZE))
                assert batch.sides_px[place].tolist() == list(study_sides(view)) == [(80, 120)[drawn.study]] * 2
    assert batch.sides_px.dtype == torch.int64


@pytest.mark.parametrize(("in_memory", "on_disk"), [(1 << 30, 0), (0, 1 << 30)])
def test_an_image_is_read_from_its_file_once_where_there_is_room(
    pictures: Pictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_memory: int, on_disk: int
) -> None:
    monkeypatch.setattr(image_feed, "KEPT_IN_MEMORY", in_memory)
    images = image_feed._Pictures(pictures, SIZE, tmp_path, on_disk)
    first = images(1, 2)
    pictures[1][1][2].unlink()
    again = images(1, 2)
    assert first is not None
    assert again is not None
    assert np.array_equal(first.pixels, again.pixels)
    assert (first.is_round, first.sides_px) == (again.is_round, again.sides_px)
