"""Batches of a pretraining (a function of seed and step), its memory bank, optimizer, and number of steps."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.datasets.sequence_feed import SequenceBatch
from training.datasets.sequences import STUDY_STRIDE, SequenceSpan
from training.losses.memory_bank import MemoryBank
from training.methods import bank_method, pgcon_heads, pretrain_method
from training.methods.videomae import VideoMaeSettings
from training.pretraining.config import PretrainConfig
from training.pretraining.folder import PretrainFolder
from training.runs.checkpoint import KEPT, list_checkpoints
from training.runs.reporter import Reporter
from training.texts import Text

REPORTED_SHARE = 0.01
"""Share of frames without a prior above which it is reported (ours): every study has a few black frames."""
CHECK_EVERY = 20
"""Batches between two checks, each of which waits for the device."""


class PretrainBatches:
    """Step -> normalised images and labels of the method, on the device."""

    def __init__(
        self,
        feed: Callable[[int], SequenceBatch],
        method: pretrain_method.PretrainMethod,
        seed: int,
        rows: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        """`rows`: pseudo-labels -> rows in the memory bank, for methods that have one."""
        self._feed, self._method, self._seed, self._rows = feed, method, seed, rows
        self.tally: PriorTally | None = None
        """Counts frames without a prior in batches of steps, not in those of `of`."""

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        """The batch of one step (0-based)."""
        result = self.of(self._feed(step), step)
        if self.tally is not None and result.found is not None:
            self.tally.add(result.found)
        return result.images, result.labels

    def of(self, read: SequenceBatch, step: int) -> pretrain_method.PretrainBatch:
        """The batch of a step, made from given frames."""
        if self._rows is not None:
            read = read._replace(labels=self._rows(read.labels))
        return self._method.batch(read, torch.Generator().manual_seed((self._seed << 32) + step))


class FrameRows:
    """Pseudo-label of a frame -> its row; frames of the used spans are numbered by study, then by time."""

    def __init__(self, spans: Sequence[SequenceSpan]) -> None:
        ordered = sorted(spans, key=lambda span: (span.gamma, span.start))
        lengths = np.array([len(span) for span in ordered], dtype=np.int64)
        self._first_labels = torch.tensor([span.gamma * STUDY_STRIDE + span.start for span in ordered])
        self._first_rows = torch.from_numpy(np.cumsum(lengths) - lengths)
        self._spans = ordered
        self.count = int(lengths.sum())

    def __call__(self, labels: Tensor) -> Tensor:
        """(B,) int64 pseudo-labels -> (B,) int64 rows, on the CPU."""
        there = labels.cpu()
        span = torch.searchsorted(self._first_labels, there, right=True) - 1
        rows: Tensor = self._first_rows[span] + there - self._first_labels[span]
        return rows

    def frames(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(N,) rows -> study numbers (N,) and frame indices (N,)."""
        first = self._first_rows.numpy()
        span = np.searchsorted(first, rows, side="right") - 1
        studies = np.array([each.study for each in self._spans], dtype=np.int64)
        starts = np.array([each.start for each in self._spans], dtype=np.int64)
        return studies[span], starts[span] + rows - first[span]


class PriorTally:
    """Counts frames without a prior (black, without red, no field of view) since the process started."""

    def __init__(self, log: Callable[[str], None], first_step: int = 0) -> None:
        """`log` is called at most once; `first_step`: steps done before."""
        self._log, self._first_step = log, first_step
        self._missed = torch.zeros((), dtype=torch.int64)
        self._frames, self._batches, self._was_reported = 0, 0, False

    def add(self, found: Tensor) -> None:
        """Count one batch: (B,) bool, see `PriorSquares`; waits for the device every `CHECK_EVERY` batches only."""
        if self._batches % CHECK_EVERY == 0:
            self.check()  # earlier batches are done by now
        self._missed = self._missed.to(found.device) + (~found).sum()
        self._frames += len(found)
        self._batches += 1

    def check(self) -> str:
        """A warning if many frames have no prior, else ""; it is logged the first time."""
        missed = int(self._missed)
        if missed <= REPORTED_SHARE * self._frames:
            return ""
        since = Text(" since step {step}", self._first_step) if self._first_step else ""
        sentence = Text(
            "{missed:,} of {frames:,} frames{since} have no red region (black, without red, or without a field of "
            "view): their prior view is the middle of the frame.",
            missed,
            self._frames,
            since,
        )
        if not self._was_reported:
            self._log(sentence + " " + Text("Decrease least_redness, or exclude such frames."))
            self._was_reported = True
        return sentence

    def counts(self) -> dict[str, dict[str, int]]:
        """JSON values for the card; empty if nothing was counted."""
        if not self._frames:
            return {}
        counted = {"frames": self._frames, "in_the_middle": int(self._missed), "since_step": self._first_step}
        return {"prior_views": counted}


def add_bank(network: nn.Module, config: PretrainConfig, frames: int, folder: Path, reporter: Reporter) -> None:
    """Add a memory bank with a row for each frame to the network, if its method has one.

    Raises:
        UserError: the disk has no space for a bank on disk and for its copies in checkpoints.
    """
    if not isinstance(network, pgcon_heads.PriorPretrainer) or not isinstance(config, bank_method.BankSettings):
        return
    width = config.projection[-1]
    size = MemoryBank.nbytes(frames, width)
    is_large = size > config.bank_memory_gb * 1e9
    if is_large:
        reporter.log(
            Text(
                "The memory bank of {frames:,} frames takes {size:.2g} GB and is stored in the run folder.",
                frames,
                size / 1e9,
            )
        )
        reporter.log(Text("Each checkpoint contains a copy; there are up to {kept} at a time.", KEPT + 1))
    network.bank = MemoryBank(
        frames,
        width,
        momentum=config.bank_momentum,
        start=config.bank_start,
        seed=config.seed,
        folder=folder if is_large else None,
        copies=checkpoints_to_come(folder) if is_large else 0,
    )


def checkpoints_to_come(folder: Path) -> int:
    """Number of checkpoints that still need disk space, including the one being written."""
    return KEPT + 1 - len(list_checkpoints(PretrainFolder(folder).checkpoints)[:KEPT])


def make_optimizer(network: nn.Module, config: PretrainConfig) -> torch.optim.Optimizer:
    """One parameter group for all weights that are trained (Pascual et al. 2022: SGD without momentum, L2 of 1e-4).

    The paper does not say which weights L2 is for: all of them here (ours). VideoMAE has a second group without weight
    decay: biases, norms and the mask token.
    """
    weights: list[Any] = [weight for weight in network.parameters() if weight.requires_grad]
    if isinstance(config, VideoMaeSettings) and not config.decay_all:
        others = [weight for weight in weights if weight.ndim == 1]  # biases, norms and the mask token
        weights = [
            {"params": [weight for weight in weights if weight.ndim > 1]},
            {"params": others, "weight_decay": 0.0},
        ]
    if config.optimizer == "sgd":
        return torch.optim.SGD(
            weights, config.learning_rate, momentum=config.momentum, weight_decay=config.weight_decay
        )
    kind = torch.optim.Adam if config.optimizer == "adam" else torch.optim.AdamW
    return kind(weights, config.learning_rate, config.method_class.betas, weight_decay=config.weight_decay)
