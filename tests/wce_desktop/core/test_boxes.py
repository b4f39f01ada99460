"""Suggested boxes become boxes of the finding that they lie in."""

from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.boxes import SuggestedBox, accept_boxes, suggested_by
from wce_desktop.core.span import Span


def suggested(frame_index: int, name: str = "blood") -> SuggestedBox:
    return SuggestedBox(frame_index, 1, 2, 30, 40, name, 0.8, "score-cam", "m1")


def test_a_box_belongs_to_the_finding_of_its_class_around_its_frame() -> None:
    polyp = Finding.new(study_id="s", kind="polyp", span=Span(0, 100))
    blood = Finding.new(study_id="s", kind="blood", span=Span(5, 10))
    plan = accept_boxes([suggested(7), suggested(10)], [polyp, blood], "s", "reader")
    assert plan.title == "Accept 2 boxes around blood"
    boxes = [change.new for change in plan.changes if isinstance(change, Add)]
    assert [box.finding_id for box in boxes if isinstance(box, Box)] == [blood.finding_id, None]
    assert all(isinstance(box, Box) and suggested_by(box) == "score-cam" for box in boxes)
    assert len({box.box_id for box in boxes if isinstance(box, Box)}) == 2


def test_what_a_person_drew_is_no_suggestion() -> None:
    assert suggested_by(Box("b1", "s", 3, 0, 0, 1, 1, "blood")) == ""


def test_without_suggestions_nothing_is_done_and_the_title_says_why() -> None:
    assert accept_boxes([], [], "s", "reader") == ("No box is suggested on this frame", ())
