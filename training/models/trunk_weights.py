"""Weights for a trunk alone: read from a file, and put into a trunk that they fit."""

from collections.abc import Mapping
from pathlib import Path

from torch import Tensor, nn

from training.errors import UserError
from training.files.safetensors import is_pickle
from training.files.tensors import load_tensors
from training.models.imagenet import imagenet_state


def trunk_of_file(path: Path, backbone: str, weights_cache: Path) -> dict[str, Tensor]:
    """The trunk's tensors in a safetensors file, or in the published ImageNet file of the backbone.

    Raises:
        UserError: the file is neither, or a number in it is not finite.
    """
    if is_pickle(path) or path.suffix in (".pth", ".pt"):
        # Pickles are read for one reason only: they are the published file, byte for byte.
        return imagenet_state(backbone, weights_cache, file=path)
    return trunk_part(load_tensors(path))


def trunk_part(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """A network's state under the names that its trunk has when it stands alone; floats as float32."""
    return {
        name.removeprefix("trunk."): tensor.float() if tensor.is_floating_point() else tensor
        for name, tensor in state.items()
    }


def fill_trunk(trunk: nn.Module, state: Mapping[str, Tensor], backbone: str, source: str) -> None:
    """Put weights into a trunk; what else the state holds is left out.

    Raises:
        UserError: a weight of the trunk is missing in `source` or has another shape.
    """
    wanted = trunk.state_dict()
    for name in wanted:
        if name not in state or state[name].shape != wanted[name].shape:
            raise UserError(
                "{source} does not fit a {backbone}: the weights {name} are missing or of another shape.",
                "Choose the backbone that the weights belong to.",
                source,
                backbone,
                name,
            )
    trunk.load_state_dict({name: state[name] for name in wanted})
