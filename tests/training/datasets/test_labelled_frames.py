"""A row for each frame and class: negatives are what was called normal, never what was not looked at."""

from pathlib import Path

import numpy as np
import pytest

from training.datasets.labelled_frames import LabelledFrames, check_ends, check_labels, collect_frames, target_classes
from training.datasets.labels import LabelRow, Source
from training.datasets.manifest import Manifest, StudyEntry, StudySpan
from training.errors import UserError

MANIFEST = Manifest(
    studies=(
        StudyEntry(study_id="A", patient_id="P1", path=Path("a.mp4")),
        StudyEntry(study_id="B", patient_id="P2", path=Path("b.mp4"), spans=(StudySpan(start=10, stop=20),)),
    )
)
COUNTS = {"A": 100, "B": 50}


def row(study: str, start: int, stop: int, label: str, source: Source = "reader") -> LabelRow:
    return LabelRow(study_id=study, start=start, stop=stop, label=label, source=source)


def collected(*rows: LabelRow, classes: tuple[str, ...] = ("normal", "polyp", "ulcer")) -> LabelledFrames:
    return collect_frames(MANIFEST, rows, COUNTS, classes)


def as_dict(frames: LabelledFrames) -> dict[tuple[str, int], str]:
    return {
        (frames.studies[s].study_id, int(f)): frames.classes[c]
        for s, f, c in zip(frames.study, frames.frame_index, frames.label, strict=True)
    }


def test_an_unlabelled_frame_is_no_negative() -> None:
    frames = collected(row("A", 5, 7, "polyp"), row("A", 20, 21, "normal"))
    assert as_dict(frames) == {("A", 5): "polyp", ("A", 6): "polyp", ("A", 20): "normal"}
    assert frames.patients.tolist() == ["P1"] * 3
    assert frames.counts() == {"normal": 1, "polyp": 2, "ulcer": 0}


def test_a_frame_with_two_targets_has_a_row_for_each() -> None:
    frames = collected(row("A", 0, 4, "polyp"), row("A", 3, 6, "ulcer"))
    assert frames.counts() == {"normal": 0, "polyp": 4, "ulcer": 3}
    assert frames.frame_index.tolist() == [0, 1, 2, 3, 3, 4, 5]
    assert frames.label.tolist() == [1, 1, 1, 1, 2, 2, 2]
    assert frames.frame_number.tolist() == [0, 1, 2, 3, 3, 4, 5]
    assert frames.has_several_labels
    assert frames.left_out.sentence() == ""
    assert frames.by_rarest_class().label.tolist() == [1, 1, 1, 2, 2, 2]


def test_frames_with_two_targets_are_counted_where_each_must_have_one() -> None:
    frames = collected(row("A", 0, 4, "polyp"), row("A", 3, 6, "ulcer")).with_one_label()
    assert ("A", 3) not in as_dict(frames)
    assert frames.left_out.several_targets == 1
    assert "1 with several target classes" in frames.left_out.sentence()
    assert not frames.has_several_labels


def test_merged_kinds_have_each_frame_once() -> None:
    frames = collected(row("A", 0, 4, "polyp"), row("A", 3, 6, "ulcer"), row("A", 8, 9, "normal")).merged("finding")
    assert frames.frame_index.tolist() == [0, 1, 2, 3, 4, 5, 8]
    assert frames.label.tolist() == [1] * 6 + [0]


def test_a_frame_with_two_targets_that_is_called_normal_contradicts_itself() -> None:
    frames = collected(row("A", 0, 4, "polyp"), row("A", 3, 6, "ulcer"), row("A", 3, 4, "normal"))
    assert ("A", 3) not in as_dict(frames)
    assert frames.left_out.contradictory == 1


def test_sources_are_those_of_the_studies() -> None:
    manifest = Manifest(
        studies=(MANIFEST.studies[0].model_copy(update={"source": "SEE-AI"}), MANIFEST.studies[1]),
    )
    rows = (row("A", 0, 2, "polyp"), row("B", 12, 13, "normal"))
    frames = collect_frames(manifest, rows, COUNTS, ("normal", "polyp"))
    assert frames.sources.tolist() == ["SEE-AI", "SEE-AI", ""]


def test_a_label_outweighs_reading_to_the_end_but_contradicts_normal() -> None:
    frames = collected(
        row("A", 0, 10, "normal", "implicit_normal"), row("A", 2, 3, "polyp"), row("A", 5, 6, "normal"),
        row("A", 5, 6, "ulcer"),
    )  # fmt: skip
    assert as_dict(frames)["A", 2] == "polyp"
    assert ("A", 5) not in as_dict(frames)
    assert frames.left_out.contradictory == 1


def test_a_label_outside_the_targets_makes_no_negative_either() -> None:
    frames = collected(
        row("A", 0, 3, "normal", "implicit_normal"), row("A", 1, 2, "ulcer"), classes=("normal", "polyp")
    )
    assert as_dict(frames) == {("A", 0): "normal", ("A", 2): "normal"}


def test_frames_outside_the_spans_of_the_manifest_are_left_out() -> None:
    frames = collected(row("B", 8, 12, "polyp"))
    assert as_dict(frames) == {("B", 10): "polyp", ("B", 11): "polyp"}
    assert frames.left_out.outside_spans == 2


def test_implicit_normal_is_normal_under_any_name() -> None:
    assert as_dict(collected(row("A", 0, 1, "nothing", "implicit_normal"))) == {("A", 0): "normal"}


