"""The recipe "An entry of a finding" of CONTRIBUTING.md, followed in a copy of the program."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENTRIES = """
    distance_cm: float | None = entered(Entry("number", "Distance", "distance", unit="cm"))
    stigma: str = entered(
        Entry(
            "choice",
            "Stigma",
            "stigma",
            options=(Option("pinpoint", "Pinpoint", "a pinpoint", "Pinpoint bleeding"), Option("none")),
            is_closed=True,
        )
    )
    side: str = entered(Entry("choice", "Side", "side", options=(Option("left"), Option("right"))))
    location_text: str = entered(Entry("text", "Location", "location"))
"""
REVISION = """    "0013": (
        '''
ALTER TABLE findings ADD COLUMN distance_cm FLOAT;
ALTER TABLE findings ADD COLUMN stigma TEXT DEFAULT '' NOT NULL;
ALTER TABLE findings ADD COLUMN side TEXT DEFAULT '' NOT NULL;
ALTER TABLE findings ADD COLUMN location_text TEXT DEFAULT '' NOT NULL;
''',
    ),
"""


def insert(path: Path, before: str, text: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert content.count(before) == 1
    path.write_text(content.replace(before, f"{text}{before}"), encoding="utf-8")


def test_a_finding_has_another_entry_by_two_files(tmp_path: Path) -> None:
    for name in ("wce_desktop", "training", "tests/wce_desktop"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (ROOT / "tests").glob("*.py"):
        shutil.copy(path, tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "resources").symlink_to(ROOT / "resources", target_is_directory=True)
    copy = tmp_path / "wce_desktop"
    insert(copy / "core" / "annotation" / "finding.py", '    when_utc: str = ""\n', ENTRIES.lstrip("\n"))
    revisions = copy / "library" / "storage" / "revisions.py"
    insert(revisions, "}\nREVISIONS", REVISION)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            "tests/wce_desktop/new_entry_walk.py",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
