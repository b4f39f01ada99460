"""The harness itself: it kills when it should, and it finds a loss where there is one."""

import os
import random
import time
from pathlib import Path

import pytest

from tests.crash import victim
from tests.crash.kind import Kind
from tests.crash.library_states import on_disk, undo_works, what_was_lost
from tests.crash.victim import Moment, Say, run
from wce_desktop.core.annotation.change import Add, Remove
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.library import Library

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each kill is a fork")


def count_on(say: Say) -> None:
    for number in range(1000):
        say(str(number))
    time.sleep(60)  # killed before


def test_a_process_is_killed_after_so_many_lines(tmp_path: Path) -> None:
    death = run(count_on, tmp_path / "log", Moment(3))
    assert death.was_killed
    assert death.lines[:3] == ("0", "1", "2")


def test_a_process_that_ends_first_was_not_killed_and_its_error_is_in_the_log(tmp_path: Path) -> None:
    def fail(say: Say) -> None:
        say("begun")
        raise ValueError("out of order")

    death = run(fail, tmp_path / "log", Moment(2))
    assert (death.was_killed, death.status, death.lines) == (False, 1, ("begun",))
    assert "out of order" in (tmp_path / "log").read_text()


def test_a_process_that_hangs_is_killed_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(victim, "PATIENCE_SECONDS", 0.2)
    with pytest.raises(TimeoutError):
        run(lambda say: time.sleep(60), tmp_path / "log")


class Failing(Kind):
    name = "failing"

    def kill_once(self) -> None:
        self.tally.kills += 1
        raise OSError("cannot be opened")


def test_what_cannot_be_opened_after_a_kill_is_a_problem_and_the_kills_go_on(tmp_path: Path) -> None:
    tally = Failing(tmp_path, random.Random(0)).kill(2)
    assert tally.problems == ["kill 1: OSError: cannot be opened", "kill 2: OSError: cannot be opened"]
    assert not tally.is_good


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.open(tmp_path / "library", "reader")


def label(study_id: str, start: int) -> Label:
    return Label(new_id(), study_id, Span(start, start + 1), "polyp")


def test_a_state_one_whole_edit_ahead_is_no_loss_and_a_missing_label_is(library: Library) -> None:
    with library:
        study_id = library.studies.add(Path("a.mp4"), frame_count=100).study_id
        first, second = label(study_id, 1), label(study_id, 2)
        library.annotations.edit(study_id, "one", [Add(first)])
        confirmed = on_disk(library, study_id)
        assert what_was_lost(library, study_id, confirmed) == ""
        library.annotations.edit(study_id, "two", [Add(second)])
        ahead = on_disk(library, study_id)
        assert what_was_lost(library, study_id, confirmed) == ""
        assert on_disk(library, study_id) == ahead
        library.annotations.undo(
            study_id
        )  # of what was confirmed since: an undo that nobody was told of is no loss either
        assert what_was_lost(library, study_id, ahead) == ""
        library.annotations.edit(study_id, "lose it", [Remove(first)])
        library.annotations.edit(study_id, "and more", [Add(label(study_id, 5))])
        assert what_was_lost(library, study_id, ahead) == "2 labels missing, 1 too many"
        assert undo_works(library, study_id)
