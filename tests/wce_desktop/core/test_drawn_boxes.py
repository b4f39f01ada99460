"""Boxes that a reader draws: clipped to the frame, kept inside it, named, assigned."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core import boxes
from wce_desktop.core.annotation.change import Add, Remove, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.span import Span

SIZE = (100.0, 80.0)
BOX = Box("b", "s", 5, 10, 20, 30, 50, "polyp")
POLYP, ULCER = Finding("p", "s", "polyp", Span(3, 9)), Finding("u", "s", "ulcer", Span(20, 22), key_frames=(5,))
numbers = st.floats(-300, 300, allow_nan=False)


def draw(edges: boxes.Edges, name: str = "polyp") -> tuple[str, Box | None]:
    title, changes = boxes.draw_box(edges, SIZE, 5, name, [POLYP, ULCER], study_id="s", reader="r")
    made = [change.new for change in changes if isinstance(change, Add) and isinstance(change.new, Box)]
    return title, made[0] if made else None


def test_a_box_is_clipped_to_the_frame_and_belongs_to_the_finding_there() -> None:
    title, box = draw((90, 70, 150, -20))
    assert title == "Draw a box around polyp"
    assert box is not None
    assert (box.x_min, box.y_min, box.x_max, box.y_max) == (90, 0, 100, 70)
    assert (box.finding_id, box.reader, box.frame_index) == ("p", "r", 5)
    _, box = draw((0, 0, 10, 10), "ulcer")
    assert box is not None
    assert box.finding_id == "u"  # by its key frame
    _, box = draw((0, 0, 10, 10), "blood")
    assert box is not None
    assert box.finding_id is None


def test_a_box_outside_the_frame_is_a_sentence() -> None:
    assert draw((120, 10, 150, 40)) == (
        "A box needs at least 2 pixels of the frame in each direction: nothing was drawn",
        None,
    )
    title, changes = boxes.reshape_box(BOX, (-50, 0, -20, 10), SIZE)
    assert changes == ()
    assert title.endswith("it stays as it was")


@given(numbers, numbers, numbers, numbers)
def test_what_is_clipped_lies_inside(x: float, y: float, other_x: float, other_y: float) -> None:
    found = boxes.clipped((x, y, other_x, other_y), *SIZE)
    if found is not None:
        assert 0 <= found[0] < found[2] <= SIZE[0]
        assert 0 <= found[1] < found[3] <= SIZE[1]


@given(numbers, numbers)
def test_a_moved_box_keeps_its_size_and_stays_inside(right: float, down: float) -> None:
    edges = boxes.moved((10, 20, 30, 50), right, down, *SIZE)
    assert abs(edges[2] - edges[0] - 20) < 1e-6
    assert abs(edges[3] - edges[1] - 30) < 1e-6
    assert edges[0] >= 0
    assert edges[1] >= 0
    assert edges[2] <= SIZE[0]
    assert edges[3] <= SIZE[1]


def test_boxes_are_reshaped_named_assigned_and_removed() -> None:
    title, changes = boxes.reshape_box(BOX, (10, 20, 40, 50), SIZE)
    assert (title, changes) == ("Change a box around polyp", (Replace(BOX, replace(BOX, x_max=40.0)),))
    assert boxes.reshape_box(BOX, (10, 20, 30, 50), SIZE).changes == ()
    owned = replace(BOX, finding_id="p")
    _, changes = boxes.name_box(owned, "ulcer", [POLYP, ULCER])
    assert changes == (Replace(owned, replace(owned, name="ulcer", finding_id="u")),)
    _, changes = boxes.assign_box(BOX, ULCER)
    assert changes == (Replace(BOX, replace(BOX, name="ulcer", finding_id="u")),)
    _, changes = boxes.assign_box(owned, None)
    assert changes == (Replace(owned, BOX),)
    assert boxes.remove_box(BOX).changes == (Remove(BOX),)
