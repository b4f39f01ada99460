"""The log: who, when, what, which model; and nobody changes it."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.tampering import raw_database
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.study import Study
from wce_desktop.library import Library


def test_every_change_undo_and_choice_is_a_line(library: Library, study: Study) -> None:
    label = replace(make_label(study.study_id, 0, 3), source="accepted_suggestion", model_id="m1")
    library.annotations.edit(study.study_id, "Accept 3 frames polyp", [Add(label)])
    library.annotations.undo(study.study_id)
    library.studies.update(study.study_id, state="finished")
    library.studies.update(study.study_id, last_frame=7)  # where one stopped is no event
    lines = library.audit.entries(study.study_id)
    assert [(line.action, line.kind) for line in lines] == [
        ("add", "study"),
        ("add", "label"),
        ("remove", "label"),
        ("replace", "study"),
    ]
    accepted = lines[1]
    assert (accepted.reader, accepted.model_id, accepted.title) == ("reader", "m1", "Accept 3 frames polyp")
    assert accepted.before is None
    assert accepted.after is not None
    assert (accepted.after["start"], accepted.after["stop"]) == (0, 3)
    assert lines[2].title == "Undo: Accept 3 frames polyp"
    assert (lines[3].before, lines[3].after) == ({"state": "new"}, {"state": "finished"})
    assert sorted(line.when_utc for line in lines) == [line.when_utc for line in lines]


@pytest.mark.parametrize("statement", ["UPDATE audit SET reader = 'nobody'", "DELETE FROM audit"])
def test_the_database_itself_refuses_to_change_the_log(empty_library: Path, tmp_path: Path, statement: str) -> None:
    folder = Path(shutil.copytree(empty_library, tmp_path / "library"))
    with Library.open(folder, "reader") as library:
        library.studies.add(Path("a.mp4"))
    with raw_database(folder) as raw:
        with pytest.raises(Exception, match="append-only"):
            raw.execute(statement)
        assert raw.execute("SELECT COUNT(*) FROM audit").fetchone() == (1,)
