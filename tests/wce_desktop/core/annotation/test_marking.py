"""Findings as plans."""

from dataclasses import replace

from wce_desktop.core.annotation.change import Replace, inverted
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import Label, LabelTrack
from wce_desktop.core.annotation.labelling import apply_to_track
from wce_desktop.core.annotation.marking import (
    add_finding,
    change_finding,
    change_kind,
    remove_finding,
    toggle_key_frame,
)
from wce_desktop.core.span import Span


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


def test_a_new_kind_is_that_of_its_labels_and_boxes_too() -> None:
    finding = Finding("f", "s", "polyp", Span(3, 9))
    track = LabelTrack()
    apply_to_track(track, add_finding(track, finding).changes)
    track.add(Label("u", "s", Span(8, 12), "ulcer"))
    boxes = [Box("b", "s", 4, 0, 0, 5, 5, "polyp", "f"), Box("c", "s", 4, 0, 0, 5, 5, "polyp")]
    title, changes = change_kind(track, boxes, finding, "ulcer")
    assert title == "Finding polyp changed to ulcer"
    assert changes[0] == Replace(finding, replace(finding, kind="ulcer"))
    assert [change for change in changes if isinstance(change, Replace) and isinstance(change.new, Box)] == [
        Replace(boxes[0], replace(boxes[0], name="ulcer"))
    ]
    apply_to_track(track, changes)
    assert [(label.name, label.span, label.finding_id) for label in track] == [
        ("ulcer", Span(3, 8), "f"),
        ("ulcer", Span(8, 12), "f"),
    ]
    apply_to_track(track, inverted(changes))
    assert [(label.name, label.span, label.finding_id) for label in track] == [
        ("polyp", Span(3, 9), "f"),
        ("ulcer", Span(8, 12), None),
    ]
    assert change_kind(track, boxes, finding, "polyp").changes == ()


def test_key_frames_come_and_go_in_order_of_time() -> None:
    finding = Finding("f", "s", "polyp", Span(3, 9), key_frames=(4, 8))
    title, (change,) = toggle_key_frame(finding, 6)
    assert title == "Key frame 7 added"
    assert change == Replace(finding, replace(finding, key_frames=(4, 6, 8)))
    title, (change,) = toggle_key_frame(finding, 4)
    assert (title, change) == ("Key frame 5 removed", Replace(finding, replace(finding, key_frames=(8,))))
