"""The engine of all experiments: what is kept, what is computed anew, what a stop and a failure leave."""

from pathlib import Path
from typing import Any

import pytest

from training.errors import UserError
from training.experiments import engine
from training.experiments.engine import Cells, Runner, Spread, spread_text
from training.runs.reporter import Cancelled, SilentReporter


class Counter:
    """Counts how often a cell is computed."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, folder: Path) -> dict[str, Any]:
        """A cell."""
        self.times += 1
        return {"auc": 0.5}


def test_a_cell_is_computed_once_and_anew_where_anything_that_decides_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute, cells = Counter(), Cells(tmp_path, "cpu", 1)
    for _ in range(2):
        assert cells.cell("row", {"seed": 0}, compute) == {"auc": 0.5}
    assert compute.times == 1
    cells.cell("row", {"seed": 1}, compute)
    Cells(tmp_path, "cpu", 2).cell("row", {"seed": 0}, compute)
    Cells(tmp_path, "cpu", None).cell("row", {"seed": 0}, compute)
    assert compute.times == 4
    monkeypatch.setattr(engine, "processor", lambda: "another processor")
    cells.cell("row", {"seed": 0}, compute)
    assert compute.times == 5
    monkeypatch.setattr("training.compute.devices.cpu_has_bfloat16", lambda: True)
    bfloat16 = cells.key({"seed": 0})
    monkeypatch.setattr("training.compute.devices.cpu_has_bfloat16", lambda: False)
    assert cells.key({"seed": 0}) != bfloat16
    assert engine.machine_sentence(cells.machine) == "Computed in float32 on cpu: another processor; threads: 1."
    assert engine.machine_sentence(None) == "Precision and processor were not recorded."


def test_a_damaged_cell_is_computed_again(tmp_path: Path) -> None:
    compute, cells = Counter(), Cells(tmp_path, "cpu", 1)
    cells.cell("row", {}, compute)
    (cells.place("row", {}) / "cell.json").write_text("{", encoding="utf-8")
    assert cells.cell("row", {}, compute) == {"auc": 0.5}
    assert compute.times == 2


class Stopping(SilentReporter):
    """Keeps its lines, and can be asked to stop."""

    def __init__(self) -> None:
        self.stop_requested = False
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        """Keep the line."""
        self.lines.append(line)


def test_a_stop_leaves_what_is_done() -> None:
    reporter = Stopping()

    def compute(key: int) -> int:
        if key == 2:
            reporter.stop_requested = True
            raise Cancelled
        return key

    assert Runner[int, int](reporter, "cells", "test").run([0, 1, 2, 3], compute, str) == {0: 0, 1: 1}
    assert Runner[int, int](reporter, "cells", "test").run([0], compute, str) == {}
    reporter.stop_requested = False
    with pytest.raises(Cancelled):
        Runner[int, int](SilentReporter(), "cells", "test").run([2], compute, str)


def test_a_failure_is_said_and_ends_only_what_cannot_go_on() -> None:
    def compute(key: str) -> str:
        if key == "bad":
            raise UserError("The loss diverged.")
        return key

    reporter = Stopping()
    runner: Runner[str, str] = Runner(reporter, "cells", "test")
    assert runner.run(["bad", "good"], compute, str) == {"good": "good"}
    assert runner.failed == {"bad": "The loss diverged."}
    assert reporter.lines == ["bad, failed: The loss diverged."]
    for strict, keys in ((Runner[str, str](reporter, "cells", "test", goes_on=False), ["bad", "good"]),
                         (Runner[str, str](reporter, "cells", "test"), ["bad"])):  # fmt: skip
        with pytest.raises(UserError, match="diverged"):
            strict.run(keys, compute, str)


def test_a_spread_is_of_the_values_that_there_are() -> None:
    spread = Spread([0.8, None, 0.9])
    assert spread.mean == pytest.approx(0.85)
    assert spread_text(spread.mean, spread.deviation) == "0.850 ± 0.071"
    assert spread_text(spread.mean, spread.deviation, in_percent=True) == "85.0 ± 7.1 %"
    assert (Spread([None]).mean, Spread([0.5]).deviation) == (None, None)
    assert spread_text(None, None) == "-"
    assert spread_text(-0.0001, None, sign="+") == "+0.000"
