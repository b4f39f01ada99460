"""Links join two places."""

import pytest

from wce_desktop.core.annotation.link import Link


def link(frame_index: int, other_frame_index: int, other_study_id: str = "s") -> Link:
    return Link.new(
        study_id="s",
        frame_index=frame_index,
        other_study_id=other_study_id,
        other_frame_index=other_frame_index,
        is_same=True,
        reader="reader",
    )


@pytest.mark.parametrize("frames", [(3, 9), (9, 3)])
def test_of_two_places_in_one_study_the_earlier_one_comes_first(frames: tuple[int, int]) -> None:
    made = link(*frames)
    assert (made.frame_index, made.other_frame_index, made.is_same, made.reader) == (3, 9, True, "reader")


@pytest.mark.parametrize("frames", [(3, 9), (9, 3), (5, 5)])
def test_a_link_to_another_study_keeps_its_direction(frames: tuple[int, int]) -> None:
    made = link(*frames, other_study_id="last-year")
    assert (made.study_id, made.other_study_id) == ("s", "last-year")
    assert (made.frame_index, made.other_frame_index) == frames


def test_each_new_link_has_an_id_of_its_own() -> None:
    first, second = link(3, 9), link(3, 9)
    assert first.link_id.startswith("k-")
    assert first.link_id != second.link_id


@pytest.mark.parametrize("frames", [(-1, 9), (9, -1)])
def test_frame_indices_are_0_or_more(frames: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        link(*frames)


def test_a_link_joins_two_places() -> None:
    with pytest.raises(ValueError, match="frame 5 twice"):
        link(5, 5)
