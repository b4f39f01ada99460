"""Landmarks and findings as plans."""

from dataclasses import replace

from wce_desktop.core.change import Add, Remove, Replace
from wce_desktop.core.finding import Finding
from wce_desktop.core.label import Label, LabelTrack
from wce_desktop.core.labelling import apply_to_track
from wce_desktop.core.landmark import Landmark, Region
from wce_desktop.core.marking import add_finding, change_finding, remove_finding, toggle_landmark
from wce_desktop.core.span import Span


def test_a_landmark_is_set_moved_and_taken_away() -> None:
    title, changes = toggle_landmark([], "s", Region.COLON, 4, reader="r")
    assert title == "Start colon at frame 5"
    (added,) = changes
    assert isinstance(added, Add)
    assert isinstance(added.item, Landmark)
    title, (moved,) = toggle_landmark([added.item], "s", Region.COLON, 1233, reader="r")
    assert title == "Move the start of colon to frame 1,234"
    assert isinstance(moved, Replace)
    title, changes = toggle_landmark([added.item], "s", Region.COLON, 4, reader="r")
    assert changes == (Remove(added.item),)


def test_a_finding_takes_in_labels_that_belong_to_none() -> None:
    track = LabelTrack([Label("a", "s", Span(0, 4), "polyp"), Label("b", "s", Span(4, 6), "polyp", finding_id="f0")])
    finding = Finding.new(study_id="s", kind="polyp", span=Span(2, 9))
    title, changes = add_finding(track, finding)
    assert title == "New finding: polyp, 7 frames"
    apply_to_track(track, changes)
    assert [(found.span, found.finding_id) for found in track] == [
        (Span(0, 4), finding.finding_id),
        (Span(4, 6), "f0"),
        (Span(6, 9), finding.finding_id),
    ]


def test_a_finding_leaves_its_labels_behind() -> None:
    track = LabelTrack()
    finding = Finding.new(study_id="s", kind="polyp", span=Span(2, 9))
    apply_to_track(track, add_finding(track, finding).changes)
    apply_to_track(track, remove_finding(track, finding).changes)
    assert [(found.span, found.finding_id) for found in track] == [(Span(2, 9), None)]


def test_writing_nothing_new_changes_nothing() -> None:
    finding = Finding.new(study_id="s", kind="polyp", span=Span(2, 9))
    assert change_finding(finding, finding).changes == ()
    new = replace(finding, comment="sessile")
    assert change_finding(finding, new).changes == (Replace(finding, new),)
