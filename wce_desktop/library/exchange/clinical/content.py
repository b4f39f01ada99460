"""What the exports for hospital systems hold of a study, without anything that names a patient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from training.errors import UserError
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import picture_frames
from wce_desktop.core.annotation.landmark import regions
from wce_desktop.core.annotation.vocabulary import Vocabulary
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

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        values: dict[str, Any] = TypeAdapter(ExportedFinding).dump_python(self, mode="json")
        return values

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> ExportedFinding:
        """From what `to_json` gave, after a way through JSON; raises `ValueError` for an invalid finding."""
        return TypeAdapter(ExportedFinding).validate_python(values)


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

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        values: dict[str, Any] = TypeAdapter(ExportedStudy).dump_python(self, mode="json")
        return values

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> ExportedStudy:
        """From what `to_json` gave, after a way through JSON."""
        return TypeAdapter(ExportedStudy).validate_python(values)


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
    with StudyPictures(study, library.studies.folder(study.study_id) / "index.npz") as opened:
        findings = [
            _finding(library, finding, vocabulary, opened, has_free_text=has_free_text)
            for finding in library.annotations.findings(study.study_id)
        ]
        labels = library.annotations.label_track(study.study_id)
        shown = {
            one.finding_id: picture_frames(one, labels, len(opened))
            for one in library.annotations.findings(study.study_id)
        }
        made = ExportedStudy(
            study_id=study.study_id,
            patient_id=study.patient_id,
            frame_count=len(opened),
            is_finished=study.state == "finished",
            has_free_text=has_free_text,
            findings=tuple(findings),
            is_masked=not opened.is_whole,
            is_lossy=opened.is_video,
        )
        return _with_pictures(made, opened, shown)


def _finding(
    library: Library, finding: Finding, vocabulary: Vocabulary, opened: StudyPictures, *, has_free_text: bool
) -> ExportedFinding:
    exported = finding if has_free_text else finding.without_free_text()
    exported = replace(
        exported,
        key_frames=tuple(sorted(finding.key_frames)),
        reader="",
        when_utc="",
        model_id=None,
        was_seen_before=None,
    )
    frame = min(finding.span.start, len(opened) - 1)
    where = regions(library.annotations.landmarks(finding.study_id), len(opened))
    return ExportedFinding(
        exported,
        title=vocabulary.of(finding.kind).title,
        seconds=round(float(opened.seconds[frame]), 3),
        region=next((str(region) for region, span in where if frame in span), ""),
    )


def _with_pictures(
    made: ExportedStudy, opened: StudyPictures, shown: Mapping[str, tuple[int, ...]]
) -> tuple[ExportedStudy, Pictures]:
    wanted = sorted({frame for frames in shown.values() for frame in frames})
    if len(wanted) * opened.height * opened.width * 3 > MAX_PICTURE_BYTES:
        raise UserError(
            "{study} has {count:,} key frames, more than fit into one DICOM file.",
            "Remove key frames from its findings.",
            made.study_id,
            len(wanted),
        )
    read = {frame: picture for frame, picture in opened.masked(wanted) if picture is not None}
    frames = list(read)
    made = replace(
        made,
        picture_frames=tuple(frames),
        left_out=tuple(frame for frame in wanted if frame not in read),
        findings=tuple(_numbered(each, frames, shown[each.finding.finding_id]) for each in made.findings),
    )
    empty = np.zeros((0, opened.height, opened.width, 3), np.uint8)
    return made, np.stack(list(read.values())) if read else empty


def _numbered(finding: ExportedFinding, frames: Sequence[int], shown: Sequence[int]) -> ExportedFinding:
    return replace(finding, pictures=tuple(frames.index(frame) for frame in shown if frame in frames))
