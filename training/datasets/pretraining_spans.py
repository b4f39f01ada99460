"""Which stretches of a manifest's studies are pretrained on, and studies of labelled images and of videos made of some.

(Pascual et al. 2022: small bowel and colon.) A video made of video runs put one after the other has a CSV that says
which image each of its frames is.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path

from pydantic import Field

from training.datasets import sequences, table
from training.datasets.manifest import Manifest, StudyEntry, StudySpan, check_spans
from training.errors import UserError
from training.settings import MAX_TEXT
from training.texts import Text, join_texts

REGIONS = ("small bowel", "colon")
NOT_BEFORE = ("stomach", "small bowel")
"""What lies before one of these begins is neither small bowel nor colon, whether it is named or not."""


def pretraining_spans(
    manifest: Manifest,
    frame_counts: Mapping[str, int],
    regions: Sequence[str] = REGIONS,
    *,
    each_span_is_a_study: bool = False,
    needs_time: bool = False,
) -> tuple[tuple[sequences.SequenceSpan, ...], str]:
    """The stretches to pretrain on, and a sentence on what is left out (empty where nothing is).

    Spans of another region are left out, and those without a region before the stomach or the small bowel begins. Other
    spans without a region, and studies without spans, count whole: nobody said where they are.

    Args:
        manifest: studies.
        frame_counts: study id -> frames of the study.
        regions: that count.
        each_span_is_a_study: every span gets a gamma of its own: for files that put video runs one after the other.
        needs_time: studies that are stills are left out, for a method that learns from what is near in time.

    Raises:
        UserError: a span ends past its study, or two of its spans share frames.
    """
    spans: list[sequences.SequenceSpan] = []
    left_out = stills = gamma = 0
    for number, study in enumerate(manifest.studies):
        if needs_time and not study.has_time:
            stills += frame_counts[study.study_id]
            continue
        stretches, lost = _stretches(study, frame_counts[study.study_id], regions)
        left_out += lost
        for start, stop in stretches:
            spans.append(sequences.SequenceSpan(number, gamma, start, stop))
            gamma += each_span_is_a_study
        gamma += not each_span_is_a_study
    total = sum(frame_counts[study.study_id] for study in manifest.studies)
    # Where spans are video runs of one file, what lies outside a study's spans are the runs of the others.
    return tuple(spans), _sentence(0 if each_span_is_a_study else left_out, stills, total, regions)


def _sentence(left_out: int, stills: int, total: int, regions: Sequence[str]) -> str:
    sentences = []
    if left_out:
        wanted = " or ".join(regions)
        sentences.append(
            Text(
                "{left_out:,} of {total:,} frames are left out: they are in no span of {wanted}.",
                left_out,
                total,
                wanted,
            )
        )
    if stills:
        sentences.append(
            Text(
                "{stills:,} of {total:,} frames are left out: they are still images, so it is unknown which of them "
                "are near in time.",
                stills,
                total,
            )
        )
    return join_texts(" ", sentences)


def _stretches(study: StudyEntry, frames: int, regions: Sequence[str]) -> tuple[list[tuple[int, int]], int]:
    """[start, stop) of a study that count, and how many frames do not."""
    if not study.spans:
        return [(0, frames)] if frames else [], 0
    check_spans(study.study_id, study.spans, frames)
    for span, after in pairwise(sorted(study.spans, key=lambda span: span.start)):
        if after.start < span.stop:
            raise UserError(
                "Two spans of study {study_id} share frames: [{start}, {stop}) and [{after_start}, {after_stop}).",
                "Give each frame only one span: the sequences of a batch must not share frames.",
                study.study_id,
                span.start,
                span.stop,
                after.start,
                after.stop,
            )
    kept = [(span.start, span.stop) for span in study.spans if _counts(span, study.spans, regions)]
    return kept, frames - sum(stop - start for start, stop in kept)


def _counts(span: StudySpan, all_of_study: Sequence[StudySpan], regions: Sequence[str]) -> bool:
    if span.region:
        return span.region in regions
    return not any(other.region in NOT_BEFORE and other.start >= span.stop for other in all_of_study)


COLUMNS = ("filename", "label", "group")


class LabelledImage(table.TableRow):
    """One picture; pictures of one group (a patient, a sequence) are never on both sides of a split."""

    filename: str = Field(min_length=1, max_length=MAX_TEXT)
    label: str = Field(min_length=1, max_length=MAX_TEXT)
    group: str = Field(min_length=1, max_length=MAX_TEXT)


def read_labelled_images(path: Path, by: str = "group") -> list[LabelledImage]:
    """Read a CSV of labelled images, whose column `by` is the group; raises `UserError` naming the line."""
    return table.read_rows(path, LabelledImage, (*COLUMNS[:2], by), column_of={} if by == "group" else {"group": by})


class VideoFrameRow(table.TableRow):
    """One frame of the video: its number, the video run that it belongs to, and the image that it shows."""

    frame_index: int = Field(ge=0, le=table.MAX_FRAME)
    run: str = Field(min_length=1)
    filename: str = Field(min_length=1)


def read_video_frames(path: Path) -> list[VideoFrameRow]:
    """Read the CSV, ordered by frame; raises `UserError` naming the line, or a frame that is listed twice."""
    rows = table.read_rows(path, VideoFrameRow, ("frame_index", "run", "filename"))
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
