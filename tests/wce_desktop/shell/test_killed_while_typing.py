"""Killed while a text is being typed, the window loses what was typed in the last second, and nothing before."""

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import pytest

from tests.warm_python import warm_python
from tests.wce_desktop.shell.typing_child import KEY_MILLISECONDS, TEXT
from wce_desktop.library import Library
from wce_desktop.widgets.inputs import LONGEST_MILLISECONDS

ROOT = Path(__file__).resolve().parents[3]
FIELDS = ("comment", "record", "report")
MOST_LOST = 3 * LONGEST_MILLISECONDS // (2 * KEY_MILLISECONDS)
"""Keys of a second, and of half a second for a busy machine."""
KEPT = 10
"""Keys before them, which must be there."""


@contextmanager
def typing(folder: Path, field: str, way: str) -> Iterator[IO[str]]:
    """What the window prints in which a text is being typed; it is killed at the end."""
    command = [*warm_python(), "-m", "tests.wce_desktop.shell.typing_child", str(folder), field, way]
    homes = {name: str(folder / "home") for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    with subprocess.Popen(
        command, cwd=ROOT, env=os.environ | homes, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        assert child.stdout is not None
        try:
            yield child.stdout
        finally:
            child.kill()
            child.stdout.read()  # until it is gone


def on_disk(folder: Path) -> str:
    """All texts of the library, read beside the window that has it open."""
    file = folder / "library" / "library.sqlite"
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
        asked = (
            "SELECT comment FROM findings UNION SELECT indication FROM studies UNION SELECT content FROM report_parts"
        )
        return "\n".join(str(row[0]) for row in database.execute(asked))


def stored(folder: Path, field: str) -> str:
    """The text of the field in the library, opened again after a kill."""
    with Library.open(folder / "library", "reader") as library:
        (study,) = library.studies.all()
        if field == "comment":
            return "".join(finding.comment for finding in library.annotations.findings(study.study_id))
        if field == "record":
            return library.studies.record(study.study_id).indication
        return "".join(part.content["summary"] for part in library.annotations.report_parts(study.study_id))


@pytest.mark.parametrize("field", FIELDS)
def test_after_a_pause_the_text_is_there_whole(tmp_path: Path, field: str) -> None:
    with typing(tmp_path, field, "at once") as lines:
        saved = (TEXT in on_disk(tmp_path) for _ in lines)
        assert any(saved), "the window ended before it saved"
    assert stored(tmp_path, field) == TEXT


@pytest.mark.parametrize("field", FIELDS)
def test_typed_without_a_pause_all_but_the_last_second_is_there(tmp_path: Path, field: str) -> None:
    with typing(tmp_path, field, "on and on") as lines:
        typed = [lines.readline() for _ in range(MOST_LOST + KEPT)]
    assert typed == ["key\n"] * len(typed)
    text = stored(tmp_path, field)
    assert TEXT.startswith(text)
    assert len(text) >= len(typed) - MOST_LOST
