"""What a card says of the program and of the computer."""

import platform
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from training import version


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A checkout of its own."""
    monkeypatch.setattr(version, "ROOT", tmp_path)
    version.commit.cache_clear()
    yield tmp_path
    version.commit.cache_clear()


def test_the_commit_is_that_of_the_checkout_and_changes_are_said(root: Path) -> None:
    def git(*arguments: str) -> str:
        command = ["git", "-C", str(root), "-c", "user.name=n", "-c", "user.email=e", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    assert version.commit() == "", "no checkout"
    git("init")
    (root / "file").write_text("one")
    git("add", "file")
    git("commit", "-m", "one")
    version.commit.cache_clear()
    head = git("rev-parse", "HEAD")
    assert version.commit() == head
    assert version.versions()["commit"] == head
    (root / "file").write_text("two")
    version.commit.cache_clear()
    assert version.commit() == f"{head} with changes"


def test_without_git_there_is_no_commit(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".git").mkdir()
    monkeypatch.setenv("PATH", "")
    assert version.commit() == ""
    assert "commit" not in version.versions()


def test_the_name_of_the_computer_is_recorded_only_if_asked_for() -> None:
    facts = version.made_with(has_name=False)
    assert platform.node() not in facts["computer"].values()
    assert facts["computer"]["cores"] >= 1
    assert facts["versions"]["python"] == platform.python_version()
    assert version.made_with(has_name=True)["computer"]["name"] == platform.node()
