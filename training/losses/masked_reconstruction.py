"""The loss of a masked autoencoder (Xiang et al. 2023, eq. 1): squared error of normalised pixels of masked cubes."""

from torch import Tensor
from torch.nn.functional import mse_loss

EPSILON = 1e-6
"""Added to a cube's standard deviation (VideoMAE's, of pixels in [0, 1]): a cube of one colour becomes zero."""


def cube_statistics(cubes: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and standard deviation (`EPSILON` included) of each cube's pixels, by channel: two tensors (B, N, 1, 3).

    Cubes (B, N, P) have the three channels of pixels in [0, 1] side by side.
    """
    pixels = _by_channel(cubes)
    return pixels.mean(2, keepdim=True), pixels.std(2, keepdim=True) + EPSILON


def normalised_cubes(cubes: Tensor) -> Tensor:
    """Cubes (B, N, P) of pixels in [0, 1] with mean 0 and standard deviation 1 in each channel of each cube.

    The paper says "normalized masked tokens"; by cube and channel is VideoMAE's practice.
    """
    mean, deviation = cube_statistics(cubes)
    return ((_by_channel(cubes) - mean) / deviation).flatten(2)


def pixels_of_normalised(normalised: Tensor, cubes: Tensor) -> Tensor:
    """The reverse of `normalised_cubes`, with the statistics of `cubes`; both (B, N, P)."""
    mean, deviation = cube_statistics(cubes)
    return (_by_channel(normalised) * deviation + mean).flatten(2)


def masked_reconstruction_loss(reconstruction: Tensor, targets: Tensor) -> Tensor:
    """Eq. 1: mean squared error over masked cubes, () of two tensors (B, M, P)."""
    return mse_loss(reconstruction.float(), targets.float())


def _by_channel(cubes: Tensor) -> Tensor:
    """(B, N, P) -> (B, N, P / 3, 3)."""
    return cubes.reshape(*cubes.shape[:2], -1, 3)
