"""What all cells of a call share where rows share encoders, which are trained once and kept."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from training.experiments.engine import Cells, Runner
from training.experiments.reproduce import data, reproduce_config
from training.models.backbones import BACKBONES, DEFAULT_BACKBONE, has_imagenet_weights
from training.runs.reporter import Cancelled, Reporter

Cell = Mapping[str, Any]
"""The JSON values that are kept of a training, or of what needs none."""
MOST_PARTS = 5


def held_out_parts(patients: Iterable[str]) -> list[list[str]]:
    """The patients in at most five parts, in order of their names; each is evaluated by encoders of the others."""
    names = sorted(set(patients))
    return [names[part::MOST_PARTS] for part in range(min(MOST_PARTS, len(names)))]


BudgetType = TypeVar("BudgetType", bound=data.PhantomBudget)
CellKey = TypeVar("CellKey", bound=Hashable)


@dataclass(frozen=True)
class PhantomSetting(Generic[BudgetType]):
    """Settings, budget, and the phantom's studies."""

    config: reproduce_config.ReproduceConfig
    budget: BudgetType
    phantom: data.RenderedPhantom
    reporter: Reporter

    @property
    def key(self) -> str:
        """What decides the data."""
        return self.budget.phantom.key

    @property
    def sentence(self) -> str:
        """What the data are, for the table."""
        return self.budget.phantom.sentence

    @property
    def cells(self) -> Cells:
        """Where trainings and figures are kept."""
        return Cells(self.config.out / "cells", self.config.device, self.config.threads)

    @property
    def seeds(self) -> tuple[int, ...]:
        """Those that were asked for, else the budget's."""
        first = self.config.seed
        return tuple(range(first, first + (self.config.seeds or self.budget.seeds)))

    def has_weights(self, backbone: str) -> bool:
        """Whether the ImageNet weights of a backbone are at hand."""
        return has_imagenet_weights(backbone, self.config.weights_cache)

    def has_imagenet(self, backbone: str = DEFAULT_BACKBONE) -> bool:
        """Whether a trunk has ImageNet weights that are at hand, or that may be downloaded."""
        return backbone in BACKBONES and (self.config.download or self.has_weights(backbone))

    def run(
        self, keys: Sequence[CellKey], compute: Callable[[CellKey], Cell], describe: Callable[[CellKey], str]
    ) -> list[Cell]:
        """The cells, in order; fewer after a stop.

        Raises:
            Cancelled: a stop before the first one was done, or as the reporter asked.
        """
        runner: Runner[CellKey, Cell] = Runner(self.reporter, "", self.config.table, goes_on=False)
        results = list(runner.run(keys, compute, describe, announce=True).values())
        if keys and not results:
            raise Cancelled
        return results

    @contextmanager
    def seeded(self, seed: int, threads: int | None, folder: Path) -> Iterator[Any]:
        """The device to train on, with random numbers that the seed alone decides; makes the cell's folder."""
        import torch

        from training.compute.devices import training_device
        from training.optimisation.pace import threads_for_training

        device = training_device(self.config.device, self.reporter)
        folder.mkdir(parents=True, exist_ok=True)
        with torch.random.fork_rng(), threads_for_training(threads):
            torch.manual_seed(seed)
            yield device

    def fill_from_imagenet(self, trunk: Any, backbone: str) -> None:
        """Put ImageNet weights into a trunk; fetches them where the person agreed to that."""
        from training.models.imagenet import fill_trunk, imagenet_state

        cache, consented = self.config.weights_cache, self.config.download
        state = imagenet_state(backbone, cache, download_consented=consented, reporter=self.reporter)
        fill_trunk(trunk, state, backbone, "ImageNet")

    @cached_property
    def imagenet_network(self) -> Any:
        """A network that gives the pooled features (1280) of frames, ImageNet weights."""
        from torch import nn

        from training.reidentification.config import EncoderConfig
        from training.reidentification.encoder import SingleFrameEncoder

        network = SingleFrameEncoder(EncoderConfig(backbone=DEFAULT_BACKBONE))
        self.fill_from_imagenet(network.trunk, DEFAULT_BACKBONE)
        network.head = nn.Sequential()
        return network.eval()