def test_labels_of_unknown_studies_and_past_the_end_are_told() -> None:
    with pytest.raises(UserError, match="study C, which is not in the manifest"):
        check_labels(MANIFEST, [row("C", 0, 1, "polyp")], COUNTS)
    with pytest.raises(UserError, match=r"study B ends at frame 51, past the end of the study \(50 frames\)"):
        check_labels(MANIFEST, [row("B", 0, 51, "polyp")], COUNTS)
    check_labels(MANIFEST, [row("B", 0, 50, "polyp")], COUNTS)


def test_targets_are_what_was_asked_for_or_all_there_is() -> None:
    labels = [row("A", 0, 1, "normal"), row("A", 1, 2, "ulcer"), row("A", 2, 3, "polyp")]
    assert target_classes(labels, ()) == ("normal", "ulcer", "polyp")
    assert target_classes(labels, ("polyp", "normal", "polyp")) == ("normal", "polyp")
    with pytest.raises(UserError, match="No frame is labelled blood"):
        target_classes(labels, ("blood",))


def test_what_is_missing_is_said() -> None:
    with pytest.raises(UserError, match="Label some normal frames too"):
        target_classes([row("A", 1, 2, "ulcer")], ())
    with pytest.raises(UserError, match="No frame has a label other than normal"):
        target_classes([row("A", 1, 2, "normal")], ())
    with pytest.raises(UserError, match="No frame has"):
        target_classes([], ())


def test_without_a_normal_class_kinds_are_left() -> None:
    labels = [row("A", 0, 2, "normal"), row("A", 2, 4, "ulcer"), row("A", 5, 6, "polyp"), row("A", 6, 7, "polyp")]
    assert target_classes(labels, (), needs_normal=False) == ("ulcer", "polyp")
    frames = collected(*labels, classes=("ulcer", "polyp"))
    assert as_dict(frames) == {("A", 2): "ulcer", ("A", 3): "ulcer", ("A", 5): "polyp", ("A", 6): "polyp"}
    assert (frames.counts(), frames.has_normal) == ({"ulcer": 2, "polyp": 2}, False)
    assert collected(*labels).has_normal
    with pytest.raises(UserError, match="Without a normal class there is only ulcer"):
        target_classes(labels, ("ulcer",), needs_normal=False)


def test_no_labels_make_no_frames() -> None:
    frames = collected()
    assert len(frames) == 0
    assert frames.patients.shape == (0,)
    assert np.array_equal(frames.select(np.zeros(0, dtype=bool)).label, frames.label)


def test_spans_and_labels_past_the_end_of_a_study_are_refused() -> None:
    far = StudyEntry(study_id="B", patient_id="P2", path=Path("b.mp4"), spans=(StudySpan(start=10, stop=20_000),))
    with pytest.raises(UserError, match="A span of study B ends at frame 20000, past the end"):
        collect_frames(Manifest(studies=(far,)), [row("B", 1, 2, "polyp")], COUNTS, ("normal", "polyp"))
    with pytest.raises(UserError, match=r"A label \(polyp\) of study A ends at frame 101"):
        check_ends([row("C", 0, 1_000_000, "polyp"), row("A", 0, 101, "polyp")], COUNTS)


def test_the_normal_class_alone_is_no_model() -> None:
    rows = [row("A", 0, 1, "normal"), row("A", 2, 3, "polyp")]
    with pytest.raises(UserError, match="A model cannot be trained on normal frames alone"):
        target_classes(rows, ["normal"])
    assert target_classes(rows, ["normal", "polyp"]) == ("normal", "polyp")


def no(start: int, stop: int, label: str) -> LabelRow:
    return LabelRow(study_id="A", start=start, stop=stop, label=label, answer="no")


def absent(frames: LabelledFrames) -> set[tuple[int, str]]:
    negatives = frames.negatives
    assert negatives is not None
    return {(int(f), negatives.classes[c]) for f, c in zip(negatives.frame_index, negatives.label, strict=True)}


def test_no_to_a_class_gives_no_class_not_even_normal_and_is_kept_by_class() -> None:
    frames = collected(
        row("A", 0, 10, "normal", "implicit_normal"), row("A", 20, 22, "polyp"), no(5, 7, "ulcer"), no(21, 22, "ulcer"),
        no(6, 7, "erosion"),
    )  # fmt: skip
    assert set(as_dict(frames)) == {("A", frame) for frame in (0, 1, 2, 3, 4, 7, 8, 9, 20, 21)}
    assert absent(frames) == {(5, "ulcer"), (6, "ulcer"), (6, "erosion"), (21, "ulcer")}
    assert frames.select(np.arange(3)).negatives is None


def test_yes_and_no_to_one_class_cancel_each_other_and_are_counted() -> None:
    frames = collected(row("A", 0, 4, "polyp"), no(3, 6, "polyp"), row("A", 10, 12, "normal"), no(11, 13, "normal"))
    assert as_dict(frames) == {("A", 0): "polyp", ("A", 1): "polyp", ("A", 2): "polyp", ("A", 10): "normal"}
    assert absent(frames) == {(4, "polyp"), (5, "polyp"), (12, "normal")}
    assert "2 with both answers, yes and no, for one class" in frames.left_out.sentence()


def test_no_beside_a_readers_normal_adds_nothing() -> None:
    frames = collected(row("A", 0, 2, "normal"), no(1, 3, "ulcer"))
    assert as_dict(frames) == {("A", 0): "normal", ("A", 1): "normal"}
    assert absent(frames) == {(2, "ulcer")}


def test_classes_are_those_that_are_there_somewhere() -> None:
    labels = [row("A", 0, 1, "normal"), row("A", 1, 2, "polyp"), no(3, 4, "ulcer")]
    assert target_classes(labels, ()) == ("normal", "polyp")
    with pytest.raises(UserError, match="No frame is labelled normal"):
        target_classes([row("A", 1, 2, "polyp"), no(0, 1, "normal")], ())
