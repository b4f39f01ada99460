"""Changes can be taken back."""

import pytest

from wce_desktop.core.annotation.change import Add, Edit, Remove, Replace, inverse, inverted, item_id
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.span import Span

OLD = Label("a", "s", Span(0, 1), "polyp")
NEW = Label("a", "s", Span(0, 2), "polyp")


def test_every_change_has_its_inverse() -> None:
    for change in (Add(OLD), Remove(OLD), Replace(OLD, NEW)):
        assert inverse(inverse(change)) == change
    assert inverse(Add(OLD)) == Remove(OLD)
    assert inverse(Replace(OLD, NEW)) == Replace(NEW, OLD)


def test_the_last_change_is_taken_back_first() -> None:
    assert inverted([Add(OLD), Replace(OLD, NEW)]) == (Replace(NEW, OLD), Remove(OLD))


def test_a_label_never_becomes_a_finding() -> None:
    with pytest.raises(ValueError, match="cannot take the place"):
        Replace(OLD, Finding("f", "s", "polyp", Span(0, 1)))


def test_an_edit_of_a_link_touches_links_only() -> None:
    link = Link("k", "s", 3, "s", 9, True)
    edit = Edit(1, "s", "Link 2 frames", (Add(link),))
    assert item_id(link) == "k"
    assert (edit.touches(Link), edit.touches(Label)) == (True, False)
