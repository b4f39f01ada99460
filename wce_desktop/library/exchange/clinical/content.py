"""What the exports for hospital systems hold of a study, without anything that names a patient."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from wce_desktop.core.annotation import Finding, Vocabulary, picture_frames, regions
from wce_desktop.core.study import Study
from wce_desktop.library.exchange.study_pictures import StudyPictures
from wce_desktop.library.library import Library

Pictures = NDArray[np.uint8]

MAX_PICTURE_BYTES = 1 << 31
"""Of all key frames together: what one element of a DICOM file holds, with room."""


@dataclass(frozen=True, slots=True)
class ExportedFinding:
    """A finding as it is exported.

    Args:
        finding: without reader, time of entry and model; with words of the reader only where free text was asked for.
        title: its kind in words.
        seconds: time of the first frame.
        region: in which region the landmarks put it, or empty.
        pictures: which of the exported pictures show it; counted from 0.
    """

    finding: Finding
    title: str
    seconds: float
    region: str = ""
    pictures: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportedStudy:
    """A study as it is exported.

    Args:
        patient_id: the random name of the patient, see `wce_desktop.core.annotation.record`.
        is_finished: whether the reading was finished.
        has_free_text: whether comments and other free text of the reader are included, which may name a patient.
        is_masked: whether something outside of a field of view was hidden; False where none was found.
        is_lossy: whether the frames come from a video; of pictures it is not known.
        picture_frames: frame of each exported picture, ascending.
        left_out: key frames that cannot be decoded.
    """

    study_id: str
    patient_id: str
    frame_count: int
    is_finished: bool
    has_free_text: bool
    findings: tuple[ExportedFinding, ...]
    is_masked: bool = False
    is_lossy: bool = True
    picture_frames: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()


def exported_study(
    library: Library, study: Study, vocabulary: Vocabulary, *, has_free_text: bool = False
) -> tuple[ExportedStudy, Pictures]:
    """Gather what is exported of a study, and the pictures of its findings, masked outside of the field of view.

    Findings are shown by the frames of their reports, see `picture_frames`.

    Returns:
        The study, and (K, H, W, 3) uint8 RGB.

    Raises:
        UserError: the study's file cannot be read, or there are too many key frames.
    """
    annotations = library.annotations
    with StudyPictures(study, library.studies.folder(study.study_id)) as opened:
        count, labels = len(opened), annotations.label_track(study.study_id)
        where = regions(annotations.landmarks(study.study_id), count)
        shown = {one: picture_frames(one, labels, count) for one in annotations.findings(study.study_id)}
        wanted = sorted({frame for frames in shown.values() for frame in frames})
        if len(wanted) * opened.height * opened.width * 3 > MAX_PICTURE_BYTES:
            raise UserError(
                "{study} has {count:,} key frames, more than fit into one DICOM file.",
                "Remove key frames from its findings.",
                study.study_id,
                len(wanted),
            )
        read = {frame: picture for frame, picture in opened.pictures(wanted) if picture is not None}
        numbers = {frame: number for number, frame in enumerate(read)}
        findings = [
            ExportedFinding(
                replace(
                    finding if has_free_text else finding.without_free_text(),
                    key_frames=tuple(sorted(finding.key_frames)),
                    reader="",
                    when_utc="",
                    model_id=None,
                    was_seen_before=None,
                ),
                title=vocabulary.of(finding.kind).title,
                seconds=round(float(opened.seconds[min(finding.span.start, count - 1)]), 3),
                region=next((str(region) for region, span in where if min(finding.span.start, count - 1) in span), ""),
                pictures=tuple(numbers[frame] for frame in frames if frame in numbers),
            )
            for finding, frames in shown.items()
        ]
        result = ExportedStudy(
            study_id=study.study_id,
            patient_id=study.patient_id,
            frame_count=count,
            is_finished=study.state == "finished",
            has_free_text=has_free_text,
            findings=tuple(findings),
            is_masked=not opened.is_whole,
            is_lossy=opened.is_video,
            picture_frames=tuple(read),
            left_out=tuple(frame for frame in wanted if frame not in read),
        )
        empty = np.zeros((0, opened.height, opened.width, 3), np.uint8)
        return result, np.stack(list(read.values())) if read else empty
