"""The attributes of exported DICOM files that concern patient, study and equipment: de-identified from the start.

The files are not copies of others with attributes taken out. They are made new, of what `content` lists, and nothing
else is put in. So the Basic Application Level Confidentiality Profile (PS3.15, Annex E, Table E.1-1) is met as follows;
the letters are the actions of its table: D dummy value, Z empty, X not there, U new UID, C cleaned.

* Patient's Name, Patient ID (Z): the patient's random name in the library, which is in no hospital record.
* Patient's Birth Date, Patient's Sex (Z): empty. Patient's Age, Size, Weight, Address, Comments, Ethnic Group,
  Other Patient IDs, Medical Alerts, Occupation, Issuer of Patient ID and all others of the patient (X).
* Study Instance UID, Series Instance UID, SOP Instance UID, Referenced SOP Instance UID, Tracking UID (U): new and
  random, alike within one export. Media Storage SOP Instance UID likewise.
* Study Date, Study Time (Z): empty. Content Date, Content Time (D): 1900-01-01, 00:00. Series, Acquisition and Instance
  Creation Date and Time, Timezone Offset From UTC, observation times in the report (X).
* Study ID (Z): the study's random id in the library. Accession Number, Referring Physician's Name (Z): empty.
* Study Description, Series Description, Image Comments, Protocol Name, Requested Procedure (X).
* Institution, Department, Station, Device Serial Number, Operators, Performing and Reading Physicians (X).
* Manufacturer, Model Name and Software Versions are those of this program, not of the recorder.
* Verifying Observer, Person Observer's Name (X): the observer in the report is this program.
* Content Sequence (C, by the Clean Structured Content Option): coded terms, numbers, and references to the key frames.
  Free text of the reader only where it was asked for.
* Pixel Data (C, by the Clean Pixel Data Option): black outside of the field of view. Where none was found, nothing was
  hidden; the file then says that there may be burned-in text and does not claim the option.
* Private attributes, curves, overlays, digital signatures (X). Encrypted Attributes Sequence is not written.

Patient Identity Removed is YES with the codes of what was done (CID 7050). Where free text of the reader is included it
is NO, because nobody has checked that text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from training.version import version
from wce_desktop.library.exchange.clinical.content import ExportedStudy

if TYPE_CHECKING:
    from pydicom import Dataset

PROGRAM = "wce_desktop"
"""Manufacturer and model."""
NO_DATE, NO_TIME = "19000101", "000000"
BASIC, CLEAN_PIXELS, CLEAN_CONTENT = (
    ("113100", "Basic Application Confidentiality Profile"),
    ("113101", "Clean Pixel Data Option"),
    ("113104", "Clean Structured Content Option"),
)


def new_uid() -> str:
    """A random UID (PS3.5, B.2), which holds neither a place nor a time."""
    from pydicom.uid import generate_uid

    return str(generate_uid(prefix=None))


@dataclass(frozen=True)
class Uids:
    """The new UIDs of one export."""

    study: str = field(default_factory=new_uid)
    pictures_series: str = field(default_factory=new_uid)
    pictures: str = field(default_factory=new_uid)
    report_series: str = field(default_factory=new_uid)
    report: str = field(default_factory=new_uid)


def add_patient_and_study(made: Dataset, study: ExportedStudy, uids: Uids) -> None:
    """Add the modules Patient, General Study and General Equipment."""
    made.SpecificCharacterSet = "ISO_IR 192"
    made.PatientID = study.patient_id[:64]
    made.PatientName = f"{made.PatientID.replace('^', ' ').replace('=', ' ')[:63]}^"  # a family name alone
    made.PatientBirthDate = made.PatientSex = ""
    made.StudyInstanceUID = uids.study
    made.StudyDate = made.StudyTime = made.AccessionNumber = made.ReferringPhysicianName = ""
    made.StudyID = study.study_id[:16]
    made.Manufacturer = made.ManufacturerModelName = PROGRAM
    made.SoftwareVersions = version()
    made.ContentDate, made.ContentTime = NO_DATE, NO_TIME


def add_method(made: Dataset, study: ExportedStudy, *methods: tuple[str, str]) -> None:
    """Add what was done so that nobody can be recognised (PS3.3, C.7.1.1)."""
    from pydicom import Dataset

    made.LongitudinalTemporalInformationModified = "REMOVED"
    if study.has_free_text:
        made.PatientIdentityRemoved = "NO"
        return
    made.PatientIdentityRemoved = "YES"
    made.DeidentificationMethod = "PS3.15 Annex E; new file of listed content only"
    items = []
    for value, meaning in methods:
        item = Dataset()
        item.CodeValue, item.CodingSchemeDesignator, item.CodeMeaning = value, "DCM", meaning
        items.append(item)
    made.DeidentificationMethodCodeSequence = items
