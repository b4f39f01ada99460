"""Arrows, circles and text that a reader draws on frames, and frames chosen for the report; frames stay as recorded.

Both are the content of one `ReportPart` ("drawings"): `frames` maps the index of a frame to its shapes, `report` lists
the frames that the report shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field, replace
from typing import Any, Literal, get_args

from wce_desktop.core.annotation.report_part import ReportPart
from wce_desktop.core.boxes import Edges

ShapeKind = Literal["arrow", "circle", "text"]
SHAPES: tuple[ShapeKind, ...] = get_args(ShapeKind)
COLOR = "#f0e442"
"""Yellow of Okabe and Ito: no tissue has it."""
MOST_LETTERS = 80
CORNERS = ((2, 1), (2, 3), (0, 3), (0, 1))
"""Of a box: where in its edges x and y of each corner stand; clockwise from the upper right one."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What is drawn inside a box, in pixels of the study's frames.

    Attributes:
        tip: the corner of `CORNERS` to which an arrow points.
        text: of a text.
    """

    kind: ShapeKind
    x_min: float
    y_min: float
    x_max: float
    y_max: float
    tip: int = 0
    text: str = ""

    def __post_init__(self) -> None:
        if self.kind not in SHAPES or self.tip not in range(len(CORNERS)) or not isinstance(self.text, str):
            raise ValueError(f"this is not a shape: {self}")
        if not 0 <= self.x_min < self.x_max or not 0 <= self.y_min < self.y_max:
            raise ValueError(f"the edges of a shape are out of order: {self.edges}")

    @property
    def edges(self) -> Edges:
        """x_min, y_min, x_max, y_max."""
        return self.x_min, self.y_min, self.x_max, self.y_max

    @property
    def line(self) -> Edges:
        """x and y of the end and of the tip of an arrow."""
        (x_end, y_end), (x_tip, y_tip) = CORNERS[(self.tip + 2) % 4], CORNERS[self.tip]
        return self.edges[x_end], self.edges[y_end], self.edges[x_tip], self.edges[y_tip]

    def within(self, edges: Edges) -> Shape:
        """The same shape in another box."""
        x_min, y_min, x_max, y_max = edges
        return replace(self, x_min=x_min, y_min=y_min, x_max=x_max, y_max=y_max)


@dataclass(frozen=True)
class Drawings:
    """Of one study.

    Attributes:
        shapes: frame index -> shapes in the order in which they were drawn.
        in_report: frames that the report shows, in order of time.
    """

    shapes: Mapping[int, tuple[Shape, ...]] = field(default_factory=dict)
    in_report: tuple[int, ...] = ()

    @property
    def content(self) -> dict[str, Any]:
        """As the content of a `ReportPart`; empty where there is nothing."""
        frames = {str(frame): [list(astuple(one)) for one in shapes] for frame, shapes in sorted(self.shapes.items())}
        return {"frames": frames, "report": list(self.in_report)} if frames or self.in_report else {}

    def with_shapes(self, frame: int, shapes: Iterable[Shape]) -> Drawings:
        """The same with other shapes on a frame."""
        every = {**self.shapes, frame: tuple(shapes)}
        return replace(self, shapes={index: each for index, each in every.items() if each})

    def toggled(self, frame: int) -> Drawings:
        """The same with a frame put into the report, or taken out of it."""
        return replace(self, in_report=tuple(sorted({*self.in_report} ^ {frame})))

    def of_frames(self, frames: Iterable[int]) -> Drawings:
        """What a report that shows these frames, too, has of it."""
        shown = {*frames, *self.in_report}
        return replace(self, shapes={frame: each for frame, each in self.shapes.items() if frame in shown})


def drawings_of(part: ReportPart | None) -> Drawings:
    """The drawings in a part; none where there are none or they cannot be read."""
    try:
        return Drawings() if part is None else read_drawings(part.content)
    except ValueError:
        return Drawings()


def read_drawings(content: Mapping[str, Any]) -> Drawings:
    """The drawings in the content of a `ReportPart`.

    Raises:
        ValueError: it holds anything else.
    """
    try:
        shapes = {int(frame): tuple(Shape(*row) for row in rows) for frame, rows in content.get("frames", {}).items()}
        return Drawings(shapes, tuple(sorted({int(frame) for frame in content.get("report", ())})))
    except (TypeError, AttributeError) as error:
        raise ValueError("these drawings cannot be read") from error
