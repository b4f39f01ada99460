"""Exports accepted and suggested boxes of the open study as one COCO file."""

from pathlib import Path

from training.datasets.annotations.coco import CocoBox, CocoImage, coco_document, frame_name, write_coco
from training.errors import UserError
from training.inference.explanation import TITLES
from wce_desktop.core.boxes import suggested_by
from wce_desktop.core.clock import counted
from wce_desktop.core.language import in_english, tr
from wce_desktop.features.explain.model.weak_boxes import BoxSuggestions
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import score_note
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session


def _note(session: Session) -> str:
    with in_english():  # a file stays English
        return score_note(session)


def export_boxes(session: Session, suggestions: BoxSuggestions, size: tuple[int, int], level: float, path: Path) -> str:
    """Write the file; returns a description of its content. It contains no patient name.

    Args:
        session: with a study open.
        suggestions: of that study.
        size: (width, height) of its frames in px.
        level: share of a map's maximum at which boxes were suggested, for the file's `info`.
        path: the JSON file.

    Raises:
        UserError: no study is open, it has no box, or the file cannot be written.
    """
    reading = session.reading
    if reading is None:
        raise UserError("No study is open.", "Open a study first.")
    boxes = _kept(reading) + _suggested(reading, suggestions)
    if not boxes:
        raise UserError(
            "This study has no boxes.", "Press {key} to suggest boxes on this frame.", key_of("suggest_boxes")
        )
    frames = sorted({int(box.file_name.rsplit("-", 1)[1].split(".")[0]) for box in boxes})
    methods = {one.method for frame in suggestions.frames for one in suggestions.at(frame)}
    methods |= {suggested_by(box) for box in reading.entries.boxes if suggested_by(box)}
    document = coco_document(
        [_image(reading, frame, size) for frame in frames],
        boxes,
        model_id=session.model_id,
        method="; ".join(sorted(TITLES.get(method, method) for method in methods)),
        settings={"threshold": round(level, 3)} | ({"note": note} if (note := _note(session)) else {}),
        categories=[name for name in session.vocabulary.names if any(box.category == name for box in boxes)],
    )
    write_coco(path, document)
    suggested = sum(box.source == "suggestion" for box in boxes)
    return tr(
        "{boxes} on {frames}, {suggested} of them only suggested",
        boxes=counted(len(boxes), "box"),
        frames=counted(len(frames), "frame"),
        suggested=suggested,
    )


def _image(reading: Reading, frame_index: int, size: tuple[int, int]) -> CocoImage:
    study_id, seconds = reading.study.study_id, float(reading.index.video_seconds[frame_index])
    return CocoImage(frame_name(study_id, frame_index), *size, study_id, frame_index, round(seconds, 3))


def _kept(reading: Reading) -> list[CocoBox]:
    return [
        CocoBox(
            frame_name(reading.study.study_id, box.frame_index),
            box.name,
            (box.x_min, box.y_min, box.x_max, box.y_max),
            "accepted" if suggested_by(box) else "drawn",
            method=suggested_by(box),
        )
        for box in reading.entries.boxes
    ]


def _suggested(reading: Reading, suggestions: BoxSuggestions) -> list[CocoBox]:
    return [
        CocoBox(
            frame_name(reading.study.study_id, frame),
            one.name,
            (one.x_min, one.y_min, one.x_max, one.y_max),
            "suggestion",
            round(min(1.0, one.strength), 4),
        )
        for frame in suggestions.frames
        for one in suggestions.at(frame)
    ]
