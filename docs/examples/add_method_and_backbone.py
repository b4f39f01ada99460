# %% [markdown]
# # Add a method and a backbone
#
# Both are known by name once they are registered: here, on the command line and in evaluations of this process.

# %%
import tempfile
from pathlib import Path

import torch
from pydantic import Field
from torch import nn

import training
from training.losses import BatchAllTripletLoss
from training.methods import FinetuneMethod, Losses, Settings, register_method
from training.models import register_backbone

# %% [markdown]
# A backbone is any module that makes a feature map, tokens or a vector. Of a `Sequential` with children `layer1` to
# `layer4`, which end at 1/4, 1/8, 1/16 and 1/32 of the side, single layers can be trained and explained.


# %%
def make_trunk() -> nn.Sequential:
    trunk = nn.Sequential()
    channels = 3
    for number, (width, stride) in enumerate([(8, 4), (16, 2), (24, 2), (32, 2)], 1):
        layer = nn.Sequential(nn.Conv2d(channels, width, 5, stride, padding=2), nn.BatchNorm2d(width), nn.ReLU())
        trunk.add_module(f"layer{number}", layer)
        channels = width
    return trunk


register_backbone("small", make_trunk, embedding_size=32)

# %% [markdown]
# A method has settings of its own, makes its losses, and computes them from a batch's embeddings and labels.


# %%
class SmoothedSettings(Settings):
    smoothing: float = Field(0.1, ge=0, lt=1, description="Label smoothing of the cross-entropy.")
    triplet_weight: float = Field(0.5, ge=0, description="Weight of the triplet loss.")


@register_method
class Smoothed(FinetuneMethod):
    name = "smoothed"
    title = "Smoothed labels"
    sentence = "Cross-entropy with smoothed labels, and a triplet loss."
    settings: SmoothedSettings
    settings_class = SmoothedSettings
    terms = ("triplet", "cross_entropy")

    def prepare(self) -> None:
        self.triplets = BatchAllTripletLoss(margin=0.2)
        self.cross_entropy = nn.CrossEntropyLoss(label_smoothing=self.settings.smoothing)

    def losses_of(self, embedding: torch.Tensor, labels: torch.Tensor) -> Losses:
        triplet = self.triplets(embedding, labels)
        cross_entropy = self.cross_entropy(self.network.classifier(embedding), labels)
        total = self.settings.triplet_weight * triplet + cross_entropy
        return Losses(total, {"triplet": triplet, "cross_entropy": cross_entropy})


# %%
folder = Path(tempfile.mkdtemp())
manifest = training.make_phantom(folder, studies=3, frames=40, size_px=96, positive_share=0.2)
common = {"studies": manifest, "labels": folder / "labels.csv", "init": "random", "backbone": "small", "device": "cpu"}
common |= {"input_size": 64, "steps": 2, "least_frames": 1, "batch_size": 16, "evaluations": 1, "threads": 1}
result = training.finetune(**common, method="smoothed", smoothing=0.2, out=folder / "smoothed")
print(result.model.card["method"]["name"], result.figures["any"]["auc"])

# %% [markdown]
# Where only the triplet loss is to be replaced, a function is enough: embeddings `(B, D)` and labels `(B,)`, 0 for
# normal. Losses of pytorch-metric-learning are such functions, and the card names the loss.


# %%
def centre_loss(embeddings: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    centres = [embeddings[labels == label].mean(0) for label in labels.unique()]
    own = torch.stack(centres)[torch.unique(labels, return_inverse=True)[1]]
    return (embeddings - own).square().sum(1).mean()


result = training.finetune(**common, method="tl-ba", loss=centre_loss, out=folder / "centred")
print(result.model.embedding_size, result.figures["any"]["auc"])
