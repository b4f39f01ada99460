"""What links call the same as a finding."""

from pathlib import Path

import pytest

from training.datasets.findings import read_findings
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.marking import add_finding
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.exchange import export_library
from wce_desktop.library.finding_links import same_as


@pytest.fixture
def two_studies(library: Library) -> Library:
    """P03a with the polyp f1 on 3 to 5 and 20 to 21, and blood f2 on 10 to 12; P03b with the polyp g1 on 0 to 3."""
    for study_id in ("P03a", "P03b"):
        path = Path(f"{study_id}.mp4")
        library.studies.add(path, study_id=study_id, patient_id="P03", fingerprint=study_id, frame_count=30)
        library.studies.update(study_id, name="Lovelace, Ada")
    for finding in (
        Finding("f1", "P03a", "polyp", Span(3, 6)),
        Finding("f2", "P03a", "blood", Span(10, 13)),
        Finding("g1", "P03b", "polyp", Span(0, 4), key_frames=(25,)),
    ):
        library.annotations.edit(
            finding.study_id, *add_finding(library.annotations.label_track(finding.study_id), finding)
        )
    library.annotations.edit("P03a", "again", [Add(Label("l1", "P03a", Span(20, 22), "polyp", finding_id="f1"))])
    return library


def link(library: Library, first: tuple[str, int, str], second: tuple[str, int, str], *, is_same: bool = True) -> None:
    made = Link.new(
        study_id=first[0], frame_index=first[1], name=first[2],
        other_study_id=second[0], other_frame_index=second[1], other_name=second[2],
        is_same=is_same,
    )  # fmt: skip
    library.annotations.edit(first[0], "Link", [Add(made)])


def same(library: Library, study_id: str) -> dict[str, tuple[str, ...]]:
    return same_as(library, study_id, ["P03a", "P03b"])


def test_without_links_nothing_is_the_same(two_studies: Library) -> None:
    assert same(two_studies, "P03a") == {}


def test_a_link_between_findings_of_two_studies_counts_in_both(two_studies: Library) -> None:
    link(two_studies, ("P03a", 21, "polyp"), ("P03b", 25, "polyp"))
    assert same(two_studies, "P03a") == {"f1": ("P03b/g1",)}
    assert same(two_studies, "P03b") == {"g1": ("P03a/f1",)}


def test_a_place_is_that_of_the_finding_of_one_kind_that_lies_on_it(two_studies: Library) -> None:
    link(two_studies, ("P03a", 4, ""), ("P03b", 2, ""))
    link(two_studies, ("P03a", 11, ""), ("P03b", 3, ""))  # blood here, a polyp there
    link(two_studies, ("P03a", 15, ""), ("P03b", 9, ""))  # no finding here
    assert same(two_studies, "P03a") == {"f1": ("P03b/g1",), "f2": ("P03b/frame 3",)}


def test_what_is_not_the_same_is_left_out(two_studies: Library) -> None:
    link(two_studies, ("P03b", 2, "polyp"), ("P03a", 4, "polyp"), is_same=False)
    assert same(two_studies, "P03a") == {}


def test_parts_of_one_finding_say_nothing_and_two_findings_of_a_study_do(two_studies: Library) -> None:
    link(two_studies, ("P03a", 4, "polyp"), ("P03a", 20, "polyp"))  # both f1
    link(two_studies, ("P03a", 4, "polyp"), ("P03a", 28, "polyp"))  # flags that nobody has accepted
    assert same(two_studies, "P03a") == {}
    link(two_studies, ("P03a", 4, "polyp"), ("P03a", 10, "blood"))
    assert same(two_studies, "P03a") == {"f1": ("P03a/f2",), "f2": ("P03a/f1",)}


def test_two_links_of_the_same_findings_count_once(two_studies: Library) -> None:
    link(two_studies, ("P03a", 4, "polyp"), ("P03b", 2, "polyp"))
    link(two_studies, ("P03a", 20, "polyp"), ("P03b", 3, "polyp"))
    assert same(two_studies, "P03a") == {"f1": ("P03b/g1",)}


def test_an_export_names_them_beside_each_finding(two_studies: Library, tmp_path: Path) -> None:
    link(two_studies, ("P03a", 4, "polyp"), ("P03b", 2, "polyp"))
    link(two_studies, ("P03a", 11, ""), ("P03b", 15, ""))
    link(two_studies, ("P03a", 10, "blood"), ("P03b", 1, "polyp"), is_same=False)
    export_library(two_studies, tmp_path / "both")
    rows = read_findings(tmp_path / "both" / "findings.csv")
    assert {row.finding_id: row.same_as for row in rows} == {"f1": "P03b/g1", "f2": "P03b/frame 15", "g1": "P03a/f1"}
    export_library(two_studies, tmp_path / "one", ["P03a"])
    assert [row.same_as for row in read_findings(tmp_path / "one" / "findings.csv")] == ["", ""]
    assert "same_as" not in (tmp_path / "one" / "findings.csv").read_text(encoding="utf-8")
