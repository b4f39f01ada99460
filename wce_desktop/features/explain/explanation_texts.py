"""What is written about explanations, in the panel and on the frame."""

from collections.abc import Sequence

from training.inference.explanation import NOT_MEASURED, Explanation
from wce_desktop.core import Span, counted, format_frame, format_time, to_translate, tr, tr_count
from wce_desktop.core.annotation import Box, ClassName, Vocabulary
from wce_desktop.core.boxes import SuggestedBox
from wce_desktop.features.explain.explanation_queue import ExplanationQueue
from wce_desktop.features.explain.frame_cams import FrameCams
from wce_desktop.session.completeness.protocol import HIDDEN
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import is_graph
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.widgets.player.annotation_painter import Chip, FrameNotes, Outline

NEARLY_THE_SAME, SIMILAR = 0.95, 0.8
"""Correlations with the exact Score-CAM from which a quick one is called so (ours)."""


def waiting_words(explanation: Explanation, seconds_left: float | None) -> str:
    """The text beside a quick CAM while the exact one is computed."""
    follows = tr("The exact one follows soon.")
    if seconds_left:
        follows = tr("The exact one follows in {seconds} s.", seconds=max(1, round(seconds_left)))
    return f"{quick_words(explanation)} {follows}"


def quick_words(explanation: Explanation) -> str:
    """What a quick Score-CAM is worth, as a sentence: its correlation with the exact one on a test set, in words."""
    if explanation.agreement is None or NOT_MEASURED in explanation.note:
        return tr("Quick estimate.")
    if explanation.agreement >= NEARLY_THE_SAME:
        return tr("Quick estimate, nearly the same as the exact one on test frames.")
    if explanation.agreement >= SIMILAR:
        return tr("Quick estimate, similar to the exact one on test frames.")
    return tr("Quick estimate, often different from the exact one on test frames.")


NO_NETWORK = to_translate("The embeddings of “{model}” were imported: it has no network that could explain a frame.")


def missing_words(cams: FrameCams) -> str:
    """The text in the corner of a frame without a CAM."""
    if cams.is_imported:
        return tr("No explanation: the model has no network")
    key = key_of("explain_frame")
    if cams.is_from_scores:
        return tr("Below the threshold (press {key} to explain)", key=key)
    if cams.method == "cam":
        return tr("No CAM of this frame yet (press {key})", key=key)
    if cams.method == "prior-grid":
        return tr("No explanation of this frame yet (press {key})", key=key)
    return tr("No Score-CAM of this frame yet (press {key})", key=key)


def note_words(session: Session, cams: FrameCams) -> str:
    """What the chosen method shows, or what is missing for it."""
    reading, model = session.reading, session.current_model
    if reading is None:
        return tr("Open a study to see how the model scores its frames.")
    if reading.flags.is_hidden:
        return tr(HIDDEN)
    if model is None:
        return tr("There is no model to explain with. Add a model folder: {key}.", key=key_of("add_model"))
    if cams.is_imported:
        return tr(NO_NETWORK, model=model.title)
    if cams.is_from_scores and cams.stored is not None:
        height, width = cams.stored.shape[-2:]
        return tr(
            "CAM of {model}: where the model finds evidence for the class. Lighter means stronger. "
            "The CAM is coarse: {height} by {width} cells over the field of view.",
            model=model.title,
            height=height,
            width=width,
        )
    if is_graph(model):
        return tr("{model} is a classifier of another program: it has no map that explains a frame.", model=model.title)
    if cams.method == "cam":
        return tr(
            "{model} stored no CAMs when it scored this study, so each frame is explained when it stays on "
            "screen, on its own scale. Press {key} to score the study again.",
            model=model.title,
            key=key_of("score_study"),
        )
    if not cams.is_of_a_class:
        return tr(
            "{model} was derived from a pretraining that learned from the reddest part of each frame. To this "
            "pretraining, light areas look like the reddest part. It knows no classes, so the overlay is the same for "
            "all of them, and light areas need not be abnormal.",
            model=model.title,
        )
    return tr(
        "Score-CAM of {model}: the frame is masked in many ways, and areas that raise the score more than "
        "the rest of the frame are coloured, the strongest lightest. Each frame has its own scale: the overlay shows "
        "where, the score shows how strong.",
        model=model.title,
    )


