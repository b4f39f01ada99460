"""Networks that stay loaded between two requests: those used last, each in the forms that were asked for."""

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch

from training.errors import UserError
from training.inference.engine import FrameEngine
from training.inference.explained_model import ExplainedModel
from training.inference.plan import choose_plan
from training.models.folder import ModelFolder, file_sha256
from training.models.network import load_network
from training.pretraining.pretrained import Pretrained, is_pretraining


@dataclass
class LoadedNetwork:
    """A model folder, or a kept step of a pretraining; its forms are made when first needed, and then kept."""

    origin: ModelFolder | Pretrained
    device: torch.device
    precision: str
    sha256: str

    @cached_property
    def explained(self) -> ExplainedModel:
        """Made ready to be explained."""
        step = self.origin.step if isinstance(self.origin, Pretrained) else None
        path = self.origin.run if isinstance(self.origin, Pretrained) else self.origin.path
        return ExplainedModel.open(path, device=self.device.type, precision=self.precision, step=step)  # type: ignore[arg-type]

    @cached_property
    def engine(self) -> FrameEngine:
        """The scoring engine, so that a vector is what scoring stores.

        Raises:
            UserError: a pretraining, which scores nothing.
        """
        if isinstance(self.origin, Pretrained):
            raise UserError("A pretraining cannot embed frames here yet.", "Choose a model.")
        return FrameEngine(load_network(self.origin), choose_plan(self.device, precision=self.precision))


class Networks:
    """The networks used last; one whose files have changed is loaded anew."""

    def __init__(self, device: torch.device, room: int) -> None:
        self._device = device
        self._room = room
        self._loaded: OrderedDict[tuple[object, ...], LoadedNetwork] = OrderedDict()

    def get(self, path: Path, step: int | None = None, precision: str = "auto") -> LoadedNetwork:
        """The network of a model folder or run folder.

        Raises:
            UserError: neither of the two, or damaged.
        """
        origin = Pretrained.open(path, step) if is_pretraining(path) else ModelFolder.open(path)
        weights = origin.weights if isinstance(origin, Pretrained) else origin.weights_path
        sha256 = file_sha256(weights) if isinstance(origin, Pretrained) else origin.sha256
        key = (weights, sha256, precision)
        if key not in self._loaded:
            while len(self._loaded) >= self._room:
                self._loaded.popitem(last=False)
            self._loaded[key] = LoadedNetwork(origin, self._device, precision, sha256)
        self._loaded.move_to_end(key)
        return self._loaded[key]

    def forget(self) -> None:
        """Let all of them go."""
        self._loaded.clear()
