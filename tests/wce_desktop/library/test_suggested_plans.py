"""Accepting and rejecting suggested findings of any shape is taken by the library, and undone exactly."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wce_desktop.core.annotation import labelling, marking
from wce_desktop.core.annotation.label import LabelTrack
from wce_desktop.core.event import Event
from wce_desktop.core.span import Span
from wce_desktop.library import Library

NAMES = ("normal", "polyp", "ulcer")


def random_span(chance: np.random.Generator) -> Span:
    start = int(chance.integers(0, 36))
    return Span(start, start + 1 + int(chance.integers(0, 6)))


def random_parts(chance: np.random.Generator) -> list[Event]:
    """One to four events of two classes, which may overlap where the classes differ."""
    parts: list[Event] = []
    for _ in range(int(chance.integers(1, 5))):
        span, name = random_span(chance), NAMES[int(chance.integers(1, 3))]
        if not any(part.name == name and part.span.intersects(span) for part in parts):
            parts.append(Event(span, name, float(chance.random()), span.start))
    return sorted(parts, key=lambda part: part.span)


def on_disk(library: Library, study_id: str) -> tuple[object, ...]:
    return (
        sorted(library.annotations.answers(study_id), key=lambda label: label.label_id),
        sorted(library.annotations.findings(study_id), key=lambda finding: finding.finding_id),
        sorted(library.annotations.links(study_id), key=lambda link: link.link_id),
    )


@pytest.mark.parametrize("seed", range(12))
def test_any_suggested_finding_is_accepted_rejected_and_undone(tmp_path: Path, seed: int) -> None:
    chance = np.random.default_rng(seed)
    with Library.open(tmp_path / "library", "reader") as library:
        study = library.studies.add(tmp_path / "v.mp4", fingerprint="f", frame_count=60, duration_seconds=2.0)
        study_id = study.study_id
        states = [on_disk(library, study_id)]
        for _ in range(14):
            track = LabelTrack(library.annotations.answers(study_id))
            findings, links = library.annotations.findings(study_id), library.annotations.links(study_id)
            parts = random_parts(chance)
            main = max(parts, key=lambda part: part.peak_score)
            said: dict[str, Any] = {"study_id": study_id, "reader": "reader"}
            what = chance.integers(3)
            if what == 0:
                plan = labelling.toggle_label(track, random_span(chance), NAMES[int(chance.integers(3))], **said)
            elif what == 1:
                plan = marking.accept_finding(track, findings, links, main, parts, model_id=None, **said)
            else:
                plan = marking.reject_finding(track, findings, (), main, model_id=None, **said)
            if plan.changes:
                library.annotations.edit(study_id, plan.title, list(plan.changes))
                states.append(on_disk(library, study_id))
            after = LabelTrack(library.annotations.answers(study_id))
            frames = range(main.span.start, main.span.stop)
            named = {frame: {label.name for label in after.at(frame)} for frame in frames}
            if what == 1:
                assert all(main.name in names and "normal" not in names for names in named.values())
            if what == 2:
                assert all(main.name not in names for names in named.values())
                answered = after.negatives.frames(main.name, main.span).frame_count
                assert answered in (0, len(main.span)), "a second time takes it back"
            ids = {finding.finding_id for finding in library.annotations.findings(study_id)}
            assert {label.finding_id for label in after if label.finding_id} <= ids, (
                "no label of a finding that is gone"
            )
        for before in reversed(states[:-1]):
            library.annotations.undo(study_id)
            assert on_disk(library, study_id) == before
