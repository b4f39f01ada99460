"""Runs made outside of the window: how they ended, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from training.errors import UserError
from wce_desktop.library import Library
from wce_desktop.library.exchange.outside_runs import add_run


@pytest.mark.parametrize(
    ("state", "card", "ended"),
    [
        ("done", {"steps_done": 5}, ("done", False)),
        ("stopped", {"steps_done": 5}, ("done", True)),
        ("failed", {}, ("failed", False)),
        ("running", {}, ("running", False)),
        ("", {"finished": False}, ("done", True)),
        ("", {"finished": True}, ("done", False)),
        ("", {}, ("running", False)),
    ],
)
def test_how_a_run_ended_is_read_from_its_folder(
    tmp_path: Path, state: str, card: dict[str, Any], ended: tuple[str, bool]
) -> None:
    folder = tmp_path / "run"
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "config.json").write_text('{"command": "pretrain", "config": {"steps": 9}}')
    (folder / "frames-1.tmp").touch()
    for name, content in (("state.json", {"state": state} if state else {}), ("card.json", card)):
        if content:
            (folder / name).write_text(json.dumps(content))
    with Library.open(tmp_path / "library", "reader") as library:
        run = add_run(library, folder)
        assert (run.state, run.is_stopped) == ended
        assert (run.title, run.kind) == ("run", "pretrain")
        assert (run.folder / "config.json").is_file()
        assert not (run.folder / "frames-1.tmp").exists()


def test_a_run_whose_model_is_not_sound_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "model").mkdir(parents=True)
    (folder / "config.json").write_text('{"command": "finetune", "config": {}}')
    with Library.open(tmp_path / "library", "reader") as library:
        with pytest.raises(UserError):
            add_run(library, folder)
        assert library.runs.all() == ()
        assert not list((tmp_path / "library" / "runs").iterdir())
        with pytest.raises(UserError, match="is not a run folder"):
            add_run(library, tmp_path)
