"""The DICOM files: attributes, de-identification, and reading back by pydicom and highdicom."""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import highdicom as hd
import numpy as np
import pydicom
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydicom import config
from pydicom.uid import DeflatedExplicitVRLittleEndian, ExplicitVRLittleEndian

from tests.wce_desktop.library.exchange.clinical.reports import a_finding, a_study, pictures
from training.errors import UserError
from training.runs.reporter import SilentReporter
from training.video import build_index, open_source
from wce_desktop.core.annotation.entry import Term
from wce_desktop.core.annotation.finding import ENTRIES, MORPHOLOGIES, NUMBERS, SEGMENTS, Finding
from wce_desktop.core.annotation.landmark import BODY_REGIONS
from wce_desktop.core.span import Span
from wce_desktop.library.exchange.clinical import codes
from wce_desktop.library.exchange.clinical import structured_report as structured_report_module
from wce_desktop.library.exchange.clinical.content import ExportedFinding, ExportedStudy
from wce_desktop.library.exchange.clinical.deidentified import Uids
from wce_desktop.library.exchange.clinical.exporting import key_frames_image, write_dicom
from wce_desktop.library.exchange.clinical.structured_report import read_report, structured_report


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    """pydicom refuses values that break the rules of their types, on writing and on reading."""
    before = config.settings.writing_validation_mode, config.settings.reading_validation_mode
    config.settings.writing_validation_mode = config.settings.reading_validation_mode = config.RAISE
    yield
    config.settings.writing_validation_mode, config.settings.reading_validation_mode = before


def written(folder: Path, study: ExportedStudy) -> tuple[pydicom.Dataset, pydicom.Dataset]:
    """The image and the report, read back by pydicom."""
    image, report = folder / "image.dcm", folder / "report.dcm"
    write_dicom(study, pictures(), image, report, SilentReporter())
    return pydicom.dcmread(image), pydicom.dcmread(report)


SC_TYPE_1 = """
    SOPClassUID SOPInstanceUID StudyInstanceUID SeriesInstanceUID Modality ConversionType SamplesPerPixel
    PhotometricInterpretation Rows Columns BitsAllocated BitsStored HighBit PixelRepresentation
    PlanarConfiguration NumberOfFrames FrameIncrementPointer PageNumberVector BurnedInAnnotation PixelData
    ImageType
"""
SR_TYPE_1 = """
    SOPClassUID SOPInstanceUID StudyInstanceUID SeriesInstanceUID Modality SeriesNumber InstanceNumber
    ContentDate ContentTime CompletionFlag VerificationFlag ValueType ConceptNameCodeSequence
    ContinuityOfContent ContentTemplateSequence CurrentRequestedProcedureEvidenceSequence
"""
TYPE_2 = """
    PatientName PatientID PatientBirthDate PatientSex StudyDate StudyTime ReferringPhysicianName StudyID
    AccessionNumber Manufacturer
"""


def test_required_attributes_are_there(tmp_path: Path) -> None:
    """PS3.3, Tables A.8.5-1 and A.35.3-1."""
    image, report = written(tmp_path, a_study(a_finding()))
    assert not [name for name in SC_TYPE_1.split() if image.get(name) in (None, "", [])]
    assert not [name for name in SR_TYPE_1.split() if report.get(name) in (None, "", [])]
    for made, more in ((image, ["InstanceNumber", "PatientOrientation"]), (report, ["PerformedProcedureCodeSequence"])):
        assert not [name for name in TYPE_2.split() + more if name not in made]
    assert image.SOPClassUID == pydicom.uid.MultiFrameTrueColorSecondaryCaptureImageStorage
    assert report.SOPClassUID == pydicom.uid.ComprehensiveSRStorage
    assert report.ContentTemplateSequence[0].TemplateIdentifier == "1500"
    assert report.StudyInstanceUID == image.StudyInstanceUID
    assert report.SeriesInstanceUID != image.SeriesInstanceUID


