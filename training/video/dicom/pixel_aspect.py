"""The shape of a pixel, as files of all kinds say it by two numbers."""

import math
from fractions import Fraction

_ALMOST_SQUARE = 0.01  # encoders round: the aspect 405:404 means square pixels
_MOST_STRETCHED = 16


def usable_aspect(across: float, down: float) -> Fraction:
    """Width over height of a pixel; 1 where the two numbers are none, almost the same, or cannot be."""
    if (
        not (0 < across < math.inf and 0 < down < math.inf)
        or not 1 / _MOST_STRETCHED <= across / down <= _MOST_STRETCHED
    ):
        return Fraction(1)
    aspect = (Fraction(across) / Fraction(down)).limit_denominator(1000)
    return Fraction(1) if abs(aspect - 1) <= _ALMOST_SQUARE else aspect
