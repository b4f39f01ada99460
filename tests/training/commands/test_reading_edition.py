"""The reading edition: without PyTorch, reading, explaining and learning a linear head work; the rest says so.

PyTorch is hidden here; CI runs the same tests in an environment without it (`READING_EDITION_PYTHON`).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.videos import write_video

ROOT = Path(__file__).resolve().parents[3]
STARTER = ROOT / "resources" / "models" / "starter"
NO_TORCH = "import sys; sys.modules['torch'] = None; sys.modules['torchvision'] = None\n"
LACKING = "This needs PyTorch, which is not part of the reading edition."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two videos of different patients with labels, and a start-up file that hides PyTorch."""
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "sitecustomize.py").write_text(NO_TORCH)
    studies = []
    for number in (1, 2):
        write_video(tmp_path / f"p{number}.mp4", 20 + number, height=96, width=96)
        studies.append({"study_id": f"S{number}", "patient_id": f"P{number}", "path": f"p{number}.mp4"})
    (tmp_path / "manifest.json").write_text(json.dumps({"studies": studies}))
    rows = [
        f"S{number},{start},{start + 5},{name},,reader"
        for number in (1, 2)
        for start, name in ((0, "normal"), (9, "blood"))
    ]
    (tmp_path / "labels.csv").write_text("study_id,start,stop,label,finding_id,source\n" + "\n".join(rows) + "\n")
    return tmp_path


def training(folder: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": str(folder / "hidden"), "COLUMNS": "200"}
    command = [os.environ.get("READING_EDITION_PYTHON", sys.executable), "-m", "training", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=150)


def test_a_clip_is_scored_and_explained_and_a_head_is_learned(folder: Path) -> None:
    for number in (1, 2):
        out = folder / "embeddings" / f"S{number}" / "embeddings-starter.h5"
        scored = training(folder, "score", folder / f"p{number}.mp4", "--model", STARTER, "--out", out)
        assert scored.returncode == 0, scored.stderr
    picture = folder / "why.png"
    explained = training(
        folder, "explain", folder / "p1.mp4", "--model", STARTER, "--frame", 12, "--method", "quick", "--out", picture
    )
    assert explained.returncode == 0, explained.stderr
    assert picture.is_file()
    learned = training(
        folder, "finetune", "--preset", "live", "--init", STARTER, "--studies", folder / "manifest.json", "--labels",
        folder / "labels.csv", "--set", f"embeddings={folder / 'embeddings'}", "--out", folder / "run",
    )  # fmt: skip
    assert learned.returncode == 0, learned.stderr
    assert (folder / "run" / "model" / "model.safetensors").is_file()


def test_what_needs_pytorch_says_what_to_install(folder: Path) -> None:
    tuned = training(
        folder, "finetune", "--studies", folder / "manifest.json", "--labels", folder / "labels.csv",
        "--out", folder / "run",
    )  # fmt: skip
    assert tuned.returncode == 1
    assert LACKING in tuned.stderr
    assert "pip install 'wce-desktop[training]'" in tuned.stderr
    assert "Traceback" not in tuned.stderr
    assert not (folder / "run").exists()
    pretrained = training(folder, "pretrain", "--studies", folder / "manifest.json", "--out", folder / "pre")
    assert pretrained.returncode == 1
    assert LACKING in pretrained.stderr
