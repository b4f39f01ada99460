"""What is written on a frame: label chips, boxes, the score of the class that is explained."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chip:
    """A label as it stands on the frame.

    Attributes:
        title: what it says ("Polyp").
        color: "#rrggbb" of the class.
        shape: one of `core.vocabulary.SHAPES`.
        is_suggested: True for what a model says and nobody confirmed yet; drawn hollow.
    """

    title: str
    color: str
    shape: str
    is_suggested: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """A box on the frame, in pixels of the study: edges `x_min`, `y_min` (included) and `x_max`, `y_max` (excluded).

    One that `is_suggested` is what a program says and nobody confirmed yet; drawn dashed.
    """

    x_min: float
    y_min: float
    x_max: float
    y_max: float
    title: str
    color: str
    is_suggested: bool = False


@dataclass(frozen=True, slots=True)
class FrameNotes:
    """All that is written on one frame; `score_text` ("Polyp 0.97") is shown with the explanation."""

    chips: tuple[Chip, ...] = ()
    outlines: tuple[Outline, ...] = ()
    score_text: str = ""
