"""Batches of sequences straight from video files, read ahead by processes and handed over as uint8 on the device."""

import os
import sys
import tempfile
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from training.compute.devices import OntoDevice
from training.compute.overlap import Prefetch
from training.datasets import sequence_reader, sequence_worker
from training.datasets.sequences import FrameSequence
from training.errors import UserError
from training.files.closing import Closing
from training.files.scratch import scratch_prefix
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text

ATTEMPTS = 8
"""Other draws of a step, where too little decodes of what was drawn, before the run gives up."""
FEWEST = 2
"""Frames that a batch needs: of one alone there is neither a triplet nor a variance."""
MOST_WORKERS = 8


class SequenceBatch(NamedTuple):
    """Frames of one step as they were read."""

    frames: Tensor
    """(B, S, S, 3) uint8 on the device."""
    labels: Tensor
    """(B,) int64 pseudo-labels on the device."""
    is_round: Tensor
    """(B,) bool on the CPU, whether the field of view is a circle."""
    sides_px: Tensor
    """(B, 2) int64 on the CPU: side of the frame in its study, and of the square of it that was scaled to S, in px; see
    `study_sides`."""
    sequence: Tensor = torch.empty(0, dtype=torch.int64)
    """(B,) int64 on the CPU: number of the frame's sequence in the batch, ascending; empty for single images."""


class DrawsSequences(Protocol):
    """What the feed needs of a sampler: a function of step and attempt alone."""

    window: int

    def batch(self, step: int, attempt: int = 0) -> tuple[FrameSequence, ...]:
        """The sequences of one step."""


def default_workers() -> int:
    """One process for each core but one, at least 1 and at most 8; none in a program without a Python to start."""
    if getattr(sys, "frozen", False):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(max(cores - 1, 1), MOST_WORKERS)


class BatchFeed(Closing, ABC):
    """Step -> `SequenceBatch`, read ahead: quickest when steps come in order."""

    _sampler: DrawsSequences
    _onto_device: OntoDevice
    _reporter: Reporter
    _reported: set[str]
    _ahead: Prefetch["Read"] | None = None
    _items: Iterator["Read"]
    _next: int

    def __call__(self, step: int) -> SequenceBatch:
        """The frames of one step; those that cannot be read are left out, and logged once a study or group.

        Raises:
            UserError: nothing of a study can be read, or again and again too little of what is drawn; a process has
                ended.
        """
        read = self._next_read(step)
        for name in read.damaged - self._reported:
            self._reported.add(name)
            self._reporter.log(self._damaged_note(name))
        self._onto_device.join((read.batch.frames, read.batch.labels), read.ready)
        return read.batch

    def _next_read(self, step: int) -> "Read":
        if step != self._next:
            self._look_ahead(step)
        self._next = -1  # after an error the next call starts again
        read = next(self._items)
        self._next = step + 1
        return read

    def _look_ahead(self, step: int) -> None:
        if self._ahead is not None:
            self._ahead.close()
        self._ahead = Prefetch(self._from(step), depth=1)
        self._items, self._next = iter(self._ahead), step

    @abstractmethod
    def _from(self, step: int) -> Iterator["Read"]:
        """Every batch from a step on."""

    @abstractmethod
    def _damaged_note(self, name: str) -> Text:
        """Says that frames of a study or images of a group are left out."""


