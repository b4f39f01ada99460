"""A backbone for tests: a ResNet of 30,000 weights, trained and written to disk in a moment.

Importing this module registers it; torch is imported with the first trunk. Tests about real networks name one.
"""

from typing import TYPE_CHECKING

from training.models.backbones import BACKBONES, Backbone, Published

if TYPE_CHECKING:
    from torch import nn

STAGES = (8, 12, 16, 32)


def make_trunk() -> "nn.Sequential":
    """One block a stage."""
    from training.models.resnet import BasicBlock, resnet_trunk

    return resnet_trunk(BasicBlock, (1, 1, 1, 1), STAGES)


TINY = Backbone(
    name="tiny",
    title="Tiny (tests)",
    embedding_size=STAGES[-1],
    parameters=0,
    gflops=0.02,
    make_trunk=make_trunk,
    make_graph=BACKBONES["resnet18"].make_graph,
    published=Published("tiny-00000000.pth", "00000000", package="no_such_package/models"),
    trunk_state=dict,
    is_own=True,
)
BACKBONES[TINY.name] = TINY