def state_words(session: Session, cams: FrameCams, queue: ExplanationQueue, seconds_left: float | None) -> str:
    """The state of the explanation of the frame on screen."""
    reading = session.reading
    if reading is None or cams.is_from_scores or cams.is_imported or reading.flags.is_hidden:
        return ""
    frame, asked = reading.place.frame_index, queue.current
    explanation = cams.explanation(frame)
    is_requested = queue.is_requested(frame)
    if explanation is not None and is_requested:
        return waiting_words(explanation, seconds_left)
    if explanation is not None and explanation.agreement is not None:
        return " ".join(filter(None, (quick_words(explanation), tr(explanation.note))))
    if explanation is not None:
        return tr(explanation.note) or ("" if explanation.method == "cam" else tr("Exact."))
    if is_requested:
        return tr("Explaining frame {frame}…", frame=format_frame(frame + 1))
    if asked is not None:
        return tr_count(
            "Explaining frame {frame}; {count} frame left.",
            "Explaining frame {frame}; {count} frames left.",
            queue.waiting_count,
            frame=format_frame(asked.frame_index + 1),
        )
    return tr("This frame is not explained yet.")


def corner_words(session: Session, cams: FrameCams, queue: ExplanationQueue, seconds_left: float | None) -> str:
    """The text in the corner of the frame on screen while its explanation is computed."""
    reading = session.reading
    if reading is None or not queue.is_requested(reading.place.frame_index):
        return ""
    has_quick = cams.explanation(reading.place.frame_index) is not None
    if not seconds_left:
        return tr("Exact… (Esc stops)") if has_quick else tr("Explaining… (Esc stops)")
    seconds = max(1, round(seconds_left))
    if has_quick:
        return tr("Exact in {seconds} s (Esc stops)", seconds=seconds)
    return tr("Explaining in {seconds} s (Esc stops)", seconds=seconds)


def _extent(span: Span, reading: Reading) -> str:
    """ "22 frames, 0:00:21 to 0:00:43": what accepting a suggestion labels; empty for the frame alone."""
    if len(span) == 1:
        return ""
    first, last = (format_time(float(reading.index.video_seconds[frame])) for frame in (span.start, span.stop - 1))
    frames = counted(len(span), "frame")
    return tr("{frames}, {first} to {last}", frames=frames, first=first, last=last)


def frame_notes(
    reading: Reading,
    vocabulary: Vocabulary,
    frame_index: int,
    score_text: str = "",
    suggested: Sequence[SuggestedBox] = (),
) -> FrameNotes:
    """The notes of one frame of the open study; a suggestion is drawn hollow until it is accepted or rejected."""
    chips = []
    labels = reading.entries.labels.at(frame_index)
    for label in labels:
        entry = vocabulary.of(label.name)
        title = tr("{name} (by rejecting)", name=entry.shown_title) if label.is_from_rejecting else entry.shown_title
        chips.append(Chip(title, entry.color, entry.shape))
    denied = [label.name for label in reading.entries.labels.negatives.at(frame_index)]
    chips += [
        Chip(tr("Not {name}", name=entry.shown_title), entry.color, entry.shape) for entry in map(vocabulary.of, denied)
    ]
    for event in () if labels else reading.flags.events.at(frame_index):
        if event.name in denied:
            continue
        entry = vocabulary.of(event.name)
        words = f"{entry.shown_title}? {_extent(event.span, reading)}".strip()
        chips.append(Chip(words, entry.color, entry.shape, is_suggested=True, name=event.name))
    boxes = [box for box in reading.entries.boxes if box.frame_index == frame_index]
    every: list[Box | SuggestedBox] = [*boxes, *suggested]
    outlines = tuple(_outline(box, vocabulary.of(box.name)) for box in every)
    return FrameNotes(tuple(chips), outlines, score_text, reading.entries.drawings.shapes.get(frame_index, ()))


def _outline(box: Box | SuggestedBox, entry: ClassName) -> Outline:
    is_suggested = isinstance(box, SuggestedBox)
    title = f"{entry.shown_title}?" if is_suggested else entry.shown_title
    return Outline(box.x_min, box.y_min, box.x_max, box.y_max, title, entry.color, is_suggested)
