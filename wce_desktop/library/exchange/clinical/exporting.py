"""Writes the reports of studies for hospital systems: DICOM and FHIR files, named after the studies' ids."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from training.errors import UserError, writing
from training.files.outputs import check_output_folder
from training.files.written import WrittenFiles
from training.runs.reporter import Cancelled, Reporter, SilentReporter
from training.texts import Text, join_texts
from wce_desktop.core import counted, to_translate, tr
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.library.exchange import export_formats, exporting, study_pictures
from wce_desktop.library.exchange.clinical import deidentified
from wce_desktop.library.exchange.clinical.content import ExportedStudy, Pictures, exported_study
from wce_desktop.library.exchange.clinical.fhir import diagnostic_report
from wce_desktop.library.library import Library

if TYPE_CHECKING:
    from pydicom import Dataset


def key_frames_image(study: ExportedStudy, pictures: Pictures, uids: deidentified.Uids) -> Dataset:
    """The key frames as one Multi-frame True Color Secondary Capture image (PS3.3, A.8.5).

    Its page numbers are the frame numbers of the study, counted from 1.

    Args:
        pictures: (K, H, W, 3) uint8 RGB, masked outside of the field of view; K is at least 1.
        uids: of this export.

    Raises:
        ValueError: there are no pictures, or not one for each of `study.picture_frames`.
    """
    from pydicom import Dataset
    from pydicom.dataset import FileMetaDataset
    from pydicom.uid import UID, ExplicitVRLittleEndian, MultiFrameTrueColorSecondaryCaptureImageStorage

    if not len(pictures) or len(pictures) != len(study.picture_frames):
        raise ValueError(f"{len(pictures)} pictures of {len(study.picture_frames)} frames")
    result = Dataset()
    deidentified.add_patient_and_study(result, study, uids)
    deidentified.add_method(
        result, study, deidentified.BASIC, *([deidentified.CLEAN_PIXELS] if study.is_masked else [])
    )
    result.SOPClassUID, result.SOPInstanceUID = MultiFrameTrueColorSecondaryCaptureImageStorage, UID(uids.pictures)
    result.Modality, result.ConversionType = "ES", "WSD"
    result.SeriesInstanceUID, result.SeriesNumber, result.InstanceNumber = uids.pictures_series, 1, 1
    result.PatientOrientation = ""
    result.ImageType = ["DERIVED", "SECONDARY"]
    result.BurnedInAnnotation = "NO" if study.is_masked else "YES"  # it may be there; the attribute must say something
    if study.is_lossy:
        result.LossyImageCompression = "01"
    result.NumberOfFrames, result.Rows, result.Columns, result.SamplesPerPixel = pictures.shape
    result.PhotometricInterpretation, result.PlanarConfiguration = "RGB", 0
    result.BitsAllocated, result.BitsStored, result.HighBit, result.PixelRepresentation = 8, 8, 7, 0
    result.FrameIncrementPointer = 0x00182001
    result.PageNumberVector = [frame + 1 for frame in study.picture_frames]
    data = pictures.tobytes()
    result.PixelData = data + b"\0" * (len(data) % 2)
    result["PixelData"].VR = "OB"
    result.file_meta = FileMetaDataset()
    result.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    result.file_meta.MediaStorageSOPClassUID = result.SOPClassUID
    result.file_meta.MediaStorageSOPInstanceUID = result.SOPInstanceUID
    return result


ReportFormat = Literal["dicom", "fhir"]
WriteDicom = Callable[[ExportedStudy, Pictures, Path | None, Path, Reporter], None]
"""Writes the key frames (no path: there are none) and the report."""

REPORT_FORMATS: dict[ReportFormat, str] = {
    "dicom": "a DICOM structured report of the findings and their key frames",
    "fhir": "a FHIR R4 DiagnosticReport (JSON) of the findings",
}


def file_names(study_id: str, format_: ReportFormat) -> tuple[str, ...]:
    """The files of a study in a format."""
    if format_ == "fhir":
        return (f"{study_id}-report.fhir.json",)
    return f"{study_id}-report.dcm", f"{study_id}-key-frames.dcm"


def check_report_files(
    folder: Path, study_ids: Collection[str], formats: Collection[ReportFormat], *, overwrite: bool = False
) -> WrittenFiles:
    """The files of the folder, where the reports may be written.

    Raises:
        ForeignFileError: the folder contains a foreign file of the name, and `overwrite` is False.
        UserError: it is no folder that can be written.
    """
    written = WrittenFiles(check_output_folder(folder, "folder to export into"), "report export")
    names = [name for study_id in study_ids for format_ in formats for name in file_names(study_id, format_)]
    written.check(names, overwrite=overwrite)
    return written


def export_reports(
    library: Library,
    folder: Path,
    formats: Collection[ReportFormat],
    vocabulary: Vocabulary,
    study_ids: Sequence[str] | None = None,
    *,
    has_free_text: bool = False,
    overwrite: bool = False,
    write: WriteDicom | None = None,
    reporter: Reporter | None = None,
) -> export_formats.ExportSummary:
    """Write the reports of the studies named, or of all that have findings; each file is written beside and renamed.

    Args:
        has_free_text: whether comments and other words of the reader are written, which may name a patient.
        overwrite: whether files that this program did not write may be replaced.
        write: how DICOM is written; the window does it in another process.
        reporter: receives progress in studies, and can cancel.

    Raises:
        ForeignFileError: the folder contains a foreign file of the name.
        UserError: an unknown study, nothing to write, or a folder that cannot be written.
        Cancelled: the reporter asked to end; studies written before stay.
    """
    reporter = reporter or SilentReporter()
    studies = exporting.chosen_studies(library, study_ids)
    if study_ids is None:
        studies = [study for study in studies if library.annotations.findings(study.study_id)]
    if not studies:
        raise UserError("No study has findings to report.", "Add findings first, or name a study.")
    written = check_report_files(folder, [study.study_id for study in studies], formats, overwrite=overwrite)
    result: list[ExportedStudy] = []
    notes: list[str] = []
    for done, study in enumerate(studies):
        reporter.check()
        reporter.progress(done, len(studies), "studies", "exporting")
        try:
            exported, pictures = exported_study(library, study, vocabulary, has_free_text=has_free_text)
        except UserError as error:
            if study_ids is not None:
                raise
            notes.append(tr("{study} is left out: {reason}", study=study.study_id, reason=error.message))
            continue
        _write(written, exported, pictures, formats, write or write_dicom, reporter)
        result.append(exported)
        notes += _notes(exported, "dicom" in formats)
    if not result:
        text = join_texts(" ", [Text("No report could be written."), *notes])
        raise UserError(text, "Find the moved recordings first.")
    key_frames = sum(len(each.picture_frames) for each in result) if "dicom" in formats else 0
    counts = {"reports": len(result), "findings": sum(len(each.findings) for each in result), "key frames": key_frames}
    sentence = to_translate("{reports} with {findings} written to {folder}.")
    if key_frames:
        sentence = to_translate("{reports} with {findings} and {pictures} written to {folder}.")
    words = tr(
        sentence,
        reports=counted(len(result), "report"),
        findings=counted(counts["findings"], "finding"),
        pictures=counted(key_frames, "key frame"),
        folder=folder,
    )
    return export_formats.ExportSummary(folder, words, counts, tuple(notes))


def _write(
    written: WrittenFiles,
    study: ExportedStudy,
    pictures: Pictures,
    formats: Collection[ReportFormat],
    write: WriteDicom,
    reporter: Reporter,
) -> None:
    if "dicom" in formats and not study.findings:
        raise UserError(
            "{study} has no findings; a DICOM report needs at least one.", "Export it as FHIR instead.", study.study_id
        )
    try:
        with writing(written.folder), ExitStack() as stack:
            written.folder.mkdir(parents=True, exist_ok=True)
            if "dicom" in formats:
                report, image = file_names(study.study_id, "dicom")
                report_path = stack.enter_context(written.writing(report))
                image_path = stack.enter_context(written.writing(image)) if len(pictures) else None
                write(study, pictures, image_path, report_path, reporter)
            if "fhir" in formats:
                path = stack.enter_context(written.writing(file_names(study.study_id, "fhir")[0]))
                path.write_text(json.dumps(diagnostic_report(study), indent=1, ensure_ascii=False) + "\n", "utf-8")
    except (UserError, Cancelled):
        raise
    except Exception as error:  # whatever two libraries make of a value; its text may quote it
        raise UserError(
            "The report of {study} cannot be written ({reason}).",
            "Check the entries of its findings, or export it in another format.",
            study.study_id,
            type(error).__name__,
        ) from error


def _notes(study: ExportedStudy, with_pictures: bool) -> list[str]:
    notes = []
    if with_pictures and study.left_out:
        frames = counted(len(study.left_out), "key frame")
        notes.append(tr("{study}: {frames} cannot be decoded.", study=study.study_id, frames=frames))
    if with_pictures and study.picture_frames and not study.is_masked:
        notes.append(tr(study_pictures.WRITTEN_WHOLE, study=study.study_id))
    if study.has_free_text:
        notes.append(
            tr(
                "{study}: comments are included as they were written. Check that they name nobody.",
                study=study.study_id,
            )
        )
    return notes


def write_dicom(
    study: ExportedStudy, pictures: Pictures, image_path: Path | None, report_path: Path, _reporter: Reporter
) -> None:
    """Write the image and the report in this process; the first call imports pydicom and highdicom.

    Raises:
        OSError: as writing does.
    """
    from wce_desktop.library.exchange.clinical.structured_report import structured_report

    uids = deidentified.Uids()
    image = None
    if image_path is not None:
        image = key_frames_image(study, pictures, uids)
        image.save_as(image_path, enforce_file_format=True)
    structured_report(study, image, uids).save_as(report_path, enforce_file_format=True)
