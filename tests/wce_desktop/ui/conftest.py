"""Every test of the window fails when it leaves a thread behind; no test touches the person's own folders."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _tidy(no_leaks: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
