"""Drawings as they are stored."""

import json

import pytest

from wce_desktop.core.annotation import ReportPart
from wce_desktop.core.drawings import Drawings, Shape, drawings_of, read_drawings

ARROW = Shape("arrow", 1, 2, 30, 40, tip=3)


def test_drawings_are_the_same_after_they_were_stored() -> None:
    drawings = Drawings().with_shapes(7, [ARROW, Shape("text", 0, 0, 9, 9, text="aphtha")]).toggled(9).toggled(7)
    assert read_drawings(json.loads(json.dumps(drawings.content))) == drawings
    assert drawings.in_report == (7, 9)
    assert drawings.with_shapes(7, ()).toggled(7).toggled(9).content == {}


def test_an_arrow_goes_from_one_corner_to_the_other() -> None:
    assert ARROW.line == (30, 40, 1, 2)
    assert Shape("arrow", 1, 2, 30, 40, tip=0).line == (1, 40, 30, 2)


@pytest.mark.parametrize(
    "content", [{"frames": {"1": [["star", 0, 0, 1, 1]]}}, {"frames": {"x": []}}, {"frames": [1]}, {"report": [None]},
                {"frames": {"1": [["circle", 5, 5, 1, 1]]}}, {"frames": {"1": [["circle", 0, 0, 1, 1, 9]]}}]
)  # fmt: skip
def test_what_something_else_wrote_is_no_drawing(content: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_drawings(content)
    assert drawings_of(ReportPart.new(study_id="s", kind="drawings", content=content)) == Drawings()


def test_a_report_has_the_drawings_of_the_frames_that_it_shows() -> None:
    drawings = Drawings({1: (ARROW,), 2: (ARROW,), 3: (ARROW,)}, (2,))
    assert set(drawings.of_frames([3]).shapes) == {2, 3}
