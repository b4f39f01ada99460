"""Links in exports and imports: between any studies, never twice, left out where they cannot be."""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wce_desktop.library.exchange.conftest import FRAMES, write_images
from training.datasets.findings import LinkRow, read_findings, read_links, write_links
from training.errors import UserError
from training.video import fingerprint
from wce_desktop.core.annotation.change import Add, Change
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.marking import add_finding
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.exchange import apply_import, export_library, plan_import
from wce_desktop.library.exchange.links import link_changes, link_rows
from wce_desktop.library.finding_links import same_as

NAMES = ("normal", "polyp", "blood")
HEADER = "study_id,frame_index,other_study_id,other_frame_index,is_same,name,other_name,reader\n"
COUNTS = {"A": 30, "B": 20, "C": 0}
Ends = frozenset[tuple[str, int, str]]


def ends(link: Link | LinkRow) -> Ends:
    """The two places."""
    first = link.study_id, link.frame_index, link.name
    return frozenset((first, (link.other_study_id, link.other_frame_index, link.other_name)))


def link(study_id: str, frame: int, other_study_id: str, other_frame: int, *, is_same: bool = True) -> Link:
    return Link.new(
        study_id=study_id,
        frame_index=frame,
        other_study_id=other_study_id,
        other_frame_index=other_frame,
        is_same=is_same,
        reader="ada",
        name="polyp",
        other_name="polyp",
    )


@pytest.fixture
def other_study(library: Library, read_study: Study, tmp_path: Path) -> Study:
    """A second study, of the same patient."""
    path = write_images(tmp_path / "second", 50)
    return library.studies.add(
        path, study_id="P03b", patient_id="P03", fingerprint=fingerprint(path), frame_count=FRAMES, duration_seconds=3.0
    )


def test_findings_of_an_export_that_names_their_links_are_imported_with_them(
    library: Library, read_study: Study, other_study: Study, tmp_path: Path
) -> None:
    for study_id in ("P03a", "P03b"):
        finding = Finding(f"f-{study_id}", study_id, "polyp", Span(3, 6))
        library.annotations.edit(study_id, *add_finding(library.annotations.label_track(study_id), finding))
    library.annotations.edit("P03a", "a", [Add(link("P03a", 4, "P03b", 5))])
    export_library(library, tmp_path / "out", has_paths=True)
    assert [row.same_as for row in read_findings(tmp_path / "out" / "findings.csv")] == ["P03b/f-P03b", "P03a/f-P03a"]
    with Library.open(tmp_path / "other", "colleague") as other:
        apply_import(other, plan_import(other, tmp_path / "out", NAMES))
        both = ("P03a", "P03b")
        assert same_as(other, "P03b", both) == same_as(library, "P03b", both) == {"f-P03b": ("P03a/f-P03a",)}


def links_file(folder: Path, rows: str, header: str = HEADER) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "links.csv").write_text(header + rows, encoding="utf-8")
    return folder


def held(library: Library) -> set[tuple[Ends, bool, str]]:
    """What the links of all studies say."""
    return {
        (ends(one), one.is_same, one.reader)
        for study in library.studies.all()
        for one in library.annotations.links(study.study_id)
    }


def test_links_of_an_export_are_in_another_library_after_the_import(
    library: Library, read_study: Study, other_study: Study, tmp_path: Path
) -> None:
    library.annotations.edit(
        "P03a", "a", [Add(link("P03a", 2, "P03a", 9, is_same=False)), Add(link("P03a", 4, "P03b", 1))]
    )
    library.annotations.edit("P03b", "b", [Add(link("P03b", 7, "P03a", 3))])
    summary = export_library(library, tmp_path / "out", has_paths=True)
    assert summary.counts["links"] == 3
    assert ", 3 links written to" in summary.sentence
    text = (tmp_path / "out" / "links.csv").read_text(encoding="utf-8")
    assert text.splitlines() == [
        HEADER.strip(),
        "P03a,2,P03a,9,False,polyp,polyp,ada",
        "P03a,4,P03b,1,True,polyp,polyp,ada",
        "P03b,7,P03a,3,True,polyp,polyp,ada",
    ]
    with Library.open(tmp_path / "other", "colleague") as other:
        plan = plan_import(other, tmp_path / "out", NAMES)
        assert "P03a: 2 links" in plan.lines
        assert held(other) == set()  # planning changes nothing
        assert apply_import(other, plan) == 2
        assert held(other) == held(library)
        other.annotations.undo("P03a")
        assert [one.frame_index for study in ("P03a", "P03b") for one in other.annotations.links(study)] == [7]
        other.annotations.redo("P03a")
        again = plan_import(other, tmp_path / "out", NAMES)
        assert again.is_empty
        assert again.lines == ("Nothing new.", "3 links left out: already there.")


