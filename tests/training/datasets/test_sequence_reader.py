"""How large a study's frames are, by what was found of their field of view."""

import pytest

from training.datasets.sequence_reader import study_sides
from training.video import FieldOfView


def circle(width: int, height: int, radius: float) -> FieldOfView:
    """In the middle of the frame."""
    return FieldOfView("circle", width, height, (width / 2 - 0.5, height / 2 - 0.5), radius)


@pytest.mark.parametrize(
    ("view", "sides"),
    [
        (FieldOfView.full(576, 576), (576, 576)),
        (FieldOfView.full(336, 336), (336, 336)),
        (circle(576, 576, 255.5), (576, 512)),  # a circle smaller than the frame is still a study of 576 px
        (circle(1280, 720, 299.5), (720, 600)),  # a recording: the capsule's picture is as high as it
        (FieldOfView.full(720, 1280), (1280, 1280)),  # nothing found: the square has the longer side
    ],
)
def test_the_smaller_side_counts_but_never_less_than_the_square(view: FieldOfView, sides: tuple[int, int]) -> None:
    assert study_sides(view) == sides
