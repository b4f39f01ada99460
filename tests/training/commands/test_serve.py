"""Serving as a process: asked line by line, it ends when nobody asks or nobody is there any more."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.training.service.serving_child import serving_command
from training.commands.serve import ServeCommand, run_serve
from training.errors import UserError
from training.runs.reporter import SilentReporter
from training.service.requests import EmbedRequest, ExplainRequest, as_line

EMBED = EmbedRequest(model=Path("m"), path=Path("v.mp4"), frame_index=9)
WORK = ExplainRequest(model=Path("m"), path=Path("v.mp4"), frame_index=0, class_name="work")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Any]:
    """Starts a child with settings; it is gone afterwards."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(**config: Any) -> "subprocess.Popen[bytes]":
        path = tmp_path / "job.json"
        path.write_text(json.dumps({"command": "serve", "config": {"folder": str(tmp_path / "answers"), **config}}))
        started.append(subprocess.Popen(serving_command(path), stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        return started[-1]

    yield begin
    for child in started:
        child.kill()
        with child:  # closes its pipes and waits for it
            pass


def events(child: "subprocess.Popen[bytes]", until: str) -> list[dict[str, Any]]:
    """What it says up to a partial result, or an event, of this name."""
    heard = []
    assert child.stdout is not None
    for line in child.stdout:
        heard.append(json.loads(line))
        if until in (heard[-1].get("name"), heard[-1]["event"]):
            return heard
    raise AssertionError(f"no {until} in {heard}")


def say(child: "subprocess.Popen[bytes]", line: str) -> None:
    """Write a line to its standard input."""
    assert child.stdin is not None
    child.stdin.write(line.encode() + b"\n")
    child.stdin.flush()


def test_in_a_shell_it_says_who_asks() -> None:
    with pytest.raises(UserError, match="only answers requests of the window"):
        run_serve(ServeCommand.model_validate({"folder": "a"}), SilentReporter())


def test_it_answers_and_ends_with_the_window(start: Any, tmp_path: Path) -> None:
    child = start()
    say(child, f"ask {as_line(1, EMBED)}")
    (answer,) = [one for one in events(child, "answer") if one.get("name") == "answer"]
    assert Path(answer["payload"]["path"]).is_file()
    child.stdin.close()  # the window is gone
    outcome = events(child, "outcome")[-1]
    assert (outcome["kind"], outcome["result"]["reason"]) == ("done", "stopped")
    assert child.wait(60) == 0
    assert not (tmp_path / "answers").exists()  # nobody is left to remove it


def test_it_ends_when_nobody_asks(start: Any) -> None:
    child = start(idle_seconds=0.05)
    outcome = events(child, "outcome")[-1]
    assert (outcome["kind"], outcome["result"]) == ("done", {"reason": "idle"})
    assert child.wait(60) == 0


def test_a_cancel_ends_it_in_the_middle_of_a_request(start: Any) -> None:
    child = start()
    say(child, f"ask {as_line(1, WORK)}")
    events(child, "progress")
    say(child, "cancel")
    assert events(child, "outcome")[-1]["kind"] == "cancelled"
    assert child.wait(60) == 130
