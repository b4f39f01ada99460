"""Whatever two readers change at the same time: the later change is refused, and names the earlier one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.library.sharing.conftest import Shared
from training.errors import UserError
from wce_desktop.core.annotation import Box, Finding, Landmark, Link, ReportPart
from wce_desktop.core.annotation.change import Add, Item, Remove, Replace
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.errors import ConflictError
from wce_desktop.library.sharing import seen_frames
from wce_desktop.library.sharing.journal import Journal
from wce_desktop.session.presets import PresetStore, built_in

ITEMS: dict[str, tuple[Callable[[str], Item], dict[str, object], dict[str, object]]] = {
    "labels": (lambda study: make_label(study, 0, 10), {"span": Span(0, 5)}, {"span": Span(0, 8)}),
    "findings": (
        lambda study: Finding("f-1", study, "polyp", Span(0, 5), reader="anna"),
        {"comment": "small"},
        {"size_mm": 4.0},
    ),
    "landmarks": (
        lambda study: Landmark("l-1", study, Region.COLON, 100, "anna"), {"frame_index": 90}, {"frame_index": 95}
    ),
    "boxes": (lambda study: Box("b-1", study, 3, 1, 1, 5, 5, "polyp"), {"x_max": 6}, {"name": "blood"}),
    "links": (lambda study: Link("k-1", study, 3, study, 9, True), {"is_same": False}, {"other_frame_index": 8}),
    "report_parts": (
        lambda study: ReportPart("r-1", study, "texts", {"summary": "a"}),
        {"content": {"summary": "b"}},
        {"content": {"summary": "c"}},
    ),
}  # fmt: skip
"""Table -> an item of it, what one reader changes, and what another one changes."""
TOGETHER = {
    "seen_spans": "frames seen by several readers are joined",
    "fast_spans": "as those seen",
    "reading_speeds": "numbers are added up",
    "edits": "each reader has their own",
    "audit": "only added to",
    "reports": "only added to; see the tests of signing",
    "readers": "only added to",
    "reader_keys": "only added to",
    "patients": "only added to",
    "scorings": "files of models: the newest holds",
    "models": "only added and removed",
    "runs": "changed by the window that runs it",
    "studies": "see the tests of records and studies",
}
"""The other tables that a reader writes, and why two readers do not contradict each other there."""


def test_every_table_that_a_reader_changes_is_here(shared: Shared) -> None:
    asked = "SELECT table_name FROM information_schema.column_privileges WHERE grantee = 'wce_reader'"
    with shared.raw("anna") as connection:
        rows = connection.execute(f"{asked} AND privilege_type <> 'SELECT'").fetchall()
    assert {name for (name,) in rows} == ITEMS.keys() | TOGETHER.keys()


@pytest.mark.parametrize("table", ITEMS)
def test_an_item_changed_meanwhile(table: str, anna: Library, bert: Library, study: Study) -> None:
    make, first, later = ITEMS[table]
    item: Any = make(study.study_id)
    anna.annotations.edit(study.study_id, "Add it", [Add(item)])
    bert.annotations.edit(study.study_id, "Of Bert", [Replace(item, replace(item, **first))])
    for change in (Replace(item, replace(item, **later)), Remove(item)):
        with pytest.raises(ConflictError, match=r"bert.*Of Bert"):
            anna.annotations.edit(study.study_id, "Of Anna", [change])


@pytest.mark.parametrize("table", ["labels", "landmarks", "report_parts"])
def test_what_a_study_has_once_is_not_added_twice(table: str, anna: Library, bert: Library, study: Study) -> None:
    item: Any = ITEMS[table][0](study.study_id)
    key = f"{'part' if table == 'report_parts' else table[:-1]}_id"
    anna.annotations.edit(study.study_id, "Of Anna", [Add(item)])
    with pytest.raises(ConflictError, match=r"anna.*Of Anna"):
        bert.annotations.edit(study.study_id, "Of Bert", [Add(replace(item, **{key: "other"}))])


def test_a_record_changed_meanwhile(anna: Library, bert: Library, study: Study) -> None:
    seen = anna.studies.record(study.study_id)
    bert.annotations.edit(study.study_id, "Name the patient", [Replace(seen, replace(seen, pseudonym="K 7"))])
    with pytest.raises(ConflictError, match=r"bert.*Name the patient"):
        anna.annotations.edit(study.study_id, "Name it", [Replace(seen, replace(seen, pseudonym="K 8"))])
    assert anna.studies.record(study.study_id).pseudonym == "K 7"


def test_a_study_renamed_or_finished_meanwhile(anna: Library, bert: Library, study: Study) -> None:
    bert.studies.update(study.study_id, seen=study, name="Case 4")
    with pytest.raises(ConflictError, match="bert"):
        anna.studies.update(study.study_id, seen=study, name="Case 5")
    anna.studies.update(study.study_id, seen=study, name="Case 4")
    assert anna.studies.update(study.study_id, seen=study, state="finished").name == "Case 4"


def test_a_preset_saved_meanwhile(tmp_path: Path) -> None:
    first, later = (PresetStore(tmp_path / "presets.json") for _ in range(2))
    base = built_in("finetune")[0]
    first.save("finetune", "mine", base, "", {"learning_rate": 0.1})
    first.save("finetune", "mine", base, "", {"learning_rate": 0.3})
    with pytest.raises(UserError, match="another reader"):
        later.save("finetune", "mine", base, "", {"learning_rate": 0.2})
    later.save("finetune", "other", base, "", {"learning_rate": 0.2})
    assert {preset.name for preset in PresetStore(tmp_path / "presets.json").of("finetune") if preset.is_saved} == {
        "mine", "other"
    }  # fmt: skip


def test_a_report_is_not_signed_after_a_change_that_its_reader_did_not_see(
    anna: Library, bert: Library, study: Study
) -> None:
    identity = study.study_id
    seen = [anna.studies.record(identity)]
    mark = Landmark("l-1", identity, Region.COLON, 100, "bert")
    bert.annotations.edit(identity, "Mark the colon", [Add(mark)])
    given = {"html": b"h", "pdf": b"p", "reader": "anna", "acknowledged": {}}
    with pytest.raises(ConflictError, match=r"bert.*Mark the colon"):
        anna.reports.keep(identity, 1, **given, entries=seen)  # type: ignore[arg-type]
    anna.reports.keep(identity, 1, **given, entries=[*seen, mark])  # type: ignore[arg-type]
    with pytest.raises(UserError, match="signed meanwhile"):
        bert.reports.keep(identity, 1, **{**given, "reader": "bert"}, entries=[*seen, mark])  # type: ignore[arg-type]
    with pytest.raises(UserError, match="does not allow"):
        anna.reports.keep(identity, 2, **{**given, "reader": "Dr. Bert"})  # type: ignore[arg-type]


def test_an_edit_made_before_a_report_was_signed_is_not_sent_after_it(
    anna: Library, bert: Library, shared: Shared, study: Study, tmp_path: Path
) -> None:
    anna.journal, anna.is_offline = Journal(tmp_path / "journal.jsonl"), True
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    bert.reports.keep(study.study_id, 1, html=b"h", pdf=b"p", reader="bert", acknowledged={})
    anna.is_offline = False
    assert anna.annotations.send_journal() == 0
    assert "bert" in anna.journal.entries[0].refused


def test_frames_seen_without_the_server_are_sent_once(
    anna: Library, bert: Library, shared: Shared, study: Study, tmp_path: Path
) -> None:
    identity, file = study.study_id, tmp_path / "journal.jsonl"
    anna.journal, anna.is_offline = Journal(file), True
    anna.annotations.mark_seen(identity, [Span(0, 10)], [Span(20, 30)], {8: 20})
    anna.annotations.mark_seen(identity, [Span(5, 15)], [], {8: 5})
    anna.is_offline, anna.journal = False, Journal(file)  # as if the program had been killed
    assert (len(anna.journal.entries), anna.journal.unsent) == (2, ())
    first = anna.journal.entries[0]
    assert first.seen is not None
    seen_frames.send(anna, anna.journal, first, first.seen)  # as if it was killed before it forgot the entry
    anna.journal = Journal(file)
    anna.annotations.send_journal()
    assert anna.journal.entries == ()
    assert list(bert.annotations.seen(identity)) == [Span(0, 15)]
    assert list(bert.annotations.fast(identity)) == [Span(20, 30)]
    assert bert.annotations.reading_speeds(identity) == {8: 25}
    assert bert.studies.get(identity).state == "reading"
