"""A frame number in black and white blocks, with enough check bits to tell a torn picture from another frame."""

import hashlib

import numpy as np
from numpy.typing import NDArray

HEIGHT, WIDTH = 96, 144
_GRID = 6
_NUMBER_BITS = 12
_CHECK_BITS = _GRID**2 - _NUMBER_BITS
_DARK, _LIGHT, _MIDDLE = 40, 215, 128


def numbered_picture(number: int, noise: int, height: int = HEIGHT, width: int = WIDTH) -> NDArray[np.uint8]:
    """(height, width, 3) uint8 RGB that carries `number` in [0, 4096), with seeded noise of up to `noise` levels."""
    code = number << _CHECK_BITS | _check_of(number)
    bits = np.array([code >> place & 1 for place in range(_GRID**2)]).reshape(_GRID, _GRID)
    blocks = np.where(bits, _LIGHT, _DARK)
    picture = blocks[np.arange(height) * _GRID // height][:, np.arange(width) * _GRID // width]
    grain = np.random.default_rng(number).integers(-noise, noise + 1, (height, width))
    return np.repeat((picture + grain).clip(0, 255).astype(np.uint8)[..., None], 3, axis=2)


def number_in(picture: NDArray[np.uint8]) -> int:
    """The number that a picture carries, or -1 where it is torn or smeared.

    A picture with blocks of two frames passes the check once in 2**24 times.
    """
    grey = picture[..., 1]
    height, width = grey.shape
    code = 0
    for place in range(_GRID**2):
        row, column = divmod(place, _GRID)
        top, bottom = round((row + 0.3) * height / _GRID), round((row + 0.7) * height / _GRID)
        left, right = round((column + 0.3) * width / _GRID), round((column + 0.7) * width / _GRID)
        code |= int(grey[top:bottom, left:right].mean() > _MIDDLE) << place
    number = code >> _CHECK_BITS
    return number if _check_of(number) == code & (1 << _CHECK_BITS) - 1 else -1


def _check_of(number: int) -> int:
    return int.from_bytes(hashlib.blake2b(number.to_bytes(2, "big"), digest_size=_CHECK_BITS // 8).digest(), "big")
