"""Landmarks are set, moved and taken away, in anatomical order."""

from wce_desktop.core.annotation.change import Add, Remove, Replace
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.landmark_plans import place_landmark, remove_landmark, room_for, toggle_landmark


def mark(region: Region, frame_index: int) -> Landmark:
    return Landmark(f"m{frame_index}", "s", region, frame_index)


def test_a_landmark_is_set_moved_and_taken_away() -> None:
    title, changes = toggle_landmark([], "s", Region.COLON, 4, reader="r")
    (added,) = changes
    assert title == "first caecal frame set to frame 5"
    assert isinstance(added, Add)
    assert isinstance(added.new, Landmark)
    title, (moved,) = toggle_landmark([added.new], "s", Region.COLON, 1233, reader="r")
    assert title == "first caecal frame moved to frame 1,234"
    assert isinstance(moved, Replace)
    title, changes = toggle_landmark([added.new], "s", Region.COLON, 4, reader="r")
    assert (title, changes) == ("first caecal frame removed", (Remove(added.new),))
    assert remove_landmark([], Region.COLON).changes == ()
    title, changes = place_landmark([added.new], "s", Region.COLON, 4, reader="r")
    assert (title, changes) == ("The first caecal frame is frame 5 already", ())


def test_landmarks_out_of_order_are_refused_with_a_sentence() -> None:
    held = [mark(Region.STOMACH, 50), mark(Region.COLON, 80)]
    title, changes = place_landmark(held, "s", Region.SMALL_BOWEL, 20, reader="r")
    assert changes == ()
    assert title.startswith("The first duodenal frame was not set. ")
    assert title.endswith("The first duodenal frame (21) does not lie after the first gastric frame (51)")
    assert place_landmark(held, "s", Region.SMALL_BOWEL, 50, reader="r").changes == ()
    assert place_landmark(held, "s", Region.SMALL_BOWEL, 51, reader="r").changes
    assert place_landmark(held, "s", Region.END, 80, reader="r").changes
    assert place_landmark(held, "s", Region.END, 79, reader="r").changes == ()
    assert room_for(held, Region.SMALL_BOWEL, 100) == (51, 80)
    assert room_for(held, Region.END, 100) == (80, 100)
    assert room_for(held, Region.OESOPHAGUS, 100) == (0, 50)


def test_imported_landmarks_out_of_order_can_be_put_right_one_by_one() -> None:
    held = [mark(Region.STOMACH, 50), mark(Region.SMALL_BOWEL, 40), mark(Region.COLON, 10)]
    assert place_landmark(held, "s", Region.COLON, 90, reader="r").changes
