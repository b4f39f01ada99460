"""Links that join and split suggested findings."""

import pytest

from wce_desktop.core.annotation import marking
from wce_desktop.core.annotation.change import Add, Plan
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.event import Event
from wce_desktop.core.span import Span

NOW, BEFORE = Event(Span(6, 9), "polyp", 0.9, 7), Event(Span(6, 10), "polyp", 0.8, 7)
OTHER = Event(Span(17, 19), "polyp", 0.7, 18)


def ends(plan: Plan) -> list[tuple[int, int, bool]]:
    links = [change.new for change in plan.changes if isinstance(change, Add)]
    return [(link.frame_index, link.other_frame_index, link.is_same) for link in links if isinstance(link, Link)]


@pytest.mark.parametrize("part", [NOW, BEFORE])
def test_a_part_of_another_threshold_is_no_other_part(part: Event) -> None:
    assert ends(marking.split([], part, [NOW, OTHER], study_id="s", reader="r")) == [(7, 18, False)]
    assert ends(marking.join([], [part], [NOW, OTHER], study_id="s", reader="r")) == [(7, 18, True)]


def test_a_part_alone_cannot_be_split_off() -> None:
    with pytest.raises(ValueError, match="split off from others"):
        marking.split([], BEFORE, [NOW], study_id="s", reader="r")
