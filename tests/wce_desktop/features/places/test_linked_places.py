"""Links between two studies: seen from either of them, replaced and removed."""

from pathlib import Path

import pytest

from tests.wce_desktop.features.places.passes import FRAMES, passes_session
from tests.wce_desktop.sessions import open_study
from wce_desktop.core.annotation.change import Add, Remove
from wce_desktop.core.annotation.link import Link
from wce_desktop.features.places.linked_places import link_changes, link_title, linked_places
from wce_desktop.session.session import Session


@pytest.fixture
def linked(tmp_path: Path) -> Session:
    """A link from a to b, one from b to a, and one inside a, which is of suggested findings."""
    session = passes_session(tmp_path, "ab")
    library = session.library
    library.annotations.edit(
        "a", "Link", [Add(Link("k-1", "a", 9, "b", 4, True)), Add(Link("k-2", "a", 1, "a", 2, True, "", "x"))]
    )
    library.annotations.edit("b", "Link", [Add(Link("k-3", "b", 20, "a", 3, False))])
    return session


def seen(session: Session, study_id: str) -> list[tuple[str, int, str, int, bool]]:
    found = linked_places(session.library, study_id)
    return [
        (one.link.link_id, one.frame_index, one.other_study_id, one.other_frame_index, one.is_same) for one in found
    ]


def test_links_are_seen_from_both_studies_in_order_of_time(linked: Session) -> None:
    assert seen(linked, "a") == [("k-3", 3, "b", 20, False), ("k-1", 9, "b", 4, True)]
    assert seen(linked, "b") == [("k-1", 4, "a", 9, True), ("k-3", 20, "a", 3, False)]
    assert [link.link_id for link in linked.library.annotations.links_to("a")] == ["k-3"], "not the one inside a"
    linked.library.close()


def test_a_link_that_says_otherwise_is_replaced_whichever_study_it_belongs_to(linked: Session) -> None:
    known = linked_places(linked.library, "a")
    changes = link_changes(
        known, Link.new(study_id="a", frame_index=3, other_study_id="b", other_frame_index=20, is_same=True, reader="r")
    )
    assert [type(change) for change in changes["b"]] == [Remove]
    (added,) = changes["a"]
    assert isinstance(added, Add)
    linked.library.annotations.edit_studies("Link", changes)
    assert [(at, same) for _, at, _, _, same in seen(linked, "a")] == [(3, True), (9, True)]
    linked.library.annotations.undo("a")
    assert [(at, same) for _, at, _, _, same in seen(linked, "a")] == [(3, False), (9, True)]
    linked.library.close()


def test_a_link_that_is_there_changes_nothing(linked: Session) -> None:
    known = linked_places(linked.library, "b")
    changes = link_changes(
        known, Link.new(study_id="b", frame_index=4, other_study_id="a", other_frame_index=9, is_same=True, reader="r")
    )
    assert not changes
    linked.library.close()


def test_a_link_past_the_end_of_the_other_study_is_refused(linked: Session) -> None:
    open_study(linked, linked.library.studies.get("a"))
    with pytest.raises(ValueError, match="past the end of study b"):
        linked.edits.apply("Link", [Add(Link("k-9", "a", 0, "b", FRAMES, True))])
    linked.close_study()
    linked.library.close()


def test_undo_names_the_frame_and_the_verdict() -> None:
    assert link_title(1203, is_same=True) == "Link frame 1,204 with another study: the same place"
    assert link_title(0, is_same=False).endswith("not the same place")
