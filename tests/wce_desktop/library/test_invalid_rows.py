"""Rows that break rules: a sentence, nothing deleted, and the rest of the library stays usable."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.tampering import raw_database
from training.errors import UserError
from wce_desktop.core.annotation.change import Add, Item, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.span import Span
from wce_desktop.library import Library, rows, tables
from wce_desktop.library.storage.integrity import damage

JUNK: tuple[Any, ...] = (None, "", "abc", "9", -1, 0, 3.5, 2**62, -(2**63), 1e400, b"\xff\x00", "[[", '{"a": 1}', "\0")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, empty_library: Path) -> Path:
    """A library with two studies that have something of every kind, made once."""
    folder = Path(shutil.copytree(empty_library, tmp_path_factory.mktemp("made") / "library"))
    with Library.open(folder, "reader") as library:
        for study_id in ("S1", "S2"):
            library.studies.add(Path(f"{study_id}.mp4"), study_id=study_id, frame_count=1000, fingerprint=study_id)
            items: list[Item] = [
                make_label(study_id, 0, 5),
                make_label(study_id, 9, 12),
                Finding.new(study_id=study_id, kind="polyp", span=Span(0, 5), key_frames=(1,)),
                Link(f"K{study_id}", study_id, 4, study_id, 60, True),
                Landmark(f"L{study_id}", study_id, Region.COLON, 50),
                Box(f"B{study_id}", study_id, 3, 0, 0, 9, 9, "polyp"),
            ]
            for item in items:
                library.annotations.edit(study_id, f"Add {type(item).__name__}", [Add(item)])
            library.annotations.mark_seen(study_id, [Span(0, 20)])
            library.annotations.undo(study_id)
        library.runs.add("a run", run_id="r1")
    return folder


@pytest.fixture
def filled(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "library"))


def execute(folder: Path, *statement: Any) -> None:
    with raw_database(folder) as opened:
        opened.execute(*statement)


def count(folder: Path, table: str) -> int:
    with raw_database(folder) as opened:
        return int(opened.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("start = 8, stop = 3", "0 <= start < stop"),
        ("start = -4", "0 <= start < stop"),
        ("start = 'abc'", "start='abc'"),
        ("name = x'ff'", "name=b'\\xff'"),
        ("source = 'rumour'", "source is one of"),
        ("stop = 5000", "past the end"),
        ("stop = 11", "overlaps another label polyp"),
    ],
)
def test_a_label_that_breaks_a_rule_is_set_aside_and_stays(filled: Path, change: str, words: str) -> None:
    execute(filled, f"UPDATE labels SET {change} WHERE study_id = 'S1' AND start = 0")
    with Library.open(filled, "reader") as library:
        assert len(library.annotations.label_track("S1")) == 1
        (problem,) = library.problems("S1")
        assert words in problem
        assert len(library.annotations.label_track("S2")) == 2
        assert library.problems("S2") == ()
        library.annotations.edit("S1", "goes on", [Add(make_label("S1", 500, 501, "blood"))])
        library.annotations.edit("S2", "goes on", [Add(make_label("S2", 500, 501))])
        library.annotations.label_counts_by_study()
    assert count(filled, "labels") == 6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("frame_index = -4", "0 or more"),
        ("other_frame_index = 4", "frame 4 twice"),
        ("other_frame_index = 'abc'", "other_frame_index is 'abc'"),
        ("is_same = 'abc'", "is_same is 'abc'"),
        ("is_same = 2", "is_same is 2"),
    ],
)
def test_a_link_that_breaks_a_rule_is_set_aside_and_stays(filled: Path, change: str, words: str) -> None:
    execute(filled, f"UPDATE links SET {change} WHERE study_id = 'S1'")
    with Library.open(filled, "reader") as library:
        assert library.annotations.links("S1") == ()
        (problem,) = library.problems("S1")
        assert problem.startswith("link KS1: ")
        assert words in problem
        assert library.annotations.links("S2") == (Link("KS2", "S2", 4, "S2", 60, True),)
        assert library.problems("S2") == ()
    assert count(filled, "links") == 2


def test_an_edit_that_meets_a_bad_row_is_refused_with_a_sentence(filled: Path) -> None:
    execute(filled, "UPDATE labels SET stop = 11 WHERE study_id = 'S1' AND start = 0")
    with Library.open(filled, "reader") as library:
        assert [label.span for label in library.annotations.labels("S1")] == [Span(0, 11)]  # that at 9 overlaps it
        with pytest.raises(UserError, match=r"rows of the library that break its rules|same place"):
            library.annotations.edit("S1", "Label", [Add(make_label("S1", 11, 12))])
    assert count(filled, "labels") == 4


@pytest.mark.parametrize(
    "changes",
    [
        *("[[", "{}", "5", "null", "[5]", '[["add"]]', '[["add", "label", 7]]', '[["add", "dragon", {}]]', "[" * 5000),
        *('[["remove", "label", {"label_id": "none"}]]', '[["add", "label", {"label_id": "x", "study_id": "S2"}]]'),
    ],
)
def test_a_record_of_an_edit_that_does_not_fit_is_said_and_nothing_is_changed(filled: Path, changes: str) -> None:
    execute(filled, "UPDATE edits SET changes = ? WHERE study_id = 'S1'", (changes,))
    with Library.open(filled, "reader") as library:
        before = library.annotations.labels("S1"), len(library.audit.entries())
        for step, words in (
            (library.annotations.undo, "cannot be undone"),
            (library.annotations.redo, "cannot be redone"),
        ):
            with pytest.raises(UserError, match=f"“Add .*” in S1 {words}") as caught:
                step("S1")
            assert caught.value.hint.startswith("Nothing was changed.")
        assert (library.annotations.labels("S1"), len(library.audit.entries())) == before
        assert library.annotations.undo("S2") is not None


def test_undo_of_an_edit_whose_label_is_gone_is_a_sentence(filled: Path) -> None:
    execute(filled, "DELETE FROM landmarks WHERE study_id = 'S1'")
    with Library.open(filled, "reader") as library, pytest.raises(UserError, match=r"cannot be undone|same place"):
        library.annotations.undo("S1")


def test_a_study_that_breaks_a_rule_leaves_the_others_in_the_list(filled: Path) -> None:
    execute(filled, "UPDATE studies SET state = 'lost' WHERE study_id = 'S1'")
    with Library.open(filled, "reader") as library:
        assert [study.study_id for study in library.studies.all()] == ["S2"]
        assert "study S1: a study is one of" in library.problems()[0]
        with pytest.raises(UserError, match=r"The study S1 \(S1\) cannot be read"):
            library.studies.get("S1")
        library.annotations.mark_seen("S2", [Span(30, 40)])
        assert library.studies.get("S2").seen_frames == 30


def test_seen_spans_that_are_none_are_passed_over(filled: Path) -> None:
    execute(filled, "INSERT INTO seen_spans VALUES ('S1', 40, 'abc')")
    execute(filled, "INSERT INTO seen_spans VALUES ('S1', 60, 30)")
    with Library.open(filled, "reader") as library:
        assert list(library.annotations.seen("S1")) == [Span(0, 20)]
        library.annotations.mark_seen("S1", [Span(25, 70)])
        assert list(library.annotations.seen("S1")) == [Span(0, 20), Span(25, 70)]
        library.annotations.mark_seen("S1", [Span(60, 80)])
        assert list(library.annotations.seen("S1")) == [Span(0, 20), Span(25, 80)]


def everything(library: Library) -> Iterator[Any]:
    """All that a window reads and does, one step after the other."""
    yield library.studies.all
    yield library.models.all
    yield library.runs.all
    yield library.models.scorings
    yield library.annotations.label_counts_by_study
    yield library.models.label_totals
    yield library.annotations.patients_by_class
    yield library.audit.entries
    for study_id in ("S1", "S2"):
        readers = (
            library.studies.get,
            library.annotations.label_track,
            library.annotations.findings,
            library.annotations.landmarks,
            library.annotations.boxes,
            library.annotations.links,
        )
        steps = (
            library.annotations.seen,
            library.annotations.undo_title,
            library.annotations.redo_title,
            library.annotations.redo,
            library.annotations.undo,
            library.annotations.undo,
        )
        for step in (*readers, *steps):
            yield lambda step=step, study_id=study_id: step(study_id)
        yield lambda study_id=study_id: library.annotations.mark_seen(study_id, [Span(0, 30)])
        yield lambda study_id=study_id: library.annotations.edit(study_id, "x", [Add(make_label(study_id, 700, 701))])
        yield lambda study_id=study_id: library.studies.update(study_id, last_frame=7)


COLUMNS = [
    (table.name, column.name)
    for table in tables.metadata.tables.values()
    if table.name not in ("audit", "meta")
    for column in table.columns
]


@given(st.lists(st.tuples(st.sampled_from(COLUMNS), st.sampled_from(JUNK)), min_size=1, max_size=3))
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_junk_in_any_column_is_a_sentence_at_most(
    filled: Path, tmp_path_factory: pytest.TempPathFactory, junk: list[tuple[tuple[str, str], Any]]
) -> None:
    import shutil

    folder = Path(shutil.copytree(filled, tmp_path_factory.mktemp("junk") / "library"))
    for (table, column), value in junk:
        try:
            execute(
                folder, f"UPDATE {table} SET {column} = ? WHERE rowid IN (SELECT MIN(rowid) FROM {table})", (value,)
            )
        except sqlite3.IntegrityError:
            continue  # the database refuses it by itself
    studies = count(folder, "studies")
    said = [str(error) for error in use(folder)]
    assert all(said)
    assert count(folder, "studies") == studies
    assert damage(folder / "library.sqlite") is None


def use(folder: Path) -> list[UserError]:
    """Open a library and do everything with it; returns what was said to the reader."""
    said = []
    with Library.open(folder, "reader") as library:
        for step in everything(library):
            try:
                step()
            except UserError as error:
                said.append(error)
            except KeyError:
                assert {study.study_id for study in library.studies.all()} != {
                    "S1",
                    "S2",
                }  # its row has another name now
    return said


def without_comment(change: list[Any]) -> list[Any]:
    return [{key: part[key] for key in part if key != "comment"} if isinstance(part, dict) else part for part in change]


@pytest.mark.parametrize("wrap", [list, lambda changes: {"version": rows.CHANGES_VERSION, "changes": changes}])
def test_edits_stored_before_a_column_was_added_are_undone_and_done_again(
    filled: Path, wrap: Callable[[list[Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(filled, "reader") as library:
        (finding,) = library.annotations.findings("S1")
        made = library.annotations.edit("S1", "Size", [Replace(finding, replace(finding, size_mm=4.0))])
    with raw_database(filled) as opened:
        (stored,) = opened.execute("SELECT changes FROM edits WHERE edit_id = ?", (made.edit_id,)).fetchone()
        older = wrap([without_comment(change) for change in json.loads(stored)["changes"]])
        opened.execute("UPDATE edits SET changes = ? WHERE edit_id = ?", (json.dumps(older), made.edit_id))
    monkeypatch.setattr(rows, "CHANGES_VERSION", rows.CHANGES_VERSION + 1)
    with Library.open(filled, "reader") as library:
        library.annotations.undo("S1")
        assert library.annotations.findings("S1") == (finding,)
        library.annotations.redo("S1")
        assert library.annotations.findings("S1") == (replace(finding, size_mm=4.0),)


@pytest.mark.parametrize("version", [rows.CHANGES_VERSION, rows.CHANGES_VERSION + 1, -1, "1"])
def test_an_edit_of_this_version_that_lacks_a_column_and_one_of_a_later_version_are_refused(
    filled: Path, version: Any
) -> None:
    with Library.open(filled, "reader") as library:
        (finding,) = library.annotations.findings("S1")
        made = library.annotations.edit("S1", "Size", [Replace(finding, replace(finding, size_mm=4.0))])
    with raw_database(filled) as opened:
        (stored,) = opened.execute("SELECT changes FROM edits WHERE edit_id = ?", (made.edit_id,)).fetchone()
        changes = json.loads(stored)["changes"]
        if version == rows.CHANGES_VERSION:
            changes = [without_comment(change) for change in changes]
        spoilt = json.dumps({"version": version, "changes": changes})
        opened.execute("UPDATE edits SET changes = ? WHERE edit_id = ?", (spoilt, made.edit_id))
    with Library.open(filled, "reader") as library:
        with pytest.raises(UserError, match="cannot be undone"):
            library.annotations.undo("S1")
        assert library.annotations.findings("S1") == (replace(finding, size_mm=4.0),)
