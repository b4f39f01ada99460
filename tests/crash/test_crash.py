"""A few kills of each kind of work, the same ones each time; `python -m tests.crash` does hundreds."""

import os
from pathlib import Path

import pytest

from tests.crash.__main__ import SHARES, kill_all, main, shared_out
from tests.crash.tally import Tally, table

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="each kill is a fork"),
    pytest.mark.usefixtures("durable"),
]

A_FEW = {"labelling": 2, "scoring": 1, "export": 2, "backup": 1, "migration": 1}


def test_nothing_that_was_confirmed_is_lost_and_what_is_resumed_ends_alike(tmp_path: Path) -> None:
    tallies = kill_all(tmp_path, A_FEW, seed=1)
    assert [one.problems for one in tallies] == [[]] * len(A_FEW)
    assert all(one.is_good for one in tallies)
    assert {one.what: one.kills for one in tallies}["labelling in the window"] == A_FEW["labelling"]
    assert sum(one.kills for one in tallies) == sum(A_FEW.values())
    assert tallies[0].confirmed > 0
    assert all(one.compared > 0 for one in tallies[1:])


def test_the_kills_are_shared_out_and_labelling_gets_the_most() -> None:
    kills = shared_out(500, list(SHARES))
    assert sum(kills.values()) >= 500
    assert kills["labelling"] == max(kills.values()) >= 150


def test_a_loss_is_said_in_the_table_and_by_the_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = Tally("labelling in the window", kills=2, confirmed=9, lost=1, problems=["kill 2: not on disk"])
    assert "| labelling in the window | 2 | 9 | 1 |" in table([bad])
    assert "- labelling in the window: kill 2: not on disk" in table([bad])
    monkeypatch.setattr("tests.crash.__main__.kill_all", lambda *arguments: [bad])
    assert main(["--kills", "2"]) == 1
    monkeypatch.setattr("tests.crash.__main__.kill_all", lambda *arguments: [Tally("backup", kills=2)])
    assert main(["--kills", "2"]) == 0
