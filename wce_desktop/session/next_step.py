"""Why a list is empty, in a sentence, and the action that would fill it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wce_desktop.core.label import NORMAL
from wce_desktop.session.session import Session


def why_no_events(session: Session) -> tuple[str, str]:
    """Why no flags are shown and the title of the next step; two empty texts when there are flags."""
    reading = session.reading
    if reading is None:
        return "No study is open.", "Open study…"
    if reading.events:
        return "", ""
    if session.current_model is None:
        return "There is no model yet.", "Add a model folder…"
    if reading.scores is None and session.is_being_scored:
        return "This study is being scored. Its flags appear when that is done.", ""
    if reading.scores is None:
        return "This study has not been scored yet.", "Score this study"
    highest = [np.nanmax(track) for name in reading.pathology_names if not np.isnan(track := reading.track(name)).all()]
    if not highest:
        return "The model gave no scores: none of the frames could be read.", ""
    return f"No flags at this threshold; the highest score is {max(highest):.2f}.", "Lower the threshold"


@dataclass(frozen=True)
class Lesson:
    """What a finetuning would learn from now.

    Attributes:
        counts: frames of each class, labelled since the model in use last learnt.
        study_count: the studies that they stand in.
        problem, hint: why a finetuning cannot begin, and what to do; empty when it can.
    """

    counts: Mapping[str, int]
    study_count: int
    problem: str = ""
    hint: str = ""


def next_lesson(session: Session) -> Lesson:
    """What finetuning would use now, or why it cannot: it needs new labels, normal frames, and others than normal."""
    library = session.library
    totals = library.label_totals()
    ever, new = totals.ever, totals.new_frames
    has_normal = NORMAL in ever or any(study.state == "finished" for study in library.studies())
    has_others = any(name != NORMAL for name in ever)
    problem, hint = "", ""
    if not ever:
        problem, hint = "No labels yet.", "Label what you see with 1 to 9, and normal frames with 0."
    elif not has_others:
        problem, hint = "Only normal frames are labelled.", "Label what you find with 1 to 9."
    elif not has_normal:
        problem, hint = "No normal frames are labelled.", "Label some with 0, or finish reading a study."
    elif not new:
        problem, hint = "No new labels since this model learnt.", "Label some more frames first."
    return Lesson(new, totals.new_studies, problem, hint)
