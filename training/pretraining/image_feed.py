"""Batches of single images, read ahead by threads; images that fit into memory are decoded only once."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training.compute import devices
from training.datasets import image_set, sequence_feed
from training.datasets.sequence_reader import study_sides
from training.errors import UserError
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text

if TYPE_CHECKING:
    from training.video import FieldOfView
    from training.video.image_reader import ImageReader

KEPT_IN_MEMORY = 1 << 30
"""Bytes of prepared images kept in memory; larger sets need `kept_bytes` of disk, or are decoded each time."""
Shape = tuple[int, ...]


class ImageFeed(sequence_feed.BatchFeed):
    """Step -> `SequenceBatch`, like `SequenceFeed`, of images in groups; fastest for consecutive steps."""

    def __init__(
        self,
        sampler: sequence_feed.DrawsSequences,
        pictures: Mapping[int, tuple[str, Sequence[Path]]],
        size: int,
        folder: Path,
        *,
        device: torch.device | str = "cpu",
        first_step: int = 0,
        reporter: Reporter | None = None,
        kept_bytes: int = 0,
    ) -> None:
        """Start reading ahead, until `close` is called.

        Args:
            sampler: draws frames; a group is a study, an image's position in it the frame.
            pictures: number of the group -> its name and its files.
            folder: for a temporary file of prepared images (`frames-images.tmp`), if `kept_bytes` allows one.
            reporter: logs unreadable images, once per group.
        """
        self._sampler, self._onto_device = sampler, devices.OntoDevice(torch.device(device))
        self._reporter, self._reported = reporter or SilentReporter(), set[str]()
        self._reader = _Pictures(pictures, size, folder, kept_bytes)
        self._pool = ThreadPoolExecutor(max(1, sequence_feed.default_workers()), "images")
        self._look_ahead(first_step)

    def _damaged_note(self, name: str) -> Text:
        return Text("Some images of group {name} cannot be read; they are left out of the batches.", name)

    def close(self) -> None:
        """Stop the threads."""
        if self._ahead is not None:
            self._ahead.close()
        self._pool.shutdown(cancel_futures=True)
        self._reader.close()

    def _from(self, step: int) -> Iterator[sequence_feed.Read]:
        return map(self._read, count(step))

    def _read(self, step: int) -> sequence_feed.Read:
        """Read a batch; draw again if too few of its images can be read."""
        damaged: set[str] = set()
        for attempt in range(sequence_feed.ATTEMPTS):
            drawn = [(part, place) for part in self._sampler.batch(step, attempt) for place in range(len(part))]
            read = list(self._pool.map(lambda each: self._reader(each[0].study, each[0].start + each[1]), drawn))
            pairs = [(each, picture) for each, picture in zip(drawn, read, strict=True) if picture is not None]
            lost = [each for each, picture in zip(drawn, read, strict=True) if picture is None]
            damaged |= {self._reader.name(part.study) for part, _ in lost}
            if len(pairs) >= sequence_feed.FEWEST or len(pairs) == len(drawn):
                break
        else:
            raise UserError(
                "No image drawn from group {damaged} can be read.", "Check the files, or exclude them.", min(damaged)
            )
        pictures, window = [picture for _, picture in pairs], self._sampler.window
        pixels = torch.from_numpy(np.stack([picture.pixels for picture in pictures]))
        labels = torch.tensor([part.labels(window)[place] for (part, place), _ in pairs], dtype=torch.int64)
        (frames, there), ready = self._onto_device((pixels, labels))
        is_round = torch.tensor([picture.is_round for picture in pictures])
        sides = torch.tensor([picture.sides_px for picture in pictures])
        return sequence_feed.Read(
            sequence_feed.SequenceBatch(frames, there, is_round, sides), ready, frozenset(damaged)
        )


class _Picture(NamedTuple):
    pixels: NDArray[np.uint8]
    """(S, S, 3) RGB, prepared."""
    is_round: bool
    sides_px: tuple[int, int]
    """See `study_sides`."""


class _Pictures:
    """Prepared images by group and position; the field of view is found once per group and image size."""

    def __init__(
        self, pictures: Mapping[int, tuple[str, Sequence[Path]]], size: int, folder: Path, kept_bytes: int
    ) -> None:
        self._pictures, self._size = pictures, size
        self._views: dict[int, dict[Shape, FieldOfView]] = {}
        self._bits: dict[int, int] = {}
        lengths = {number: len(files) for number, (_, files) in pictures.items()}
        self._first = dict(zip(lengths, np.cumsum([0, *lengths.values()])[:-1].tolist(), strict=True))
        shape = (sum(lengths.values()), size, size, 3)
        self._kept: NDArray[np.uint8] | None = None
        if int(np.prod(shape)) <= KEPT_IN_MEMORY:
            self._kept = np.zeros(shape, np.uint8)
        elif int(np.prod(shape)) <= kept_bytes:
            self._kept = np.memmap(folder / "frames-images.tmp", np.uint8, "w+", shape=shape)
        self._state = np.zeros(shape[0], np.uint8)  # 0: not kept, 1: kept, 2: kept and round
        self._sides = np.zeros((shape[0], 2), np.int64)

    def __call__(self, group: int, place: int) -> _Picture | None:
        """One image; None if it cannot be read."""
        row = self._first[group] + place
        if self._kept is not None and self._state[row]:
            frame, square = self._sides[row].tolist()
            return _Picture(self._kept[row], self._state[row] == 2, (frame, square))
        from training.video import prepare_frame

        picture = self._reader(group).read(self._pictures[group][1][place])
        if picture is None:
            return None
        view = self._view(group, picture)
        result = _Picture(prepare_frame(picture, view, self._size), view.kind == "circle", study_sides(view))
        if self._kept is not None:
            self._kept[row], self._sides[row] = result.pixels, result.sides_px
            self._state[row] = 1 + result.is_round
        return result

    def name(self, group: int) -> str:
        """The name of a group."""
        return self._pictures[group][0]

    def close(self) -> None:
        """Release a mapped file."""
        self._kept = None

    def _reader(self, group: int) -> "ImageReader":
        """What reads a group's images, all with one range of values."""
        from training.video.image_reader import ImageReader, shared_bits

        if group not in self._bits:
            self._bits[group] = shared_bits(self._pictures[group][1])
        return ImageReader(self._bits[group])  # threads share none

    def _view(self, group: int, picture: NDArray[np.uint8]) -> "FieldOfView":
        """The field of view of a group's images of this size, found on a sample."""
        from training.video import find_field_of_view

        if group not in self._views:
            files = self._pictures[group][1]
            chosen = np.unique(np.linspace(0, len(files) - 1, image_set.VIEW_SAMPLES).astype(int)).tolist()
            by_shape: dict[Shape, list[NDArray[np.uint8]]] = {}
            for place in chosen:
                sample = self._reader(group).read(files[place])
                if sample is not None:
                    by_shape.setdefault(sample.shape, []).append(sample)
            self._views[group] = {shape: find_field_of_view(samples) for shape, samples in by_shape.items()}
        views = self._views[group]
        if picture.shape not in views:
            views[picture.shape] = find_field_of_view([picture])
        return views[picture.shape]
