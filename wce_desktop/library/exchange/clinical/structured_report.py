"""The findings as a DICOM structured report, and back.

A Comprehensive SR (PS3.3, A.35.3) by the template Measurement Report (PS3.16, TID 1500). Each finding is a Measurement
and Qualitative Evaluation Group (TID 1501): finding type, finding sites (region and segment), tracking identifier (the
ids of study and finding in the library, with "/" between), first, last and key frames and the time as
measurements, what else a reader enters as measurements, evaluations or text, and the key frames' pictures as
source images.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.errors import UserError
from training.files.inputs import regular_file
from training.video.dicom.elements import DicomError, check_whole
from wce_desktop.core.annotation.entry import Term
from wce_desktop.core.annotation.finding import CODED_ENTRIES, ENTRIES, Finding
from wce_desktop.core.span import Span
from wce_desktop.library.exchange.clinical import codes, deidentified
from wce_desktop.library.exchange.clinical.content import ExportedFinding, ExportedStudy

if TYPE_CHECKING:
    from pydicom import Dataset

MAX_REPORT_BYTES = 16 * 1024**2
MAX_ITEMS = 100_000
"""In the sequences of a report; a finding has some 50."""
_SECOND, _FRAME = Term("s", "UCUM", "second"), Term("{frame}", "UCUM", "frame")
_UNITS = {"": Term("1", "UCUM", "no units"), "mm": Term("mm", "UCUM", "millimeter")}
"""Of the entries of findings; other units are called as they are written."""


_NOT_WRITTEN = (
    "InstanceCreationDate",
    "InstanceCreationTime",
    "SeriesDate",
    "SeriesTime",
    "TimezoneOffsetFromUTC",
    "ContributingEquipmentSequence",
)
"""What highdicom may add and the profile takes out."""


def structured_report(study: ExportedStudy, key_frames: Dataset | None, uids: deidentified.Uids) -> Dataset:
    """The report.

    Args:
        study: with at least one finding, which the template asks for.
        key_frames: the image with the findings' pictures; None where there are none.
        uids: of this export.
    """
    import highdicom as hd

    device = hd.sr.DeviceObserverIdentifyingAttributes(
        uid=deidentified.new_uid(),
        manufacturer_name=deidentified.PROGRAM,
        model_name=deidentified.PROGRAM,
        name=deidentified.PROGRAM,
    )
    kind = hd.sr.CodedConcept("121007", "DCM", "Device")
    content = hd.sr.MeasurementReport(
        observation_context=hd.sr.ObservationContext(
            observer_device_context=hd.sr.ObserverContext(observer_type=kind, observer_identifying_attributes=device)
        ),
        procedure_reported=_coded(codes.CAPSULE_ENDOSCOPY),
        imaging_measurements=[_group(study.study_id, finding, key_frames) for finding in study.findings],
        title=hd.sr.CodedConcept("126000", "DCM", "Imaging Measurement Report"),
    )
    result: Dataset = hd.sr.ComprehensiveSR(
        evidence=[key_frames if key_frames is not None else _no_pictures(study, uids)],
        content=content[0],
        series_instance_uid=uids.report_series,
        series_number=2,
        sop_instance_uid=uids.report,
        instance_number=1,
        manufacturer=deidentified.PROGRAM,
        is_complete=study.is_finished,
        is_final=False,
        is_verified=False,
        record_evidence=key_frames is not None,
        content_date=deidentified.NO_DATE,
        content_time=deidentified.NO_TIME,
        specific_character_set="ISO_IR 192",
    )
    deidentified.add_patient_and_study(result, study, uids)
    deidentified.add_method(result, study, deidentified.BASIC, deidentified.CLEAN_CONTENT)
    for name in _NOT_WRITTEN:
        if name in result:
            delattr(result, name)
    if any(element.keyword == "ObservationDateTime" for element in result.iterall()):
        raise ValueError("an observation has a time")
    return result


def _no_pictures(study: ExportedStudy, uids: deidentified.Uids) -> Dataset:
    """What a report without pictures takes patient and study from."""
    from pydicom import Dataset
    from pydicom.uid import MultiFrameTrueColorSecondaryCaptureImageStorage

    result = Dataset()
    deidentified.add_patient_and_study(result, study, uids)
    result.SOPClassUID, result.SOPInstanceUID = MultiFrameTrueColorSecondaryCaptureImageStorage, uids.pictures
    result.SeriesInstanceUID = uids.pictures_series
    return result


def _coded(term: Term) -> Any:
    import highdicom as hd

    return hd.sr.CodedConcept(term.value, term.scheme, term.meaning)


def _group(study_id: str, exported: ExportedFinding, key_frames: Dataset | None) -> Any:
    import highdicom as hd

    finding, sources = exported.finding, None
    if key_frames is not None and exported.pictures:
        pictures = hd.sr.SourceImageForMeasurementGroup(
            referenced_sop_class_uid=key_frames.SOPClassUID,
            referenced_sop_instance_uid=key_frames.SOPInstanceUID,
            referenced_frame_numbers=[picture + 1 for picture in exported.pictures],
        )
        sources = [pictures]
    sites = [codes.SITES[name] for name in (exported.region, finding.segment) if name in codes.SITES]
    group = hd.sr.MeasurementsAndQualitativeEvaluations(
        tracking_identifier=hd.sr.TrackingIdentifier(
            uid=deidentified.new_uid(), identifier=f"{study_id}/{finding.finding_id}"
        ),
        finding_type=_coded(codes.kind_term(finding.kind, exported.title)),
        finding_sites=[hd.sr.FindingSite(_coded(site)) for site in sites] or None,
        measurements=[hd.sr.Measurement(_coded(name), value, _coded(unit)) for name, value, unit in _numbers(exported)],
        qualitative_evaluations=[
            hd.sr.QualitativeEvaluation(_coded(name), _coded(value)) for name, value in codes.evaluations(finding)
        ],
        source_images=sources,
    )
    for name, entry in CODED_ENTRIES.items():
        if entry.kind == "text" and (text := getattr(finding, name)):
            relation = hd.sr.RelationshipTypeValues.CONTAINS
            group[0].ContentSequence.append(hd.sr.TextContentItem(_coded(codes.entry_term(name)), text, relation))
    return group


def _numbers(exported: ExportedFinding) -> list[tuple[Term, float, Term]]:
    finding = exported.finding
    numbers: list[tuple[Term, float, Term]] = [
        (codes.FIRST_FRAME, finding.span.start + 1, _FRAME),
        (codes.LAST_FRAME, finding.span.stop, _FRAME),
        (codes.TIME, exported.seconds, _SECOND),
    ]
    for name, entry in CODED_ENTRIES.items():
        value = getattr(finding, name)
        if entry.kind == "number" and value is not None:
            unit = _UNITS.get(entry.unit) or Term(entry.unit, "UCUM", entry.unit)
            numbers.append((codes.entry_term(name), value, unit))
    return numbers + [(codes.KEY_FRAME, frame + 1, _FRAME) for frame in finding.key_frames]


def read_report(path: Path) -> tuple[str, tuple[ExportedFinding, ...]]:
    """Read the findings of a report that `structured_report` made.

    Returns:
        The study's id, and the findings; which pictures show them is left out.

    Raises:
        UserError: the file is not a report of this program, or is damaged.
    """
    import highdicom as hd
    import pydicom

    regular_file(path, "DICOM report")
    if path.stat().st_size > MAX_REPORT_BYTES:
        raise UserError("{name} is too large for a report.", "Choose the DICOM file with the report.", path.name)
    try:
        check_whole(path, MAX_REPORT_BYTES, MAX_ITEMS)
    except (DicomError, OSError) as error:
        raise UserError(
            "{name} is not a report that can be read ({error}).", "It is damaged.", path.name, error
        ) from error
    try:
        held = pydicom.dcmread(path)
        report = hd.sr.ComprehensiveSR.from_dataset(held)
        groups = report.content.get_image_measurement_groups()
        study_id = str(groups[0].tracking_identifier).partition("/")[0]  # Study ID has room for 16 characters
        return study_id, tuple(_read_group(group) for group in groups)
    except (MemoryError, RecursionError) as error:
        raise UserError("{name} is not a report that can be read.", "It is damaged.", path.name) from error
    except Exception as error:  # whatever a damaged file makes of two libraries
        raise UserError(
            "{name} is not a report that this program wrote ({kind}).",
            "Choose a DICOM report that was exported here.",
            path.name,
            type(error).__name__,
        ) from error


def _read_group(group: Any) -> ExportedFinding:
    study_id, _, finding_id = str(group.tracking_identifier).partition("/")
    kind = _term(group.finding_type)
    finding = Finding(
        finding_id,
        study_id,
        codes.kind_of(kind),
        Span(int(_measured(group, codes.FIRST_FRAME)[0]) - 1, int(_measured(group, codes.LAST_FRAME)[0])),
        key_frames=tuple(int(value) - 1 for value in _measured(group, codes.KEY_FRAME)),
        **{name: _entered(group, name) for name in ENTRIES},
    )
    sites = [codes.region_of(_term(site.value)) for site in group.finding_sites]
    if finding.segment in codes.SITES:
        sites = sites[:-1]
    return ExportedFinding(finding, kind.meaning, _measured(group, codes.TIME)[0], sites[0] if sites else "")


def _entered(group: Any, name: str) -> Any:
    """What a group says of an entry of a finding."""
    term = codes.entry_term(name)
    match ENTRIES[name].kind:
        case "number":
            return next(iter(_measured(group, term)), None)
        case "choice":
            return next((str(each.value.value) for each in group.get_qualitative_evaluations(name=_coded(term))), "")
        case "text":
            return next((str(item.TextValue) for item in group[0].ContentSequence if item.name == _coded(term)), "")


def _term(coded: Any) -> Term:
    return Term(str(coded.value), str(coded.scheme_designator), str(coded.meaning))


def _measured(group: Any, name: Term) -> Sequence[float]:
    return [float(each.value) for each in group.get_measurements(name=_coded(name))]