def test_the_image_shows_the_frames_and_says_their_numbers(tmp_path: Path) -> None:
    image, report = written(tmp_path, a_study(a_finding()))
    np.testing.assert_array_equal(image.pixel_array, pictures())
    assert list(image.PageNumberVector) == [12, 15]
    assert image.BurnedInAnnotation == "NO"
    (reference,) = [item for item in report.iterall() if item.keyword == "ReferencedFrameNumber"]
    assert list(reference.value) == [1, 2]
    assert {item.value for item in report.iterall() if item.keyword == "ReferencedSOPInstanceUID"} == {
        image.SOPInstanceUID
    }


def test_the_image_opens_as_a_study_of_this_program(tmp_path: Path) -> None:
    written(tmp_path, a_study(a_finding()))
    path = tmp_path / "image.dcm"
    with open_source(path, index=build_index(path)) as source:
        np.testing.assert_array_equal(source.read(1), pictures()[1])


def test_where_no_field_of_view_was_found_it_does_not_claim_clean_pixels(tmp_path: Path) -> None:
    image, _ = written(tmp_path, a_study(a_finding(), is_masked=False))
    assert image.BurnedInAnnotation == "YES"
    assert [item.CodeValue for item in image.DeidentificationMethodCodeSequence] == ["113100"]


def test_patient_identity_is_removed_by_the_basic_profile(tmp_path: Path) -> None:
    image, report = written(tmp_path, a_study(a_finding()))
    for made, methods in ((image, ["113100", "113101"]), (report, ["113100", "113104"])):
        assert made.PatientIdentityRemoved == "YES"
        assert [item.CodeValue for item in made.DeidentificationMethodCodeSequence] == methods
        assert made.LongitudinalTemporalInformationModified == "REMOVED"
        assert made.PatientID == "p-01"
        assert str(made.PatientName) == "p-01^"
        assert [made.get(name) for name in ("PatientBirthDate", "PatientSex", "StudyDate", "StudyTime")] == [""] * 4
        assert [made.get(name) for name in ("AccessionNumber", "ReferringPhysicianName")] == ["", ""]


MUST_NOT_BE_THERE = """
    PatientAge PatientSize PatientWeight PatientAddress PatientComments OtherPatientIDs EthnicGroup
    Occupation InstitutionName InstitutionAddress InstitutionalDepartmentName StationName
    DeviceSerialNumber OperatorsName PerformingPhysicianName NameOfPhysiciansReadingStudy
    RequestingPhysician VerifyingObserverSequence PersonName StudyDescription SeriesDescription
    ImageComments ProtocolName SeriesDate SeriesTime AcquisitionDate AcquisitionTime AcquisitionDateTime
    InstanceCreationDate InstanceCreationTime TimezoneOffsetFromUTC ObservationDateTime
    ReferencedRequestSequence ContributingEquipmentSequence EncryptedAttributesSequence
    OriginalAttributesSequence DigitalSignaturesSequence
"""


def test_nothing_else_of_table_e_1_1_is_there(tmp_path: Path) -> None:
    for made in written(tmp_path, a_study(a_finding())):
        elements = list(made.iterall())
        assert {element.keyword for element in elements} & set(MUST_NOT_BE_THERE.split()) == set()
        assert not [element for element in elements if element.tag.is_private]
        dates = {str(element.value) for element in elements if element.VR in ("DA", "DT", "TM")}
        assert dates <= {"", "19000101", "000000"}


def test_uids_are_new_in_each_export(tmp_path: Path) -> None:
    study = a_study(a_finding())
    first, second = written(tmp_path, study), written(tmp_path, study)
    for one, other in zip(first, second, strict=True):
        names = ("StudyInstanceUID", "SeriesInstanceUID", "SOPInstanceUID")
        assert not {one.get(name) for name in names} & {other.get(name) for name in names}
        assert all(str(one.get(name)).startswith("2.25.") for name in names)


def test_comments_are_written_only_on_request_and_then_identity_is_not_called_removed(tmp_path: Path) -> None:
    finding = a_finding(comment="seen before, größer")
    image, report = written(tmp_path, a_study(finding, has_free_text=True))
    for made in (image, report):
        assert made.PatientIdentityRemoved == "NO"
        assert "DeidentificationMethodCodeSequence" not in made
    _, (back,) = read_report(tmp_path / "report.dcm")
    assert back.finding.comment == "seen before, größer"


