"""Which classes can be learned, and what is said of the others."""

from pathlib import Path

import pytest

from training.datasets.labels import LabelRow
from training.datasets.manifest import Manifest, StudyEntry
from training.datasets.usable_classes import UsableFrames, usable_frames
from training.errors import UserError

MANIFEST = Manifest(studies=tuple(StudyEntry(study_id=name, patient_id=name, path=Path(name)) for name in "AB"))


def found(*rows: tuple[str, int, int, str], least: int = 2) -> UsableFrames:
    labels = [LabelRow(study_id=study, start=start, stop=stop, label=label) for study, start, stop, label in rows]
    classes = ("normal", *dict.fromkeys(row.label for row in labels if row.label != "normal"))
    return usable_frames(MANIFEST, labels, {"A": 100, "B": 100}, classes, least)


PLENTY = (("A", 0, 5, "normal"), ("B", 0, 5, "normal"), ("A", 10, 20, "blood"), ("B", 10, 20, "blood"))


def test_a_class_of_one_frame_is_left_out_in_a_sentence() -> None:
    kept = found(*PLENTY, ("A", 50, 51, "erosion"))
    assert kept.sentences == ("Erosion: 1 frame, not enough to learn; left out.",)
    assert kept.frames.counts() == {"normal": 10, "blood": 20}
    assert found(*PLENTY, ("A", 50, 51, "erosion"), least=1).frames.counts()["erosion"] == 1


def test_a_class_whose_frames_are_all_called_normal_is_left_out() -> None:
    kept = found(*PLENTY, ("A", 0, 2, "erosion"))
    assert kept.sentences == ("Erosion: 0 of 2 labelled frames can be used, not enough to learn; left out.",)
    assert kept.frames.counts() == {"normal": 8, "blood": 20}


def test_two_classes_on_the_same_frames_are_both_learned() -> None:
    kept = found(
        *PLENTY[:2], ("A", 10, 20, "blood"), ("B", 10, 20, "blood"), ("A", 10, 20, "polyp"), ("B", 10, 21, "polyp")
    )
    assert kept.frames.counts() == {"normal": 10, "blood": 20, "polyp": 21}
    assert kept.sentences == ()


def test_a_class_of_one_patient_is_learned_and_the_limit_is_said() -> None:
    kept = found(*PLENTY, ("B", 50, 60, "ulcer"))
    assert kept.frames.counts()["ulcer"] == 10
    assert kept.sentences == ("Ulcer: frames of one patient only; used for training, not evaluated on other patients.",)


def test_one_patient_alone_is_no_reason_to_say_it_of_each_class() -> None:
    assert found(("A", 0, 5, "normal"), ("A", 10, 20, "blood")).sentences == ()


def test_nothing_left_is_an_error_that_says_why() -> None:
    with pytest.raises(UserError, match="No class besides normal has enough") as caught:
        found(("A", 0, 5, "normal"), ("A", 10, 11, "erosion"))
    assert "Erosion: 1 frame, not enough to learn; left out." in caught.value.hint
    with pytest.raises(UserError, match="No usable frame is labelled normal") as caught:
        found(("A", 10, 15, "normal"), ("A", 10, 15, "blood"))
    assert "5 called both normal and something else" in caught.value.hint