class SequenceFeed(BatchFeed):
    """Step -> `SequenceBatch`, the same whatever the number of processes; quickest when steps come in order."""

    def __init__(
        self,
        sampler: DrawsSequences,
        studies: Mapping[int, sequence_reader.StudyFile],
        size: int,
        *,
        device: torch.device | str = "cpu",
        workers: int | None = None,
        first_step: int = 0,
        reporter: Reporter | None = None,
        kept_bytes: int = 0,
    ) -> None:
        """Start the processes; with `close` (or `with`) they end.

        Args:
            sampler: draws the sequences.
            studies: number of the study -> its id, its file, and the rules by which its frames are numbered.
            size: side of the frames in px.
            device: where the frames go.
            workers: processes; 0: read in this one, without looking ahead; None: as many as the cores allow.
            first_step: the first that will be asked for.
            reporter: receives a line per study with frames that cannot be decoded.
            kept_bytes: prepared frames of studies that fit into so much are kept in temporary files until the feed is
                closed, so that each is decoded once; 0: none.
        """
        self._sampler, self._studies, self._onto_device = sampler, studies, OntoDevice(torch.device(device))
        self._reporter = reporter or SilentReporter()
        self._reported = set()
        self._folder = tempfile.TemporaryDirectory(prefix=scratch_prefix("frames"))
        self.workers = default_workers() if workers is None else workers
        given = studies, size, Path(self._folder.name), kept_bytes
        self._processes: list[sequence_worker.SequenceWorker] = []
        self._local = sequence_reader.SequenceReader(*given) if self.workers == 0 else None
        try:
            for _ in range(self.workers):
                self._processes.append(sequence_worker.SequenceWorker(*given))
            if self._processes:
                self._look_ahead(first_step)
        except BaseException:
            self.close()
            raise

    def _next_read(self, step: int) -> "Read":
        return super()._next_read(step) if self._local is None else self._read(step)

    def _damaged_note(self, name: str) -> Text:
        return Text("Some frames of study {name} cannot be decoded and are left out of the batches.", name)

    def close(self) -> None:
        """End processes and thread, and remove what they shared."""
        for process in self._processes:
            process.end()  # first: the thread may be waiting for one of them
        if self._ahead is not None:
            self._ahead.close()
        for process in self._processes:
            process.close()
        if self._local is not None:
            self._local.close()
        self._folder.cleanup()

    def _from(self, step: int) -> Iterator["Read"]:
        """Every batch from a step on; all processes are kept busy."""
        asked: deque[tuple[int, sequence_worker.SequenceWorker, int]] = deque()
        count, first = len(self._processes), step
        try:
            while True:
                while len(asked) < sequence_worker.AT_ONCE * count:
                    process = self._processes[(step - first) % count]
                    asked.append((step, process, process.ask(self._sampler.batch(step))))
                    step += 1
                yield self._read(*asked.popleft())
        finally:
            for _, process, request in asked:
                process.settle(request)

    def _read(self, step: int, worker: sequence_worker.SequenceWorker | None = None, request: int = 0) -> "Read":
        """Wait for a batch, or read it here, and draw again where too little of it decodes."""
        damaged: set[str] = set()
        for attempt in range(ATTEMPTS):
            sequences = self._sampler.batch(step, attempt)
            if worker is None:
                assert self._local is not None
                frames = self._local.read([each.request for each in sequences])
            else:
                frames = worker.wait(worker.ask(sequences) if attempt else request)
            counts = np.bincount(frames.found[:, 0], minlength=len(sequences)).tolist()
            damaged |= {
                self._studies[each.study][0] for each, count in zip(sequences, counts, strict=True) if count < len(each)
            }
            if len(frames.found) >= FEWEST:
                return Read(*self._batch(sequences, frames), frozenset(damaged))
        study = self._studies[sequences[0].study][0]
        raise UserError(
            "None of the sampled frames of study {study} can be read.",
            "Check the file, or remove the study from the manifest.",
            study,
        )

    def _batch(
        self, sequences: tuple[FrameSequence, ...], frames: sequence_reader.SequenceFrames
    ) -> tuple[SequenceBatch, torch.cuda.Event | None]:
        result = frames.found
        labels = [sequence.labels(self._sampler.window) for sequence in sequences]
        numbers = [
            labels[which][(index - sequences[which].start) // sequences[which].step] for which, index in result[:, :2]
        ]
        tensors = torch.from_numpy(frames.pixels), torch.tensor(numbers, dtype=torch.int64)
        (pixels, there), ready = self._onto_device(tensors)
        sides = torch.from_numpy(result[:, 3:].copy())
        sequence = torch.from_numpy(result[:, 0].astype(np.int64))
        return SequenceBatch(pixels, there, torch.from_numpy(result[:, 2] != 0), sides, sequence), ready


class Read(NamedTuple):
    """A batch that was read, and when it is on the device."""

    batch: SequenceBatch
    ready: torch.cuda.Event | None
    damaged: frozenset[str]
    """Studies or groups with frames that cannot be read."""