def test_highdicom_reads_the_report(tmp_path: Path) -> None:
    written(tmp_path, a_study(a_finding()))
    report = hd.sr.srread(tmp_path / "report.dcm")
    (group,) = report.content.get_image_measurement_groups()
    assert group.finding_type == hd.sr.CodedConcept("56208002", "SCT", "Ulcer")
    assert [site.value.meaning for site in group.finding_sites] == ["Small intestine", "Jejunum"]
    (size,) = group.get_measurements(name=hd.sr.CodedConcept("81827009", "SCT", "Diameter"))
    assert (size.value, size.unit.value) == (4.5, "mm")
    (source,) = group.source_images
    assert list(source.referenced_frame_numbers) == [1, 2]
    assert report.content[0].ContentSequence[0]  # the tree is there


def test_a_report_without_pictures(tmp_path: Path) -> None:
    study = replace(a_study(replace(a_finding(), pictures=())), picture_frames=())
    write_dicom(study, pictures()[:0], None, tmp_path / "report.dcm", SilentReporter())
    _, (back,) = read_report(tmp_path / "report.dcm")
    assert back.finding.key_frames == (11, 14)
    with pytest.raises(ValueError, match="0 pictures"):
        key_frames_image(study, pictures()[:0], Uids())


WORDS = st.text(st.characters(categories=("Ll", "Lu", "Nd")), min_size=1, max_size=30)
# pydicom, when strict, counts the space that fills an odd number of bytes: 16 characters then seem to be 17.
NAMES = WORDS.filter(lambda text: len(text) != 16 or len(text.encode()) % 2 == 0)
FOUND = st.builds(
    Finding,
    finding_id=WORDS.map(lambda text: f"f-{text}"),
    study_id=st.just("s-01"),
    kind=st.sampled_from(["polyp", "ulcer", "blood", "lymphangiectasia", "foreign body"]) | NAMES,
    span=st.builds(Span, st.integers(0, 400_000), st.integers(400_001, 500_000)),
    segment=st.sampled_from(["", *SEGMENTS]),
    size_mm=st.none() | st.integers(1, 9999).map(lambda tenths: tenths / 10),
    number=st.sampled_from(["", *NUMBERS]),
    relevance=st.sampled_from(["", *ENTRIES["relevance"].values]),
    morphology=st.sampled_from(["", *MORPHOLOGIES]),
    comment=st.just("") | WORDS,
    key_frames=st.lists(st.integers(0, 500_000), unique=True, max_size=4).map(lambda frames: tuple(sorted(frames))),
    reader=st.just(""),
    when_utc=st.just(""),
    model_id=st.none(),
    was_seen_before=st.none(),
)
FINDINGS = st.builds(
    ExportedFinding,
    FOUND,
    title=st.just("Title"),
    seconds=st.integers(0, 10**8).map(lambda ms: ms / 1000),
    region=st.sampled_from(["", *map(str, BODY_REGIONS)]),
    pictures=st.just(()),
)


@settings(max_examples=8, deadline=None)
@given(findings=st.lists(FINDINGS, min_size=1, max_size=4, unique_by=lambda exported: exported.finding.finding_id))
def test_a_report_read_back_gives_the_same_findings(
    tmp_path_factory: pytest.TempPathFactory, findings: list[ExportedFinding]
) -> None:
    path = tmp_path_factory.mktemp("reports") / "report.dcm"
    structured_report(a_study(*findings), None, Uids()).save_as(path, enforce_file_format=True)
    study_id, back = read_report(path)
    assert study_id == "s-01"
    assert [replace(each, title="Title") for each in back] == findings


def test_every_kind_of_the_vocabulary_has_a_code_that_leads_back() -> None:
    from tests.wce_desktop.library.exchange.clinical.reports import vocabulary

    for one in vocabulary():
        assert codes.kind_of(codes.kind_term(one.name, one.title)) == one.name
    with pytest.raises(ValueError, match="is no class"):
        codes.kind_of(Term("1", "SCT", "something"))


