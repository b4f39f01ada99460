"""The entry of a job's own process, started as the window starts it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm_python import warm_python
from training.runs.events import Event, Outcome, decode

ROOT = Path(__file__).resolve().parents[3]


def run_child(config_path: Path) -> tuple[int, list[Event]]:
    """Run `python -m training.commands.child`; its exit code and events."""
    command = [*warm_python(), "-m", "training.commands.child", str(config_path)]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.PIPE, capture_output=True, timeout=60, check=False)
    return done.returncode, [decode(line) for line in done.stdout.decode().splitlines()]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "There is no job"),
        ("not json", "is not a valid job"),
        ('{"command": "score"}', "is not JSON with a command and a config"),
        ('{"command": "no such command", "config": {}}', "There is no command 'no such command'."),
    ],
)
def test_a_bad_config_is_a_failed_outcome(tmp_path: Path, text: str | None, words: str) -> None:
    path = tmp_path / "job.json"
    if text is not None:
        path.write_text(text)
    code, events = run_child(path)
    (outcome,) = events
    assert code == 1
    assert isinstance(outcome, Outcome)
    assert outcome.kind == "failed"
    assert words in str(outcome)


def test_a_setting_that_is_refused_is_named(tmp_path: Path) -> None:
    path = tmp_path / "job.json"
    path.write_text(json.dumps({"command": "score", "config": {"no_such_setting": 1}}))
    code, events = run_child(path)
    (outcome,) = events
    assert code == 1
    assert isinstance(outcome, Outcome)
    assert "of score is not valid" in outcome.message


def test_the_entry_imports_nothing_heavy() -> None:
    code = """if True:
        import sys, training.commands.child
        found = {'torch', 'cv2', 'av', 'h5py', 'PySide6', 'numpy'} & set(sys.modules)
        sys.exit(repr(found) if found else 0)"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
