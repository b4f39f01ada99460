"""The FHIR bundle is valid for an independent library, and holds the findings."""

from dataclasses import replace
from typing import Any

from fhir.resources.R4B.bundle import Bundle
from fhir.resources.R4B.diagnosticreport import DiagnosticReport
from fhir.resources.R4B.observation import Observation
from fhir.resources.R4B.patient import Patient

from tests.wce_desktop.library.exchange.clinical.reports import a_finding, a_study
from wce_desktop.core.language import use_translations
from wce_desktop.library.exchange.clinical.fhir import diagnostic_report


def resources(values: dict[str, Any], kind: type) -> list[Any]:
    """R4B has the same DiagnosticReport, Observation and Patient as R4."""
    bundle = Bundle.model_validate(values)
    return [entry.resource for entry in bundle.entry or [] if isinstance(entry.resource, kind)]


def test_it_is_valid_and_its_references_lead_somewhere() -> None:
    values = diagnostic_report(a_study(a_finding(), replace(a_finding("f-2", kind="polyp"), title="Polyp", region="")))
    (report,), (patient,) = resources(values, DiagnosticReport), resources(values, Patient)
    urls = {entry["fullUrl"]: entry["resource"]["resourceType"] for entry in values["entry"]}
    assert [urls[result.reference] for result in report.result] == ["Observation"] * 2
    assert urls[report.subject.reference] == "Patient"
    assert patient.identifier[0].value == "p-01"
    assert patient.name is None
    assert patient.birthDate is None
    assert patient.gender is None
    assert report.status == "preliminary"
    assert report.conclusion == "2 findings; the reading is finished. Research use only."
    every = [values, *(entry["resource"] for entry in values["entry"])]
    assert {resource["meta"]["security"][0]["code"] for resource in every} == {"PSEUDED"}


def test_it_is_english_in_every_language() -> None:
    use_translations({"{count} finding": "{count} Befund"})
    try:
        (report,) = resources(diagnostic_report(a_study(a_finding())), DiagnosticReport)
    finally:
        use_translations({})
    assert report.conclusion.startswith("1 finding; ")


def test_a_finding_is_an_observation_with_its_details() -> None:
    (found,) = resources(diagnostic_report(a_study(a_finding())), Observation)
    assert found.identifier[0].value == "f-1"
    assert (found.valueCodeableConcept.coding[0].system, found.valueCodeableConcept.coding[0].code) == (
        "http://snomed.info/sct",
        "56208002",
    )
    assert found.bodySite.coding[0].display == "Jejunum"
    values: dict[str, list[Any]] = {}
    for part in found.component:
        value = part.valueInteger or part.valueQuantity or part.valueCodeableConcept
        values.setdefault(part.code.coding[0].display, []).append(value)
    assert values["First frame, counted from 1"] == [11]
    assert values["Last frame, counted from 1"] == [16]
    assert values["Key frame, counted from 1"] == [12, 15]
    assert (float(values["Diameter"][0].value), values["Diameter"][0].code) == (4.5, "mm")
    assert float(values["Time of the first frame in the recording"][0].value) == 5.0
    assert values["Bleeding potential (Saurin)"][0].coding[0].code == "P2"
    assert values["Number of lesions"][0].text == "few"
    assert values["Morphology"][0].text == "0-IIc slightly depressed"


def test_comments_are_notes_and_only_there_on_request() -> None:
    with_comment = a_finding(comment="seen before")
    values = diagnostic_report(a_study(with_comment, has_free_text=True))
    assert resources(values, Observation)[0].note[0].text == "seen before"
    assert "meta" not in values
    assert resources(diagnostic_report(a_study(a_finding())), Observation)[0].note is None


def test_a_study_without_findings_is_a_valid_report() -> None:
    (report,) = resources(diagnostic_report(a_study()), DiagnosticReport)
    assert report.result is None
    assert report.conclusion.startswith("0 findings")