def test_coded_terms_are_those_of_pydicoms_copy_of_the_standard() -> None:
    from pydicom.sr.codedict import codes as standard

    known: dict[str, Any] = {"56208002": standard.SCT.Ulcer, "87612001": standard.SCT.Blood}
    known |= {"247441003": standard.SCT.Erythema, "19227008": standard.SCT.ForeignBody}
    known |= {"69695003": standard.SCT.Stomach, "30315005": standard.SCT.SmallIntestine, "71854001": standard.SCT.Colon}
    known |= {"38848004": standard.SCT.Duodenum, "21306003": standard.SCT.Jejunum, "34516001": standard.SCT.Ileum}
    known |= {"32849002": standard.SCT.Esophagus, "32713005": standard.SCT.Cecum}
    known |= {"81827009": standard.SCT.Diameter, "404684003": standard.SCT.Finding}
    ours = [*codes._KINDS.values(), *codes.SITES.values(), codes.entry_term("size_mm"), codes.FINDING]
    assert {(term.value, term.meaning) for term in ours} == {(value, one.meaning) for value, one in known.items()}
    assert all(value == one.value for value, one in known.items())


def test_other_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    written(tmp_path, a_study(a_finding()))
    whole = (tmp_path / "report.dcm").read_bytes()
    damaged = {
        "image.dcm": (tmp_path / "image.dcm").read_bytes(),
        "text.dcm": b"no report",
        "empty.dcm": b"",
        "cut.dcm": whole[: len(whole) // 2],
    }
    for name, content in damaged.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(UserError, match="not a report"):
            read_report(tmp_path / name)
    with pytest.raises(UserError, match="There is no DICOM report"):
        read_report(tmp_path / "gone.dcm")


def test_a_report_that_unpacks_to_gigabytes_is_refused_before_pydicom_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_dicom(a_study(a_finding()), pictures(), None, tmp_path / "report.dcm", SilentReporter())
    held = pydicom.dcmread(tmp_path / "report.dcm")
    held.file_meta.TransferSyntaxUID = DeflatedExplicitVRLittleEndian
    held.save_as(tmp_path / "packed.dcm", enforce_file_format=True)
    assert read_report(tmp_path / "packed.dcm") == read_report(tmp_path / "report.dcm")
    data = (tmp_path / "packed.dcm").read_bytes()
    place = 144 + int.from_bytes(data[140:144], "little")
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = b"".join(packer.compress(bytes(2**20)) for _ in range(32))
    (tmp_path / "packed.dcm").write_bytes(data[:place] + packed + packer.flush())
    monkeypatch.setattr(structured_report_module, "MAX_REPORT_BYTES", 2**24)
    monkeypatch.setattr(pydicom, "dcmread", lambda _: pytest.fail("pydicom was asked"))
    with pytest.raises(UserError, match="unpacked it takes more than 16,777,216 bytes"):
        read_report(tmp_path / "packed.dcm")


@pytest.mark.parametrize("is_packed", [True, False])
def test_a_report_of_many_empty_items_is_refused_before_pydicom_reads_it(
    is_packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.dcm"
    write_dicom(a_study(a_finding()), pictures(), None, path, SilentReporter())
    held = pydicom.dcmread(path)
    held.file_meta.TransferSyntaxUID = DeflatedExplicitVRLittleEndian if is_packed else ExplicitVRLittleEndian
    held.save_as(path, enforce_file_format=True)
    data = path.read_bytes()
    place = 144 + int.from_bytes(data[140:144], "little")
    items = bytes.fromhex("feff00e000000000") * 100_001
    body = bytes.fromhex("400030a753510000") + len(items).to_bytes(4, "little") + items
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    path.write_bytes(data[:place] + (packer.compress(body) + packer.flush() if is_packed else body))
    monkeypatch.setattr(pydicom, "dcmread", lambda _: pytest.fail("pydicom was asked"))
    with pytest.raises(UserError, match="more than 100,000 items"):
        read_report(path)
