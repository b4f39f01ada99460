"""What the tests of several processes run: python -m tests.training.optimisation.shared_runs FOLDER NAME...

Each name is FOLDER/NAME.json: a command, its settings, after how many steps a stop is asked for, and what the other
processes do.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from tests import tiny_backbone
from training.commands import several
from training.commands.common import find_command
from training.commands.shell_reporter import ShellReporter
from training.errors import UserError
from training.files.terminal import end_process
from training.runs.reporter import SilentReporter


class Asked(SilentReporter):
    """Asks for a stop after a number of steps; remembers what it is told."""

    def __init__(self, stop_after: int | None = None) -> None:
        self._stop_after = stop_after
        self.steps = 0
        self.lines: list[str] = []

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]
        return self._stop_after is not None and self.steps >= self._stop_after

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        if unit == "steps":
            self.steps = done

    def log(self, line: str) -> None:
        self.lines.append(line)


def run(command: str, settings: dict[str, Any], stop_after: int | None = None) -> dict[str, Any]:
    """Run a command; returns its result, what it logged, and what it said when it failed."""
    kind, function, _ = find_command(command)
    reporter = Asked(stop_after)
    try:
        result = function(kind.model_validate(settings), reporter)
    except UserError as error:
        return {"error": error.message, "lines": reporter.lines}
    return {"result": result, "lines": reporter.lines}


def _misbehave(what: str, patch: pytest.MonkeyPatch) -> None:
    """Let a process that helps be stopped, refuse, fail, or die in its second step."""
    from training.optimisation import gradients, helping

    steps = [0]
    carry_back = gradients.carry_back

    def carried(*given: Any) -> None:
        steps[0] += 1
        if steps[0] == 2 and what == "dies":
            os._exit(9)
        if steps[0] == 2:
            raise ValueError("no")
        carry_back(*given)

    def refuse(*given: Any) -> Any:
        raise UserError("There are more processes than GPUs ({count}).", "", 1)

    if what == "stops":
        patch.setattr(ShellReporter, "stop_requested", True)
    elif what == "refuses":
        patch.setattr(several, "_make", refuse)
    elif what:
        patch.setattr(helping, "carry_back", carried)


def _main(folder: Path, names: list[str]) -> None:
    assert tiny_backbone
    torch.set_num_threads(1)
    for name in names:
        job = json.loads((folder / f"{name}.json").read_text("utf-8"))
        rank, count = os.environ["RANK"], os.environ["WORLD_SIZE"]
        os.environ["INIT_METHOD"] = f"file://{folder}/{name}-{count}.store?rank={rank}&world_size={count}"
        said: dict[str, Any] = {}
        other, patch = job.pop("other", ""), pytest.MonkeyPatch()
        _misbehave(other if rank != "0" else "", patch)
        try:
            several.run_shared(lambda said=said, job=job: said.update(run(**job)))  # type: ignore[misc]
        except UserError as error:
            said = {"error": error.message}
        except ValueError as error:
            said = {"bug": str(error)}
        patch.undo()
        (folder / f"{name}-{count}-{rank}.said").write_text(json.dumps(said, default=str), encoding="utf-8")


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2:])
    end_process(0)
