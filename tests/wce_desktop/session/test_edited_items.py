"""What an edit changes in memory is what the library would read again."""

from dataclasses import replace

import numpy as np

from wce_desktop.core.annotation.change import Add, Change, Remove, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.report_part import ReportPart
from wce_desktop.core.span import Span
from wce_desktop.session.session import Session


def check(session: Session) -> None:
    reading = session.reading
    assert reading is not None
    study_id, library = reading.study.study_id, session.library
    assert tuple(reading.entries.findings) == library.annotations.findings(study_id)
    assert tuple(reading.entries.landmarks) == library.annotations.landmarks(study_id)
    assert tuple(reading.entries.boxes) == library.annotations.boxes(study_id)
    assert tuple(reading.entries.links) == library.annotations.links(study_id)
    assert tuple(reading.entries.report_parts) == library.annotations.report_parts(study_id)


def test_random_edits_and_undo(opened: Session) -> None:
    assert opened.reading is not None
    study_id, random = opened.reading.study.study_id, np.random.default_rng(0)
    for number in range(25):
        reading = opened.reading
        frame = int(random.integers(0, 50))
        changes: list[Change] = [
            Add(Box(f"b{number}", study_id, frame, 1, 2, 3, 4, "polyp")),
            Add(Finding(f"f{number}", study_id, "polyp", Span(frame, frame + 2))),
            Add(
                Link.new(
                    study_id=study_id, frame_index=frame, other_study_id=study_id, other_frame_index=55, is_same=True
                )
            ),
        ]
        if number % 3 == 1:
            changes += [Remove(reading.entries.boxes[int(random.integers(len(reading.entries.boxes)))])]
            old = reading.entries.findings[int(random.integers(len(reading.entries.findings)))]
            changes += [Replace(old, replace(old, comment=f"seen {number}"))]
        opened.edits.apply(f"edit {number}", changes)
        check(opened)
        if number % 4 == 3:
            opened.edits.undo()
            check(opened)
            opened.edits.redo()
            check(opened)
    opened.edits.apply(
        "landmark", [Add(Landmark("l", study_id, Region.COLON, 5)), Add(Landmark("m", study_id, Region.STOMACH, 2))]
    )
    check(opened)
    part = ReportPart.new(study_id=study_id, kind="texts", content={"summary": "none"})
    opened.edits.apply("part", [Add(part)])
    check(opened)
    while opened.edits.undo_title is not None:
        opened.edits.undo()
        check(opened)
    assert opened.reading.entries.boxes == []
