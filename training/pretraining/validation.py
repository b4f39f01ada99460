"""The validation loss of clips that are kept apart, and the learning rate that follows from it.

Xiang et al. 2023, section V-A: the rate is halved when the validation loss stops falling. Which clips, how many and how
patient is ours: the end of each span, so that every patient is in both.
"""

import csv
from collections.abc import Sequence
from pathlib import Path

import torch

from training.datasets.sequence_feed import SequenceBatch
from training.datasets.sequences import SequenceSampler, SequenceSpan
from training.errors import UserError
from training.files.csv_text import read_dicts
from training.methods import colo_scrl, pretrain_method
from training.optimisation.schedule import plateau_factor
from training.pretraining.batches import PretrainBatches
from training.pretraining.config import PretrainConfig
from training.runs.folder import CsvLog
from training.runs.reporter import Reporter

COLUMNS = ("step", "loss")
VIEWS_STEP = 2**30
"""Views of the clips are drawn as those of the batches from this step on, so they are the same every time."""


class Validation:
    """Measures the loss at evaluations; the losses are in validation.csv, so a resumed run goes on from them."""

    def __init__(
        self,
        read: SequenceBatch,
        batches: PretrainBatches,
        method: pretrain_method.PretrainMethod,
        clips: int,
        path: Path,
        first_step: int,
        reporter: Reporter,
    ) -> None:
        """Take up the losses of a run up to a step; `read` are the clips kept apart, of which `clips` go through at
        once.
        """
        self._parts = parts_of(read, clips)
        self._batches, self._method, self._reporter = batches, method, reporter
        self._log = CsvLog(path, COLUMNS, first_step)
        with path.open(newline="", encoding="utf-8") as file:
            try:
                self._losses = {int(row["step"]): float(row["loss"]) for row in read_dicts(file)}
            except (ValueError, KeyError, csv.Error) as error:
                raise UserError("{path} is not a table of validation losses.", "Start a new run.", path) from error

    def close(self) -> None:
        """Close the file."""
        self._log.close()

    def __call__(self, step: int) -> float:
        """Measure and store the loss after so many steps."""
        loss = self._losses[step] = self.loss()
        self._log.append([(step, loss)])
        self._reporter.partial("validation", {"step": step, "loss": loss})
        return loss

    @torch.no_grad()
    def loss(self) -> float:
        """The mean loss of all clips; neither weights nor queue change."""
        total, count = 0.0, 0
        for number, read in enumerate(self._parts):
            self._reporter.check()
            result = self._batches.of(read, VIEWS_STEP + number)
            clips = len(result.images)
            total += clips * float(self._method.losses_of(self._method.embed(result.images), result.labels).total)
            count += clips
        self._method.forget_batch()
        return total / count

    def factor(self, patience: int, first_step: int) -> float:
        """Factor of the learning rate after the losses so far, of those from a step on.

        The queue starts with random keys, which are easily told from those of clips: the loss is low, and rises until
        the batches have filled the queue. Losses before that say nothing about the rate.
        """
        return plateau_factor([loss for step, loss in self._losses.items() if step >= first_step], patience)


def parts_of(read: SequenceBatch, clips: int) -> list[SequenceBatch]:
    """A batch in parts of at most `clips` sequences."""
    parts = []
    numbers = torch.bincount(read.sequence).nonzero().squeeze(1)
    for chosen in torch.split(numbers, clips):
        rows = torch.isin(read.sequence, chosen)
        there = rows.to(read.frames.device)
        parts.append(
            SequenceBatch(
                read.frames[there], read.labels[there], read.is_round[rows], read.sides_px[rows], read.sequence[rows]
            )
        )
    return parts


def split_spans(
    spans: Sequence[SequenceSpan], share: float, length: int
) -> tuple[tuple[SequenceSpan, ...], tuple[SequenceSpan, ...]]:
    """What is trained on, and what is kept apart: the end of each span, at least one clip of `length` frames.

    A span that would not leave a whole clip to train on is trained on as a whole.
    """
    training, apart = [], []
    for span in spans:
        kept = max(length, int(share * len(span)))
        if share == 0 or len(span) < kept + length:
            training.append(span)
            continue
        border = span.stop - kept
        training.append(SequenceSpan(span.study, span.gamma, span.start, border))
        apart.append(SequenceSpan(span.study, span.gamma, border, span.stop))
    return tuple(training), tuple(apart)


def validation_sampler(config: PretrainConfig, spans: Sequence[SequenceSpan]) -> SequenceSampler | None:
    """The sampler of the clips kept apart, of which step 0 is used; None for methods without a validation loss.

    Raises:
        UserError: the schedule needs a validation loss, and no span is long enough to keep clips apart.
    """
    if not isinstance(config, colo_scrl.ColoScrlSettings):
        return None
    if not spans:
        if config.schedule == "plateau":
            raise UserError(
                "No span is long enough to keep clips apart for the validation loss.",
                "Add longer studies, decrease sequence_length, or set schedule=constant.",
            )
        return None
    room = sum(len(span) // config.sequence_length for span in spans)
    clips = min(config.validation_clips, room)
    return SequenceSampler(spans, config.sequence_length, clips, "anywhere", 0, config.seed, config.frame_step)
