"""Chosen frames for other programs: a contact sheet, and a CSV file with labels; studies by id, never by name."""

import math
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from training.errors import writing
from training.files.csv_text import write_csv
from training.runs.reporter import Reporter
from training.video import FieldOfView, FrameMissing, FrameSource, open_source, study_field_of_view
from wce_desktop.core.language import tr
from wce_desktop.core.selection import FrameSelection
from wce_desktop.session.frame_facts import FrameFacts
from wce_desktop.widgets.frame_pictures import CACHE_BYTES, PlaceFinder
from wce_desktop.widgets.player.pictures import save_png, thumbnail_picture

COLUMNS = ("study_id", "frame_index", "video_seconds", "label", "finding_id", "source")


def write_frames_csv(path: Path, selection: FrameSelection, facts: FrameFacts) -> int:
    """Write one row for each label of each frame, and one without a label for the others; returns the rows.

    Rows with a label are of the form that labels.csv takes, with a column `frame_index` for start and stop. Written
    to a temporary file and renamed.

    Raises:
        UserError: the file cannot be written.
    """
    rows = [row for study_id, frame_index in selection for row in _rows(study_id, frame_index, facts)]
    with writing(path):
        write_csv(path, COLUMNS, rows, clean=True)
    return len(rows)


def _rows(study_id: str, frame_index: int, facts: FrameFacts) -> list[tuple[object, ...]]:
    seconds = f"{facts.of(study_id, frame_index).video_seconds:.3f}"
    labels = facts.labels(study_id).at(frame_index)
    if not labels:
        return [(study_id, frame_index, seconds, "", "", "")]
    return [(study_id, frame_index, seconds, label.name, label.finding_id or "", label.source) for label in labels]


MOST_FRAMES = 400
PICTURE_PX, GAP_PX, CAPTION_PX, FOOT_PX = 192, 8, 34, 30

Address = tuple[str, int]


def write_contact_sheet(
    path: Path,
    frames: Sequence[Address],
    captions: Mapping[Address, tuple[str, str]],
    places: PlaceFinder,
    foot: str,
    reporter: Reporter,
) -> int:
    """Write a PNG of the frames, at most `MOST_FRAMES`, evenly spaced; returns how many.

    Runs in any thread. Written to a temporary file and renamed.

    Args:
        frames: (study, frame), those of one study together.
        captions: two short lines for each.
        foot: one line below all.

    Raises:
        UserError: a video cannot be read, or the file cannot be written.
    """
    chosen = [frames[row] for row in np.unique(np.linspace(0, len(frames) - 1, MOST_FRAMES).astype(int))]
    columns = max(1, math.ceil(math.sqrt(len(chosen) * 1.5)))
    rows = math.ceil(len(chosen) / columns)
    width, height = PICTURE_PX + GAP_PX, PICTURE_PX + GAP_PX + CAPTION_PX
    sheet = QImage(columns * width + GAP_PX, rows * height + GAP_PX + FOOT_PX, QImage.Format.Format_RGB32)
    sheet.fill(QColor("#161616"))
    painter = QPainter(sheet)
    try:
        done = 0
        for study_id, group in groupby(chosen, key=lambda address: address[0]):
            place = places(study_id)
            with closing(open_source(place.path, index=place.index, cache_bytes=CACHE_BYTES)) as source:
                view = place.field_of_view or study_field_of_view(source)
                for address in group:
                    reporter.check()
                    row, column = divmod(done, columns)
                    corner = QPoint(GAP_PX + column * width, GAP_PX + row * height)
                    _paint(painter, corner, _masked(source, view, address[1]), captions[address])
                    done += 1
                    reporter.progress(done, len(chosen), "frames", "contact sheet")
        painter.setPen(QColor("#979797"))
        painter.drawText(sheet.rect().adjusted(GAP_PX, 0, -GAP_PX, -GAP_PX), Qt.AlignmentFlag.AlignBottom, foot)
    finally:
        painter.end()
    save_png(sheet, path)
    return len(chosen)


def _masked(source: FrameSource, view: FieldOfView, frame_index: int) -> QImage:
    """A frame, small, and black outside the field of view; a null picture where it does not decode."""
    try:
        frame = source.read(frame_index)
    except FrameMissing:
        return QImage()
    inside = view.mask(*frame.shape[:2])
    return thumbnail_picture(np.where(inside[:, :, None], frame, np.uint8(0)), PICTURE_PX)


def _paint(painter: QPainter, corner: QPoint, picture: QImage, caption: tuple[str, str]) -> None:
    room = QRect(corner.x(), corner.y(), PICTURE_PX, PICTURE_PX)
    if picture.isNull():
        painter.setPen(QColor("#979797"))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, tr("cannot be read"))
    else:
        place = picture.rect()
        place.moveCenter(room.center())
        painter.drawImage(place, picture)
    font = QFont(painter.font())
    font.setPixelSize(12)
    painter.setFont(font)
    for number, (line, color) in enumerate(zip(caption, ("#dcdcdc", "#979797"), strict=True)):
        painter.setPen(QColor(color))
        line_room = QRect(corner.x(), corner.y() + PICTURE_PX + 1 + 16 * number, PICTURE_PX, 16)
        painter.drawText(line_room, Qt.AlignmentFlag.AlignHCenter, line)
