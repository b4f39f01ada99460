"""The points of a map in the order in which they are painted, and the colours they get."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wce_desktop.features.embedding_map.model.map_coloring import Coloring

SELECTED = 128
"""Added to the code of a selected point."""
CODES = 256
DIMMED = 0.55
"""Of its brightness is left to a point that is not selected while others are."""
LEVELS = 8
"""Steps of brightness by how many points share a pixel."""
FAINTEST = 0.5


@dataclass(frozen=True, eq=False)
class Drawing:
    """n of the N points, those that are shown, from the lowest to the topmost.

    Args:
        rows: (n,) int64 which points they are.
        x, y: (n,) float32 their places.
        codes: (n,) uint8: the category, plus `SELECTED` for a selected point.
        colors: (256,) uint32: 0xffRRGGBB of a code.
        shapes: the shape of every category, of `vocabulary.SHAPES`.
    """

    rows: NDArray[np.int64]
    x: NDArray[np.float32]
    y: NDArray[np.float32]
    codes: NDArray[np.uint8]
    colors: NDArray[np.uint32]
    shapes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        coordinates: NDArray[np.float32],
        coloring: Coloring,
        shown: NDArray[np.bool_],
        selected: NDArray[np.int64],
        shuffled: NDArray[np.int64],
    ) -> Drawing:
        """What is frequent lies below what is rare, within that as `shuffled` has it; selected points are on top.

        Args:
            coordinates: (N, 2).
            coloring: of the same N points.
            shown: (N,) bool.
            selected: the selected points.
            shuffled: (N,) a permutation, so that of equals no study always covers the others.
        """
        codes = coloring.codes.copy()
        codes[selected] += np.uint8(SELECTED)
        counts = np.bincount(coloring.codes, minlength=SELECTED)
        falling = np.argsort(-counts[:SELECTED], kind="stable")
        priority = np.zeros(CODES, dtype=np.uint8)
        priority[falling] = np.arange(SELECTED)
        if coloring.is_mixed:
            priority[:SELECTED] = 0
        priority[SELECTED:] = priority[:SELECTED] + SELECTED
        order = shuffled[shown[shuffled]]
        order = order[np.argsort(priority[codes[order]], kind="stable")]
        return cls(
            rows=order,
            x=np.ascontiguousarray(coordinates[order, 0]),
            y=np.ascontiguousarray(coordinates[order, 1]),
            codes=codes[order],
            colors=_colors(coloring, has_selection=len(selected) > 0),
            shapes=tuple(category.shape for category in coloring.categories),
        )

    def moved(self, coordinates: NDArray[np.float32]) -> Drawing:
        """The same points elsewhere: (N, 2), of all points."""
        x, y = (np.ascontiguousarray(coordinates[self.rows, axis]) for axis in (0, 1))
        return Drawing(self.rows, x, y, self.codes, self.colors, self.shapes)


def _colors(coloring: Coloring, *, has_selection: bool) -> NDArray[np.uint32]:
    table = np.zeros(CODES, dtype=np.uint32)
    for code, category in enumerate(coloring.categories):
        rgb = category.rgb
        table[code] = pack(tuple(round(value * DIMMED) for value in rgb) if has_selection else rgb)
        table[code + SELECTED] = pack(rgb)
    return table


def pack(rgb: tuple[int, ...]) -> int:
    """0xffRRGGBB."""
    red, green, blue = rgb
    return 0xFF000000 | red << 16 | green << 8 | blue
