"""Random acts of a reader against the three states of frame and class: yes, no, not said."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wce_desktop.core.annotation import labelling, marking
from wce_desktop.core.annotation.change import Plan
from wce_desktop.core.annotation.label import NORMAL, LabelTrack
from wce_desktop.core.event import Event
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.exchange.exporting import training_labels

States = dict[tuple[int, str], str]
"""(frame, class) -> "yes" or "no"; what is not there was not said."""
FRAMES = 24
NAMES = ("polyp", "ulcer")
ACTS = ("label", "normal", "accept", "reject")


def expected(states: States, act: str, span: Span, name: str) -> States:
    """What an act means, said as simply as possible."""
    after, frames = dict(states), range(span.start, span.stop)
    answers = [states.get((frame, name)) for frame in frames]
    if act == "normal":
        return expected_normal(after, frames)
    if act == "reject":
        for frame in frames:
            after[frame, name] = "no"
            if all(answer == "no" for answer in answers):
                del after[frame, name]
        return after
    is_taken_off = act == "label" and all(answer == "yes" for answer in answers)
    for frame in frames:
        after.pop((frame, name), None)
        if not is_taken_off:
            after.pop((frame, NORMAL), None)
            after[frame, name] = "yes"
    return after


def expected_normal(states: States, frames: range) -> States:
    """The key 0; rejections are left as they are."""
    others = [frame for frame in frames if any(states.get((frame, name)) == "yes" for name in NAMES)]
    free = [frame for frame in frames if frame not in others]
    if not free:
        for frame in frames:
            for name in NAMES:
                if states.get((frame, name)) == "yes":
                    del states[frame, name]
        free = list(frames)
    elif all((frame, NORMAL) in states for frame in free):
        for frame in free:
            del states[frame, NORMAL]
        return states
    return states | {(frame, NORMAL): "yes" for frame in free}


def plan_of(library: Library, study_id: str, act: str, span: Span, name: str) -> Plan:
    """What the window would do."""
    track = LabelTrack(library.annotations.answers(study_id))
    part = Event(span, name, 0.9, span.start)
    said: dict[str, Any] = {"study_id": study_id, "reader": "reader"}
    findings = library.annotations.findings(study_id)
    if act == "accept":
        return marking.accept_finding(track, findings, (), part, [part], model_id="m", **said)
    if act == "reject":
        return marking.reject_finding(track, findings, (), part, model_id="m", **said)
    return labelling.toggle_label(track, span, NORMAL if act == "normal" else name, **said)


def stored(library: Library, study_id: str) -> States:
    return {
        (frame, label.name): label.answer
        for label in library.annotations.answers(study_id)
        for frame in range(label.span.start, label.span.stop)
    }


def exported(library: Library) -> tuple[States, set[int]]:
    """What a training would read, and the frames that it takes for normal because they were seen."""
    said: States = {}
    implicit: set[int] = set()
    for row in training_labels(library)[1]:
        frames = range(row.start, row.stop)
        if row.source == "implicit_normal":
            implicit |= set(frames)
        else:
            said |= {(frame, row.label): row.answer for frame in frames}
    return said, implicit


@pytest.mark.parametrize("seed", range(8))
def test_any_order_of_acts_undo_and_redo_keeps_the_three_states(tmp_path: Path, seed: int) -> None:
    chance = np.random.default_rng(seed)
    with Library.open(tmp_path / "library", "reader") as library:
        study = library.studies.add(tmp_path / "v.mp4", fingerprint="f", frame_count=FRAMES, duration_seconds=1.0)
        study_id = study.study_id
        library.annotations.mark_seen(study_id, [Span(0, FRAMES)])
        library.studies.update(study_id, state="finished")
        past: list[States] = [{}]
        future: list[States] = []
        for _ in range(40):
            kind = chance.random()
            if kind < 0.2:
                library.annotations.undo(study_id)
                if len(past) > 1:
                    future.append(past.pop())
            elif kind < 0.35:
                library.annotations.redo(study_id)
                if future:
                    past.append(future.pop())
            else:
                start = int(chance.integers(0, FRAMES - 6))
                span, name = Span(start, start + 1 + int(chance.integers(0, 6))), NAMES[int(chance.integers(2))]
                act = ACTS[int(chance.integers(len(ACTS)))]
                plan = plan_of(library, study_id, act, span, name)
                after = expected(past[-1], act, span, name)
                if plan.changes:
                    library.annotations.edit(study_id, plan.title, list(plan.changes))
                    past.append(after)
                    future.clear()
                else:
                    assert after == past[-1], act
            assert stored(library, study_id) == past[-1]
            said, implicit = exported(library)
            assert said == past[-1]
            assert implicit == set(range(FRAMES)) - {frame for frame, _ in past[-1]}, "a rejected frame is not normal"
        library.removals.remove([study_id])
        assert not exported(library)[0]
