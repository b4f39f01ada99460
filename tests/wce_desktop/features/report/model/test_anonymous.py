"""The version without names: no words of the patient, the readers or the file, and no dates."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.wce_desktop.features.report.reports import make_report
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.language import read_translations, use_translations
from wce_desktop.core.study import Study
from wce_desktop.features.report.model.anonymous import REMOVED, age_group, names_of, without_identity
from wce_desktop.features.report.model.content import Row
from wce_desktop.session.places import resource

RECORD = Record("s-123", "p-1", "H-1 Meier", 1950, "male", "2026-03-01", read_by="Dr Jones-Okafor")
STUDY = Study("s-123", "p-1", "visit Petrov", Path("/data/clinic/SCHMIDT_Anna_19500301/capsule video 77.mp4"))
NAMES = names_of(STUDY, RECORD, ["drsmith"])


def test_names_come_from_the_record_the_readers_and_the_file() -> None:
    assert {"meier", "jones", "okafor", "petrov", "schmidt", "anna", "19500301", "clinic", "drsmith"} <= NAMES
    assert not NAMES & {"capsule", "video", "77", "h"}


@pytest.mark.parametrize("with_free_text", [False, True])
def test_nothing_personal_is_left(with_free_text: bool) -> None:
    report = replace(make_report(), summary="Mr MEIER, seen 2026-03-01 by Jones.")
    made = without_identity(report, RECORD, NAMES, with_free_text=with_free_text)
    text = repr(made).lower()
    for word in ("meier", "jones", "2026", "1950", "s-123", "1.3.26", "2025", "m1"):
        assert word not in text, word
    assert made.is_anonymous
    assert ("ulcer" in made.summary.lower()) is False
    assert made.reader == ""


@pytest.fixture
def german() -> Iterator[None]:
    use_translations({"Capsule": "Kapsel", "Indication": "Indikation", "Threshold": "Schwellenwert"})
    yield
    use_translations({})


@pytest.mark.usefixtures("german")
def test_the_same_lines_stay_in_another_language() -> None:
    report = make_report()
    examination = (Row("Datum", "2026-03-01"), Row("Kapsel", "SB3"), Row("Indikation", "Anämie"))
    model = (Row("Markierungen von", "Model of Dr Meier"), Row("Schwellenwert", "0.50"))
    made = without_identity(replace(report, examination=examination, model=model), RECORD, NAMES, with_free_text=False)
    assert made.examination == (Row("Kapsel", "SB3"),)
    assert made.model == (Row("Schwellenwert", "0.50"),)


@pytest.mark.parametrize("path", sorted(resource("translations").glob("*.ts")), ids=lambda path: path.stem)
def test_lines_that_are_left_out_have_other_names_than_those_that_stay(path: Path) -> None:
    known = read_translations(path)
    for names in (
        ("Date", "Capsule", "Indication", "Preparation", "Recording"),
        ("Model", "Flags by", "Version", "Threshold", "Classes", "Flags"),
    ):
        assert len({known.get(name, name) for name in names}) == len(names)


def test_free_text_is_left_out_unless_it_was_chosen() -> None:
    without = without_identity(make_report(), RECORD, NAMES, with_free_text=False)
    assert (without.summary, without.recommendation, without.findings[0].comment) == ("", "", "")
    assert all(row.name != "Indication" for row in without.examination)
    with_it = without_identity(make_report(), RECORD, NAMES, with_free_text=True)
    assert with_it.recommendation == "Enteroscopy"
    assert with_it.findings[0].comment == f"Seen by Dr {REMOVED} on {REMOVED} and {REMOVED}."


def test_findings_and_scores_stay() -> None:
    made = without_identity(make_report(), RECORD, NAMES, with_free_text=False)
    assert [finding.title for finding in made.findings] == ["Polyp", "Ulcer"]
    assert made.scores == make_report().scores
    assert made.frames == (11, 20)
    assert any(row.text == "7 mm" for row in made.findings[0].rows)
    assert any(row.text == "by a model" for row in made.findings[0].rows)


@pytest.mark.parametrize(
    ("born", "examined", "group"),
    [
        (1950, "2026-03-01", "70 to 79 years"),
        (2020, "2026-03-01", "0 to 9 years"),
        (1930, "2026-03-01", "90 years or older"),
        (None, "2026-03-01", ""),
        (1950, "", ""),
        (2030, "2026-03-01", ""),
    ],
)
def test_the_age_is_a_decade(born: int | None, examined: str, group: str) -> None:
    assert age_group(replace(RECORD, birth_year=born, exam_date=examined)) == group