def test_an_import_with_labels_is_one_step_to_undo(library: Library, read_study: Study, tmp_path: Path) -> None:
    folder = links_file(tmp_path / "in", "P03a,2,P03a,9,true,polyp,,\n")
    (folder / "labels.csv").write_text("study_id,start,stop,label\nP03a,2,4,polyp\n", encoding="utf-8")
    apply_import(library, plan_import(library, folder, NAMES))
    assert library.annotations.undo_title("P03a") == "Import in: 1 label on 2 frames, 1 link"
    library.annotations.undo("P03a")
    assert (library.annotations.labels("P03a"), library.annotations.links("P03a")) == ((), ())


def test_an_export_of_some_studies_has_the_links_between_them(
    library: Library, read_study: Study, other_study: Study, tmp_path: Path
) -> None:
    library.annotations.edit("P03a", "a", [Add(link("P03a", 2, "P03a", 9)), Add(link("P03a", 4, "P03b", 1))])
    assert export_library(library, tmp_path / "out", ["P03a"]).counts["links"] == 1
    assert "P03b" not in (tmp_path / "out" / "links.csv").read_text(encoding="utf-8")


def test_a_study_is_known_again_by_its_content_under_another_id(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    library.annotations.edit("P03a", "a", [Add(link("P03a", 2, "P03a", 9))])
    export_library(library, tmp_path / "out", has_paths=True)
    with Library.open(tmp_path / "other", "colleague") as other:
        path = read_study.path
        other.studies.add(path, study_id="mine", fingerprint=fingerprint(path), frame_count=FRAMES)
        apply_import(other, plan_import(other, tmp_path / "out", NAMES))
        assert held(other) == {(frozenset({("mine", 2, "polyp"), ("mine", 9, "polyp")}), True, "ada")}


def test_what_is_left_out_is_counted_by_reason(
    library: Library, read_study: Study, other_study: Study, tmp_path: Path
) -> None:
    library.annotations.edit(
        "P03a", "a", [Add(link("P03a", 4, "P03b", 1)), Add(link("P03a", 5, "P03b", 1, is_same=False))]
    )
    rows = [
        "P03a,4,gone,1,true,,,",  # unknown
        "gone,4,P03a,1,true,,,",  # unknown
        "P03a,30,P03b,1,true,,,",  # past the end
        "P03a,0,P03b,30,true,,,",  # past the end
        "P03a,4,P03a,4,true,polyp,polyp,",  # the same place
        "P03b,1,P03a,4,true,polyp,polyp,b",  # there, the other way round
        "P03a,5,P03b,1,true,polyp,polyp,b",  # the opposite is there
        "P03a,4,P03a,4,true,polyp,blood,b",  # new: two things in one frame
        "P03a,29,P03b,29,false,,,b",  # new
        "P03b,29,P03a,29,false,,,b",  # there since the line above
    ]
    plan = plan_import(library, links_file(tmp_path / "in", "\n".join(rows) + "\n"), NAMES)
    assert plan.lines == (
        "P03a: 2 links",
        "2 links left out: a study is unknown.",
        "2 links left out: a frame lies past the end of its study.",
        "1 link left out: both places are the same.",
        "2 links left out: already there.",
        "1 link left out: the library or an earlier line says the opposite.",
    )
    before = held(library)
    apply_import(library, plan)
    assert {one[0] for one in held(library) - before} == {
        frozenset({("P03a", 4, "polyp"), ("P03a", 4, "blood")}),
        frozenset({("P03a", 29, ""), ("P03b", 29, "")}),
    }


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("P03a,1,P03a,2,perhaps,,,\n", r"links\.csv, line 2: column is_same"),
        ("P03a,1,P03a,2,,,,\n", r"links\.csv, line 2: column is_same"),
        ("P03a,-1,P03a,2,true,,,\n", r"links\.csv, line 2: column frame_index"),
        ("P03a,1.5,P03a,2,true,,,\n", r"links\.csv, line 2: column frame_index"),
        (f"P03a,{'9' * 400},P03a,2,true,,,\n", r"links\.csv, line 2: column frame_index"),
        (",1,P03a,2,true,,,\n", r"links\.csv, line 2: column study_id"),
        ("P03a,1,P03a,2,true,,\n", r"links\.csv, line 2: 7 cells"),
        ("\nP03a,1,P03a,2,true,,,\nP03a,1,P03a,2,true,nessie,,\n", r"links\.csv, line 4: 'nessie' is not a known"),
        (f"P03a,1,P03a,2,true,,,{'a' * 201}\n", r"links\.csv, line 2: column reader"),
        ('P03a,1,P03a,2,true,,,"a\nb"\n', r"links\.csv, line 3: column reader"),
        ("P03a,1,P03a,2,true,,,\x07\n", r"links\.csv, line 2: there is a control character"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_changed(
    rows: str, said: str, library: Library, read_study: Study, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=said):
        plan_import(library, links_file(tmp_path / "in", rows), NAMES)
    assert library.annotations.links("P03a") == ()


def test_a_file_without_the_columns_is_named(library: Library, read_study: Study, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"links\.csv has no column other_study_id"):
        plan_import(library, links_file(tmp_path / "in", "", "study_id,frame_index\n"), NAMES)


texts = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=20).map(str.strip)
places = st.tuples(st.sampled_from(sorted(COUNTS)), st.integers(0, 40), st.sampled_from(("", "polyp", "=blood")))
rows_of_a_file = st.lists(
    st.builds(
        lambda one, other, is_same, reader: LinkRow(
            study_id=one[0],
            frame_index=one[1],
            name=one[2],
            other_study_id=other[0],
            other_frame_index=other[1],
            other_name=other[2],
            is_same=is_same,
            reader=reader,
        ),
        places,
        places,
        st.booleans(),
        texts,
    ),
    max_size=12,
)


def added(changes: Iterable[Change]) -> list[Link]:
    """The links that changes add."""
    return [change.new for change in changes if isinstance(change, Add) and isinstance(change.new, Link)]


def kept_by_a_slow_reference(rows: list[LinkRow], counts: Mapping[str, int]) -> dict[Ends, bool]:
    """What is left of the rows, one after the other."""
    kept: dict[Ends, bool] = {}
    for row in rows:
        places = {(row.study_id, row.frame_index), (row.other_study_id, row.other_frame_index)}
        is_inside = all(study in counts and (counts[study] == 0 or frame < counts[study]) for study, frame in places)
        if is_inside and len(ends(row)) == 2:
            kept.setdefault(ends(row), row.is_same)
    return kept


@settings(max_examples=40, deadline=None)
@given(rows_of_a_file)
def test_rows_survive_writing_and_reading(tmp_path_factory: pytest.TempPathFactory, rows: list[LinkRow]) -> None:
    path = tmp_path_factory.getbasetemp() / "links.csv"
    write_links(path, rows)
    assert read_links(path) == rows


@settings(max_examples=40, deadline=None)
@given(rows_of_a_file)
def test_an_import_equals_a_slow_reference_and_its_export_adds_nothing(rows: list[LinkRow]) -> None:
    counts = {"A": 30, "B": 20}  # C is unknown
    changes, notes = link_changes(rows, {}, counts, ())
    links = [one for made in changes.values() for one in added(made)]
    assert {ends(one): one.is_same for one in links} == kept_by_a_slow_reference(rows, counts)
    left_out = sum(int(note.split()[0]) for note in notes)
    assert left_out + len(links) == len(rows)
    assert all(one.study_id == study_id for study_id, made in changes.items() for one in added(made))
    again = list(link_rows(links, set(counts)))
    assert link_changes(again, {}, counts, links)[0] == {}
    copied, no_notes = link_changes(again, {}, counts, ())
    assert no_notes == []
    assert sum(map(len, copied.values())) == len(links)


@settings(max_examples=40, deadline=None)
@given(rows_of_a_file)
def test_studies_under_other_ids_are_the_same_studies(rows: list[LinkRow]) -> None:
    ids = {"A": "mine", "B": "B", "C": "yours"}
    counts = {ours: COUNTS[theirs] for theirs, ours in ids.items()}
    renamed = [
        row.model_copy(update={"study_id": ids[row.study_id], "other_study_id": ids[row.other_study_id]})
        for row in rows
    ]
    assert said_of(link_changes(rows, ids, counts, ())[0]) == said_of(link_changes(renamed, {}, counts, ())[0])


def said_of(changes: Mapping[str, tuple[Change, ...]]) -> dict[str, list[Ends]]:
    """The places that changes link, by study."""
    return {study_id: [ends(one) for one in added(made)] for study_id, made in changes.items()}


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_links_or_one_sentence(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes((HEADER + text).encode("utf-8", "surrogatepass"))
    with contextlib.suppress(UserError):
        assert all(row.frame_index >= 0 and row.study_id for row in read_links(path))
