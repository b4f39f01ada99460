"""Labelled images (`filename,label,group`), which are single pictures instead of studies, and videos made of some.

A video made of video runs put one after the other, and a CSV that says which image each of its frames is.
"""

from collections.abc import Mapping
from itertools import groupby, pairwise
from pathlib import Path

from pydantic import Field

from training.datasets.manifest import Manifest, StudyEntry, StudySpan
from training.datasets.table import MAX_FRAME, TableRow, read_rows
from training.errors import UserError
from training.settings import MAX_TEXT

COLUMNS = ("filename", "label", "group")


class LabelledImage(TableRow):
    """One picture; pictures of one group (a patient, a sequence) are never on both sides of a split."""

    filename: str = Field(min_length=1, max_length=MAX_TEXT)
    label: str = Field(min_length=1, max_length=MAX_TEXT)
    group: str = Field(min_length=1, max_length=MAX_TEXT)


def read_labelled_images(path: Path) -> list[LabelledImage]:
    """Read a CSV of labelled images; raises `UserError` naming the line."""
    return read_rows(path, LabelledImage, COLUMNS)


class VideoFrameRow(TableRow):
    """One frame of the video: its number, the video run that it belongs to, and the image that it shows."""

    frame_index: int = Field(ge=0, le=MAX_FRAME)
    run: str = Field(min_length=1)
    filename: str = Field(min_length=1)


def read_video_frames(path: Path) -> list[VideoFrameRow]:
    """Read the CSV, ordered by frame; raises `UserError` naming the line, or a frame that is listed twice."""
    rows = read_rows(path, VideoFrameRow, ("frame_index", "run", "filename"))
    rows = sorted(rows, key=lambda row: row.frame_index)
    for row, following in pairwise(rows):
        if row.frame_index == following.frame_index:
            raise UserError(
                "{path}: frame {frame_index} is listed twice.", "List each frame once.", path, row.frame_index
            )
    return rows


def video_run_manifest(video: Path, rows: list[VideoFrameRow], group_of: Mapping[str, str]) -> Manifest:
    """One study for each group (its patient), whose spans are its video runs in the one video file.

    A span is cut where the group changes within a run; frames of images without a group are left out, for nobody can
    say whose they are. The spans are not neighbours in time: pretrain with `each_span_is_a_study`.

    Args:
        video: the file.
        rows: what it shows, ordered by frame.
        group_of: image -> group.

    Raises:
        UserError: no frame has a group.
    """
    spans: dict[str, list[StudySpan]] = {}
    known = [row for row in rows if row.filename in group_of]
    # Equal within a stretch of successive frames of one run and one group.
    stretches = groupby(
        enumerate(known), key=lambda item: (item[1].frame_index - item[0], item[1].run, group_of[item[1].filename])
    )
    for (_, _, group), members in stretches:
        frames = [row.frame_index for _, row in members]
        spans.setdefault(group, []).append(StudySpan(start=frames[0], stop=frames[-1] + 1))
    if not spans:
        raise UserError(
            "No frame of {name} shows a labelled image.",
            "Check that the video and the labels belong together.",
            video.name,
        )
    return Manifest(
        studies=tuple(
            StudyEntry(study_id=f"runs of {group}", patient_id=group, path=video, spans=tuple(parts))
            for group, parts in spans.items()
        )
    )
