"""Notes on a frame: labels, suggestions, boxes, and the score of the explained class."""

import math
from collections.abc import Sequence

from wce_desktop.core.boxes import SuggestedBox
from wce_desktop.core.finding import Box
from wce_desktop.core.vocabulary import ClassName, Vocabulary
from wce_desktop.session.reading import Reading
from wce_desktop.widgets.player.notes import Chip, FrameNotes, Outline


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
        chips.append(Chip(f"{known.title}?", known.color, known.shape, is_suggested=True))
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
    return title if math.isnan(score) else f"{title} {score:.2f}"
