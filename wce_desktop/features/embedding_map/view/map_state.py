"""The state of a map: points, colours, hidden, selected and marked points; no widget."""

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.clock import format_frame, format_time
from wce_desktop.core.language import tr, tr_count
from wce_desktop.features.embedding_map.model.map_coloring import Coloring, Drawing, plain
from wce_desktop.features.embedding_map.model.map_points import MapPoints

Extent: TypeAlias = tuple[float, float, float, float]
NO_ROWS: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
NOWHERE = MapPoints((), np.zeros(0, np.int32), NO_ROWS, np.zeros(0), np.zeros((0, 2), np.float32))


@dataclass(eq=False)
class MapState:
    """Changed by its own methods only; `drawing` is rebuilt on access after a change.

    Attributes:
        points: N of them.
        coloring: of the same points.
        hidden: the codes that the legend has switched off.
        selected: the selected points, sorted.
        marked: the points of the marked span, in order of time.
        tail: the points of the frames before the playing one, the playing one last; empty when none is on the map.
        current: the point chosen by keys; -1 for none.
        extent: what the whole map is, where that is more than where its points lie now.
    """

    points: MapPoints = NOWHERE
    coloring: Coloring = field(default_factory=lambda: plain(0))
    hidden: frozenset[int] = frozenset()
    selected: NDArray[np.int64] = field(default_factory=lambda: NO_ROWS)
    marked: NDArray[np.int64] = field(default_factory=lambda: NO_ROWS)
    tail: NDArray[np.int64] = field(default_factory=lambda: NO_ROWS)
    current: int = -1
    extent: Extent | None = None
    _drawing: Drawing | None = None
    _shown: NDArray[np.bool_] | None = None
    _shuffled: NDArray[np.int64] = field(default_factory=lambda: NO_ROWS)

    def set_points(self, points: MapPoints, extent: Extent | None = None) -> None:
        """Show other frames, in one colour until a colouring is set."""
        self.points, self.extent = points, extent
        self.hidden, self.current = frozenset(), -1
        self.selected = self.marked = self.tail = NO_ROWS
        self._shuffled = np.random.default_rng(0).permutation(len(points))
        self.set_coloring(plain(len(points)))

    def move_points(self, coordinates: NDArray[np.float32]) -> None:
        """Move the frames to other coordinates (N, 2)."""
        self.points = self.points.moved(coordinates)
        if self._drawing is not None:
            self._drawing = self._drawing.moved(coordinates)

    def set_coloring(self, coloring: Coloring) -> None:
        """Colour by something else; everything is shown again where the categories are others."""
        if [category.name for category in coloring.categories] != [one.name for one in self.coloring.categories]:
            self.hidden = frozenset()
        self.coloring = coloring
        self._forget()

    def set_hidden(self, hidden: frozenset[int]) -> None:
        """Switch categories off."""
        self.hidden = hidden
        self._forget()

    def set_selected(self, rows: NDArray[np.int64]) -> None:
        """Set the selected points."""
        self.selected = rows
        self._drawing = None

    @property
    def words(self) -> str:
        """The frame that the keys are on, or the playing one, or how many there are; "" for an empty map."""
        count, at = len(self.points), self.current if self.current >= 0 else self.playing
        if at < 0:
            if not len(self.selected):
                return tr_count("map of {count} frame", "map of {count} frames", count) if count else ""
            return tr_count(
                "map of {count} frame, {selected} selected",
                "map of {count} frames, {selected} selected",
                count,
                selected=len(self.selected),
            )
        said = {
            "frame": format_frame(int(self.points.frame_index[at]) + 1),
            "time": format_time(float(self.points.video_seconds[at])),
            "category": self.coloring.categories[int(self.coloring.codes[at])].title,
        }
        if at in self.selected:
            return tr("frame {frame} of its study, {time}, {category}, selected", **said)
        return tr("frame {frame} of its study, {time}, {category}", **said)

    @property
    def bounds(self) -> Extent:
        """Lower left and upper right corner of the whole map."""
        return self.extent or self.points.bounds

    @property
    def playing(self) -> int:
        """The point of the playing frame, or -1."""
        return int(self.tail[-1]) if len(self.tail) else -1

    def _forget(self) -> None:
        self._drawing = self._shown = None

    @property
    def shown(self) -> NDArray[np.bool_]:
        """(N,) bool: the points of categories that are switched on."""
        if self._shown is None:
            is_on = np.ones(len(self.coloring.categories), dtype=bool)
            is_on[list(self.hidden)] = False
            self._shown = is_on[self.coloring.codes]
        return self._shown

    @property
    def drawing(self) -> Drawing:
        """The points in the order of painting."""
        if self._drawing is None:
            self._drawing = Drawing.of(
                self.points.coordinates, self.coloring, self.shown, self.selected, self._shuffled
            )
        return self._drawing
