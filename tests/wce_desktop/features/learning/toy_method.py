"""A pretraining method that is made here: name, settings, views, loss and title, in one class.

`python -m tests.wce_desktop.features.learning.toy_method CONFIG.json` is a job's child that knows it.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from training.methods.pretrain_method import PretrainBatch, PretrainMethod, PretrainSettings
from training.methods.registry import PRETRAINING

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from training.datasets.sequence_feed import SequenceBatch
    from training.losses.terms import Losses


class ToySettings(PretrainSettings):
    """How far the second view differs."""

    dimmed_to: float = Field(0.5, gt=0, lt=1, description="Brightness of the second view.")


class ToyMethod(PretrainMethod):
    """A frame and its darker copy point the same way; the mean direction of a batch is kept short."""

    name = "toy"
    title = "Darker copies (toy)"
    sentence = "A frame and its darker copy belong together."
    settings: ToySettings
    settings_class = ToySettings
    views = 2
    terms = ("agreement", "spread")

    def batch(self, read: "SequenceBatch", generator: "torch.Generator") -> PretrainBatch:
        import torch

        frames = read.frames.permute(0, 3, 1, 2).float() / 255.0
        views = torch.cat([frames, self.settings.dimmed_to * frames])
        return PretrainBatch((views - self.network.mean) / self.network.std, read.labels.repeat(self.views))

    def embed(self, images: "Tensor") -> "Tensor":
        with self.precision(images.device):
            projection: Tensor = self.network(images).projection
        return projection

    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        import torch

        from training.losses.terms import Losses

        self._embedding = embedding.detach()
        first, second = torch.nn.functional.normalize(embedding, dim=1).chunk(2)
        terms = {"agreement": 1 - (first * second).sum(1).mean(), "spread": first.mean(0).square().sum()}
        return Losses(terms["agreement"] + terms["spread"], terms)


def register() -> None:
    """What one line of the registry does."""
    PRETRAINING[ToyMethod.name] = ToyMethod


def toy_command(config_path: Path) -> list[str]:
    """The command line of a child that knows the method."""
    return [sys.executable, "-m", __name__, str(config_path)]


if __name__ == "__main__":
    from tests import tiny_backbone
    from tests.wce_desktop.features.learning import toy_method
    from training.commands.child import run_job

    assert tiny_backbone.TINY.name, "imported for its entry in the registry"
    toy_method.register()
    sys.exit(run_job(Path(sys.argv[1])))
