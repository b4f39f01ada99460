"""Labels that only say where a class is not cannot be trained from, and the sentence says why."""

import pytest

from training.datasets.labelled_frames import target_classes
from training.datasets.labels import LabelRow
from training.errors import UserError

REJECTED = LabelRow(study_id="a", start=0, stop=3, label="ulcer", answer="no")
NORMAL = LabelRow(study_id="a", start=5, stop=9, label="normal")
POLYP = LabelRow(study_id="a", start=9, stop=12, label="polyp")


@pytest.mark.parametrize("labels", [[REJECTED], [REJECTED, NORMAL]])
def test_rejections_alone_are_named(labels: list[LabelRow]) -> None:
    with pytest.raises(UserError, match="only rejected"):
        target_classes(labels, ())


def test_a_wanted_class_that_was_only_rejected_is_named() -> None:
    with pytest.raises(UserError, match="ulcer was only rejected"):
        target_classes([REJECTED, NORMAL, POLYP], ("ulcer",))
    assert target_classes([REJECTED, NORMAL, POLYP], ()) == ("normal", "polyp")
