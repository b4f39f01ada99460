"""What a method found on one frame: a raw map, the scale that it is drawn on, and whose word it is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class ExplainedMap:
    """The evidence for one class on one frame, over the square that the model saw.

    Attributes:
        values: (h, w) of any float type, raw; above zero speaks for the class.
        full_scale: the value drawn as the strongest colour; None takes the map's own maximum.
        method: how it was found, in words ("Score-CAM, quick: agrees 0.96 with the exact one").
        model: the title of the model.
    """

    values: NDArray[np.floating]
    full_scale: float | None = None
    method: str = ""
    model: str = ""
