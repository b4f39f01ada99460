"""Batches of a pretraining: frames read, augmented and normalised; a function of the seed and the step alone."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from training.datasets.sequences import FrameSequence, SequenceSampler
from training.errors import UserError
from training.models.projection_head import Pretrainer
from training.runs.reporter import Reporter
from training.transforms.augment import Augmentation
from training.video import FieldOfView, FrameSource, open_source, prepare_frame, study_field_of_view

ATTEMPTS = 8
"""Other draws of a step, where frames do not decode, before the run gives up."""
OPEN_SOURCES = 16


class RawBatch(NamedTuple):
    """Frames of one step as they were read."""

    frames: Tensor
    """(B, S, S, 3) uint8."""
    labels: Tensor
    """(B,) int64 pseudo-labels."""
    is_round: Tensor
    """(B,) bool."""


class InProcessFeed:
    """Reads the sequences of a step in this process: one seek, then frame by frame."""

    def __init__(
        self, sampler: SequenceSampler, paths: Mapping[int, tuple[str, Path]], size: int, reporter: Reporter
    ) -> None:
        """`paths`: number of the study -> its id and its file; `size`: side in px."""
        self._sampler, self._paths, self._size, self._reporter = sampler, paths, size, reporter
        self._sources: dict[int, FrameSource] = {}
        self._views: dict[int, FieldOfView] = {}
        self._told: set[int] = set()

    def __call__(self, step: int) -> RawBatch:
        """The frames of one step; those that do not decode are left out.

        Raises:
            UserError: again and again nothing decodes of what is drawn.
        """
        for attempt in range(ATTEMPTS):
            sequences = self._sampler.batch(step, attempt)
            parts = [part for sequence in sequences for part in self._read(sequence)]
            if len(parts) > 1:
                frames, labels, is_round = zip(*parts, strict=True)
                return RawBatch(torch.from_numpy(np.stack(frames)), torch.tensor(labels), torch.tensor(is_round))
        study = self._paths[sequences[0].study][0]
        raise UserError(f"No frame of study {study} that was drawn can be read.", "Check the file, or leave it out.")

    def close(self) -> None:
        """Close the files."""
        for source in self._sources.values():
            source.close()
        self._sources.clear()

    def _read(self, sequence: FrameSequence) -> list[tuple[np.ndarray, int, bool]]:
        source, view = self._open(sequence.study)
        labels = dict(zip(sequence.positions.tolist(), sequence.labels(self._sampler.window).tolist(), strict=True))
        read = []
        for index, frame in source.iterate(sequence.start, sequence.stop):
            if frame is not None:
                read.append((prepare_frame(frame, view, self._size), labels[index], view.kind == "circle"))
        if len(read) < len(sequence) and sequence.study not in self._told:
            self._told.add(sequence.study)
            name = self._paths[sequence.study][0]
            self._reporter.log(f"Some frames of study {name} do not decode; they are left out of the batches.")
        return read

    def _open(self, study: int) -> tuple[FrameSource, FieldOfView]:
        if study not in self._sources:
            if len(self._sources) >= OPEN_SOURCES:
                self._sources.pop(next(iter(self._sources))).close()
            self._sources[study] = open_source(self._paths[study][1])
        source = self._sources[study]
        if study not in self._views:
            self._views[study] = study_field_of_view(source)
        return source, self._views[study]


class PretrainBatches:
    """Step -> images (B, 3, S, S) float32, normalised, and pseudo-labels (B,) int64, on the device.

    A method that wants two views of each frame gets (2B, 3, S, S): all first views, then all second ones.
    """

    def __init__(
        self,
        feed: Callable[[int], RawBatch],
        augmentation: Augmentation,
        network: Pretrainer,
        seed: int,
        views: int = 1,
    ) -> None:
        self._feed, self._augmentation, self._network = feed, augmentation, network
        self._seed, self._views = seed, views

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        """The batch of one step (0-based)."""
        frames, labels, is_round = self._feed(step)
        mean, std = self._network.mean, self._network.std
        frames = frames.to(mean.device)
        generator = torch.Generator().manual_seed((self._seed << 32) + step)
        views = [self._augmentation(frames, is_round, generator) for _ in range(self._views)]
        return (torch.cat(views) - mean) / std, labels.to(mean.device).repeat(self._views)
