"""Frames decoded ahead: asked for once, and not welcome after a change of mind."""

from wce_desktop.widgets.player.frame_reader import FrameGroup, PreparedGroups, Request


def group(number: int, first: int) -> FrameGroup:
    return FrameGroup(Request(number, first, 1, 1, is_seek=False), (None,))


def test_each_position_is_asked_for_once_until_it_was_taken() -> None:
    prepared = PreparedGroups()
    assert prepared.ask([1, 2, 3]) == [1, 2, 3]
    assert prepared.keep(group(1, 1))
    assert prepared.ask([1, 2, 3, 4]) == [4]
    assert prepared.take(1) == group(1, 1)
    assert prepared.take(1) is None
    assert prepared.ask([1]) == [1]


def test_what_was_asked_for_before_a_change_is_not_kept() -> None:
    prepared = PreparedGroups()
    prepared.ask([1, 2])
    prepared.keep(group(1, 1))
    prepared.forget(last_number=2)
    assert prepared.take(1) is None
    assert not prepared.keep(group(2, 2))
    assert prepared.take(2) is None
    assert prepared.keep(group(3, 2))
