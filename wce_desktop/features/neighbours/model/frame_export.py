"""Frames that were chosen, with their labels, as a CSV file for other programs; studies by their ids, never by name."""

from pathlib import Path

from training.errors import not_written
from training.files.csv_text import CsvWriter
from training.files.outputs import written_beside
from wce_desktop.core.selection import FrameSelection
from wce_desktop.session.frame_facts import FrameFacts

COLUMNS = ("study_id", "frame_index", "video_seconds", "label", "finding_id", "source")


def write_frames_csv(path: Path, selection: FrameSelection, facts: FrameFacts) -> int:
    """Write one row for each label of each frame, and one without a label for the others; returns the rows.

    Rows with a label are of the form that labels.csv takes, with a column `frame_index` for start and stop. Written
    to a temporary file and renamed.

    Raises:
        UserError: the file cannot be written.
    """
    rows = [row for study_id, frame_index in selection for row in _rows(study_id, frame_index, facts)]
    try:
        with written_beside(path, clean=True) as beside, beside.open("w", encoding="utf-8", newline="") as file:
            writer = CsvWriter(file)
            writer.writerow(COLUMNS)
            writer.writerows(rows)
    except OSError as error:
        raise not_written(path, error) from error
    return len(rows)


def _rows(study_id: str, frame_index: int, facts: FrameFacts) -> list[tuple[object, ...]]:
    seconds = f"{facts.of(study_id, frame_index).video_seconds:.3f}"
    labels = facts.labels(study_id).at(frame_index)
    if not labels:
        return [(study_id, frame_index, seconds, "", "", "")]
    return [(study_id, frame_index, seconds, label.name, label.finding_id or "", label.source) for label in labels]
