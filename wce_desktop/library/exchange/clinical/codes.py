"""The coded terms of the exports.

SNOMED CT (SCT) where a concept of the DICOM standard's own lists (PS3.16) fits; for what they lack, and for classes
that a vocabulary adds, our scheme 99WCE, whose values are the names in the library. Capsule endoscopy is 427595003 in
SNOMED CT's editorial guide.
"""

from __future__ import annotations

from wce_desktop.core.annotation.entry import OURS, SNOMED, Term
from wce_desktop.core.annotation.finding import CODED_ENTRIES, ENTRIES, Finding

FHIR_SYSTEMS = {SNOMED: "http://snomed.info/sct", OURS: "urn:wce-desktop:terms"}
CAPSULE_ENDOSCOPY = Term("427595003", SNOMED, "Capsule endoscopy")
FINDING = Term("404684003", SNOMED, "Finding")

FIRST_FRAME = Term("first-frame", OURS, "First frame, counted from 1")
LAST_FRAME = Term("last-frame", OURS, "Last frame, counted from 1")
KEY_FRAME = Term("key-frame", OURS, "Key frame, counted from 1")
TIME = Term("time", OURS, "Time of the first frame in the recording")

_KINDS = {
    "ulcer": Term("56208002", SNOMED, "Ulcer"),
    "blood": Term("87612001", SNOMED, "Blood"),
    "erythema": Term("247441003", SNOMED, "Erythema"),
    "foreign body": Term("19227008", SNOMED, "Foreign body"),
}
SITES = {
    "oesophagus": Term("32849002", SNOMED, "Esophagus"),
    "stomach": Term("69695003", SNOMED, "Stomach"),
    "duodenum": Term("38848004", SNOMED, "Duodenum"),
    "jejunum": Term("21306003", SNOMED, "Jejunum"),
    "ileum": Term("34516001", SNOMED, "Ileum"),
    "small bowel": Term("30315005", SNOMED, "Small intestine"),
    "caecum": Term("32713005", SNOMED, "Cecum"),
    "colon": Term("71854001", SNOMED, "Colon"),
}
"""The codes of regions and segments; others have none."""


def kind_term(kind: str, title: str) -> Term:
    """The code of a class."""
    return _KINDS.get(kind) or Term(kind, OURS, title[:64])


def kind_of(term: Term) -> str:
    """The class that a code stands for; raises `ValueError` for one of neither scheme."""
    for kind, known in _KINDS.items():
        if (known.value, known.scheme) == (term.value, term.scheme):
            return kind
    if term.scheme != OURS:
        raise ValueError(f"{term.scheme} {term.value} is no class")
    return term.value


def region_of(term: Term) -> str:
    """The region that a code stands for, or empty."""
    return next((name for name, known in SITES.items() if known.value == term.value), "")


def entry_term(name: str) -> Term:
    """The code of an entry of a finding."""
    entry = ENTRIES[name]
    return entry.term or Term(name, OURS, entry.title)


def evaluations(finding: Finding) -> list[tuple[Term, Term]]:
    """What was chosen for a finding: name and value."""
    return [
        (entry_term(name), Term(value, OURS, (entry.option(value).meaning or value)[:64]))
        for name, entry in CODED_ENTRIES.items()
        if entry.kind == "choice" and (value := getattr(finding, name))
    ]
