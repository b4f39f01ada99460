"""The findings as a FHIR R4 bundle: one DiagnosticReport, an Observation for each finding, a Patient without a name.

https://hl7.org/fhir/R4/diagnosticreport.html. De-identified as the DICOM files are (see `deidentified`): the patient is
the random name of the library; there are no dates, performers and free text; `meta.security` says that it is
pseudonymised (HL7 v3 ObservationValue, PSEUDED).
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from wce_desktop.core import counted, in_english
from wce_desktop.core.annotation.entry import Term
from wce_desktop.core.annotation.finding import CODED_ENTRIES
from wce_desktop.library.exchange.clinical import codes
from wce_desktop.library.exchange.clinical.content import ExportedFinding, ExportedStudy

_IDS = "urn:wce-desktop:"
_PSEUDONYMISED = {
    "system": "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
    "code": "PSEUDED",
    "display": "pseudonymized",
}
_IMAGING = {"system": "http://terminology.hl7.org/CodeSystem/v2-0074", "code": "IMG", "display": "Diagnostic Imaging"}
_UCUM = "http://unitsofmeasure.org"


def diagnostic_report(study: ExportedStudy) -> dict[str, Any]:
    """The bundle, as JSON values."""
    patient, report = _url(), _url()
    observations = [(_url(), _observation(finding, patient, study)) for finding in study.findings]
    resources = [
        (report, _report(study, patient, [url for url, _ in observations])),
        (patient, _resource("Patient", study, identifier=[_identifier("patient", study.patient_id)])),
        *observations,
    ]
    entries = [{"fullUrl": url, "resource": resource} for url, resource in resources]
    return _resource("Bundle", study, type="collection", entry=entries)


def _url() -> str:
    return f"urn:uuid:{uuid4()}"


def _resource(kind: str, study: ExportedStudy, **values: Any) -> dict[str, Any]:
    meta = {} if study.has_free_text else {"meta": {"security": [_PSEUDONYMISED]}}
    return {"resourceType": kind, **meta, **values}


def _identifier(kind: str, value: str) -> dict[str, str]:
    return {"system": _IDS + kind, "value": value}


def _concept(term: Term) -> dict[str, Any]:
    return {
        "coding": [{"system": codes.FHIR_SYSTEMS[term.scheme], "code": term.value.strip(), "display": term.meaning}],
        "text": term.meaning,
    }


def _report(study: ExportedStudy, patient: str, observations: list[str]) -> dict[str, Any]:
    results = {"result": [{"reference": url} for url in observations]} if observations else {}
    read = "finished" if study.is_finished else "not finished"
    with in_english():
        findings = counted(len(study.findings), "finding")
    return _resource(
        "DiagnosticReport",
        study,
        identifier=[_identifier("study", study.study_id)],
        status="preliminary",
        category=[{"coding": [_IMAGING]}],
        code=_concept(codes.CAPSULE_ENDOSCOPY),
        subject={"reference": patient},
        conclusion=f"{findings}; the reading is {read}. Research use only.",
        **results,
    )


def _observation(exported: ExportedFinding, patient: str, study: ExportedStudy) -> dict[str, Any]:
    finding = exported.finding
    site = codes.SITES.get(finding.segment) or codes.SITES.get(exported.region)
    values: dict[str, Any] = {
        "identifier": [_identifier("finding", finding.finding_id)],
        "status": "preliminary",
        "code": _concept(codes.FINDING),
        "subject": {"reference": patient},
        "valueCodeableConcept": _concept(codes.kind_term(finding.kind, exported.title)),
        "component": _components(exported),
    }
    if site is not None:
        values["bodySite"] = _concept(site)
    if finding.comment:
        values["note"] = [{"text": finding.comment}]
    return _resource("Observation", study, **values)


def _components(exported: ExportedFinding) -> list[dict[str, Any]]:
    finding = exported.finding
    frames = [(codes.FIRST_FRAME, finding.span.start + 1), (codes.LAST_FRAME, finding.span.stop)]
    frames += [(codes.KEY_FRAME, frame + 1) for frame in finding.key_frames]
    components: list[dict[str, Any]] = [{"code": _concept(name), "valueInteger": frame} for name, frame in frames]
    components.append(_quantity(codes.TIME, exported.seconds, "s"))
    for name, entry in CODED_ENTRIES.items():
        value = getattr(finding, name)
        if entry.kind == "number" and value is not None:
            components.append(_quantity(codes.entry_term(name), value, entry.unit or "1"))
        elif entry.kind == "text" and value and name != "comment":  # which is the note
            components.append({"code": _concept(codes.entry_term(name)), "valueString": value})
    evaluations = codes.evaluations(finding)
    components += [{"code": _concept(name), "valueCodeableConcept": _concept(value)} for name, value in evaluations]
    return components


def _quantity(name: Term, value: float, unit: str) -> dict[str, Any]:
    return {
        "code": _concept(name),
        "valueQuantity": {"value": value, "unit": unit, "system": _UCUM, "code": unit},
    }
