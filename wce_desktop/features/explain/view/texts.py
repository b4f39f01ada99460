"""What is written about explanations, in the panel and on the frame."""

import math
from collections.abc import Sequence

from wce_desktop.core.annotation.finding import Box
from wce_desktop.core.annotation.vocabulary import ClassName, Vocabulary
from wce_desktop.core.boxes import SuggestedBox
from wce_desktop.core.clock import counted, format_frame
from wce_desktop.core.score_text import score_text
from wce_desktop.features.explain.model.frame_cams import FrameCams, quick_words, waiting_words
from wce_desktop.features.explain.view.explanation_queue import ExplanationQueue
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.widgets.player.annotation_painter import Chip, FrameNotes, Outline


def missing_words(cams: FrameCams) -> str:
    """The text in the corner of a frame without a CAM."""
    if cams.is_from_scores:
        return "No CAM for this frame"
    title = {"cam": "CAM", "prior-grid": "explanation"}.get(cams.method, "Score-CAM")
    return f"No {title} of this frame yet (press {key_of('explain_frame')})"


def note_words(session: Session, cams: FrameCams) -> str:
    """What the chosen method shows, or what is missing for it."""
    reading, model = session.reading, session.current_model
    if reading is None:
        return "Open a study to see how the model scores its frames."
    if model is None:
        return f"There is no model to explain with. Add a model folder: {key_of('add_model')}."
    if cams.is_from_scores and reading.embeddings is not None and reading.embeddings.cams is not None:
        height, width = reading.embeddings.cams.shape[-2:]
        return (
            f"CAM of {model.title}: where the model finds evidence for the class. Lighter means stronger. "
            f"The CAM is coarse: {height} by {width} cells over the field of view."
        )
    if cams.method == "cam":
        return (
            f"{model.title} stored no CAMs when it scored this study, so each frame is explained when it stays on "
            "screen, on its own scale. Press S to score the study again."
        )
    if not cams.is_of_a_class:
        return (
            f"{model.title} was derived from a pretraining that learned from the reddest part of each frame. To this "
            "pretraining, light areas look like the reddest part. It knows no classes, so the overlay is the same for "
            "all of them, and light areas need not be abnormal."
        )
    return (
        f"Score-CAM of {model.title}: the frame is masked in many ways, and areas that raise the score more than "
        "the rest of the frame are coloured, the strongest lightest. Each frame has its own scale: the overlay shows "
        "where, the score shows how strong."
    )


def state_words(session: Session, cams: FrameCams, queue: ExplanationQueue, seconds_left: float | None) -> str:
    """The state of the explanation of the frame on screen."""
    reading = session.reading
    if reading is None or cams.is_from_scores:
        return ""
    frame, asked = reading.frame_index, queue.current
    found = cams.explanation(frame)
    is_requested = queue.is_requested(frame)
    if found is not None and is_requested:
        return waiting_words(found, seconds_left)
    if found is not None and found.agreement is not None:
        return " ".join(filter(None, (quick_words(found), found.note)))
    if found is not None:
        return found.note or ("" if found.method == "cam" else "Exact.")
    if is_requested:
        return f"Explaining frame {format_frame(frame + 1)}…"
    if asked is not None:
        return f"Explaining frame {format_frame(asked.frame_index + 1)}; {counted(queue.waiting_count, 'frame')} left."
    return "This frame is not explained yet."


def corner_words(session: Session, cams: FrameCams, queue: ExplanationQueue, seconds_left: float | None) -> str:
    """The text in the corner of the frame on screen while its explanation is computed."""
    reading = session.reading
    if reading is None or not queue.is_requested(reading.frame_index):
        return ""
    wait = f" in {max(1, round(seconds_left))} s" if seconds_left else "…"
    return f"Exact{wait} (Esc stops)" if cams.explanation(reading.frame_index) else f"Explaining{wait} (Esc stops)"


def frame_notes(
    reading: Reading,
    vocabulary: Vocabulary,
    frame_index: int,
    score_text: str = "",
    suggested: Sequence[SuggestedBox] = (),
) -> FrameNotes:
    """The notes of one frame of the open study; a suggestion is drawn hollow until it is accepted or rejected."""
    chips = []
    names = {label.name for label in reading.labels.at(frame_index)}
    for name in sorted(names):
        known = vocabulary.of(name)
        chips.append(Chip(known.title, known.color, known.shape))
    for event in () if names else reading.events.at(frame_index):
        known = vocabulary.of(event.name)
        chips.append(Chip(f"{known.title}?", known.color, known.shape, is_suggested=True, name=event.name))
    boxes = [box for box in reading.boxes if box.frame_index == frame_index]
    every: list[Box | SuggestedBox] = [*boxes, *suggested]
    outlines = tuple(_outline(box, vocabulary.of(box.name)) for box in every)
    return FrameNotes(tuple(chips), outlines, score_text)


def _outline(box: Box | SuggestedBox, known: ClassName) -> Outline:
    is_suggested = isinstance(box, SuggestedBox)
    title = f"{known.title}?" if is_suggested else known.title
    return Outline(box.x_min, box.y_min, box.x_max, box.y_max, title, known.color, is_suggested)


def score_words(vocabulary: Vocabulary, name: str | None, score: float) -> str:
    """The explained class and its score: "Polyp 0.97", "Polyp" where the frame has no score."""
    if name is None:
        return ""
    title = vocabulary.of(name).title
    return title if math.isnan(score) else f"{title} {score_text(score)}"
