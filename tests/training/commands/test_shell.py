"""The command line as a person meets it: help, results, sentences, Ctrl-C."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.training.inference.conftest import content, model, study
from tests.warm_python import warm_python
from training.commands.shell import main
from training.embeddings.writer import partial_path
from training.experiments.reproduce.published import EVERY_TABLE
from training.models.folder import WEIGHTS, ModelFolder

__all__ = ["model", "study"]


def test_help_and_every_command_s_settings_need_no_torch() -> None:
    code = """
import sys
import training.__main__
from training.commands import COMMANDS
from training.commands.common import find_command
from training.commands.shell import main
assert main(["--help"]) == 0 and main(["score", "--help"]) == 0
for name in COMMANDS:
    find_command(name)
heavy = {"torch", "torchvision", "h5py"} & set(sys.modules)
sys.exit(f"imported: {heavy}" if heavy else 0)
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert child.returncode == 0, child.stderr
    for name in ("phantom", "index", "score", "pretrain", "finetune", "explain"):
        assert name in child.stdout


def test_index_says_what_a_person_wants_to_know(
    study: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["index", str(study), "--out", str(tmp_path / "a.npz")]) == 0
    said = capsys.readouterr().out
    for words in ("frames", "50", "time base", "median fps", "25", "key frames", "notes"):
        assert words in said
    assert (tmp_path / "a.npz").is_file()


def test_score_and_explain(study: Path, model: ModelFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, picture = tmp_path / "a.h5", tmp_path / "a.png"
    assert main(["score", str(study), "--model", str(model.path), "--out", str(out), "--set", "batch=16"]) == 0
    assert out.is_file()
    arguments = ["--frame", "7", "--model", str(model.path), "--out", str(picture), "--class", "blood"]
    assert main(["explain", str(study), *arguments]) == 0
    assert "blood" in capsys.readouterr().out
    assert cv2.imread(str(picture)) is not None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["score", "nowhere.mp4", "--model", "MODEL", "--out", "a.h5"], "nowhere.mp4"),
        (
            ["score", "STUDY", "--model", "nowhere", "--out", "a.h5"],
            "There is no file or folder 'nowhere', which model names.",
        ),
        (["score", "STUDY", "--model", "MODEL", "--out", "a.h5", "--set", "bach=4"], "no setting 'bach'"),
        (["score", "STUDY", "--model", "MODEL", "--out", "a.h5", "--preset", "x"], "no preset 'x'"),
        (["explain", "STUDY", "--frame", "50", "--model", "MODEL", "--out", "a.png"], "has no frame 50"),
        (["explain", "STUDY", "--frame", "0", "--model", "MODEL", "--out", "a.png", "--class", "x"], "no class 'x'"),
    ],
)
def test_an_error_is_a_sentence_and_ends_with_1(
    arguments: list[str],
    words: str,
    study: Path,
    model: ModelFolder,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {"STUDY": str(study), "MODEL": str(model.path)}
    assert main([places.get(argument, argument) for argument in arguments]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said


def test_a_damaged_model_is_named_before_anything_is_scored(
    study: Path, model: ModelFolder, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import shutil

    copied = Path(shutil.copytree(model.path, tmp_path / "m"))
    (copied / WEIGHTS).write_bytes((copied / WEIGHTS).read_bytes()[:-1] + b"x")
    assert main(["score", str(study), "--model", str(copied), "--out", str(tmp_path / "a.h5")]) == 1
    assert "wrong hash" in capsys.readouterr().err


def test_the_help_of_reproduce_names_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--help"]) == 0
    shown = re.sub(r"-\n +", "-", capsys.readouterr().out)  # long lines may end after a hyphen
    assert set(re.findall(r"\w+-(?:table|figure)\d+", shown)) == set(EVERY_TABLE)


def test_wrong_usage_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score"]) == 2
    assert "PATH" in capsys.readouterr().err


INTERRUPTED = """
import os, signal, sys
from training.commands.shell import main
from training.embeddings.writer import EmbeddingWriter
from training.inference import score
score.WRITE_SECONDS = 0.0
append, calls = EmbeddingWriter.append, []
def interrupted(self, chunk):
    append(self, chunk)
    calls.append(1)
    if len(calls) == 2:
        os.kill(os.getpid(), signal.SIGINT)
EmbeddingWriter.append = interrupted
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a single process on Windows")
def test_ctrl_c_stops_cleanly_and_resume_goes_on(study: Path, model: ModelFolder, tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    out, whole = tmp_path / "a.h5", tmp_path / "whole.h5"
    arguments = ["score", str(study), "--model", str(model.path), "--out"]
    child = subprocess.run(
        [*warm_python(), "-c", INTERRUPTED, *arguments, str(out)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert child.returncode == 130, child.stderr
    assert "Stopping after the running step" in child.stderr
    assert "with --resume to continue" in child.stderr
    assert "Traceback" not in child.stderr
    assert partial_path(out).is_file()
    assert main([*arguments, str(out), "--resume"]) == 0
    assert main([*arguments, str(whole)]) == 0
    assert content(out) == content(whole)
    assert signal.getsignal(signal.SIGINT) is before


def test_what_lies_outside_the_field_of_view_never_leaves(model: ModelFolder, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    random = np.random.default_rng(0)
    for number in range(4):
        picture = random.integers(90, 220, (120, 120, 3), np.uint8)
        picture[np.hypot(*(np.mgrid[:120, :120] - 59.5)) > 56] = 0
        cv2.putText(picture, "A", (1, 9), cv2.FONT_HERSHEY_PLAIN, 0.7, (0, 255, 255))
        cv2.imwrite(str(folder / f"{number}.png"), picture)
    out = tmp_path / "a.png"
    assert main(["explain", str(folder), "--frame", "2", "--model", str(model.path), "--out", str(out)]) == 0
    written = cv2.imread(str(out))
    assert written is not None
    corner = written[16 : 16 + 36, 16 : 16 + 36]  # the frame begins after a gap of 16 px and is enlarged fourfold
    assert corner.max() < 12
