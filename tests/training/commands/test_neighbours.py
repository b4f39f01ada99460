"""The command prints what the index finds, and says in a sentence what it cannot use."""

import json
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from tests.training.embeddings.studies import write_study
from training.commands.neighbours import NeighboursCommand, run_neighbours
from training.commands.shell import main
from training.runs.reporter import SilentReporter


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two studies along a line: frame i lies at i, in the second one at i + 0.25."""
    line = np.zeros((40, 4))
    line[:, 0] = np.arange(40)
    return [write_study(tmp_path, name, line + shift * np.eye(4)[0]).path for name, shift in (("a", 0), ("b", 0.25))]


def table(**settings: object) -> list[list[str]]:
    text = run_neighbours(NeighboursCommand.model_validate(settings), SilentReporter())["text"]
    return [line.split(maxsplit=5) for line in text.splitlines()[1:]]


def test_a_table_of_neighbours(files: list[Path]) -> None:
    assert table(embeddings=files, frame=3, k=3, window=1) == [
        ["1", "b", "3", "0:00:03", "0.25", "other study"],
        ["2", "b", "2", "0:00:02", "0.75", "other study"],
        ["3", "a", "2", "0:00:02", "1", "within the window"],
    ]


def test_a_span_and_filters(files: list[Path]) -> None:
    found = table(embeddings=files, study="b", span=(4, 7), k=2, scope="this study", min_seconds_to_query=5)
    assert [row[1:3] for row in found] == [["b", "11"], ["b", "12"]]


def test_patients_come_from_the_manifest_and_labels_vote(files: list[Path], tmp_path: Path) -> None:
    studies = [{"study_id": path.stem, "patient_id": "P", "path": path.name} for path in files]
    (tmp_path / "manifest.json").write_text(json.dumps({"studies": studies}))
    (tmp_path / "labels.csv").write_text("study_id,start,stop,label\nb,10,12,blood\na,30,31,polyp\n")
    settings = {"manifest": tmp_path / "manifest.json", "frame": 3, "labels": tmp_path / "labels.csv", "k": 5}
    config = NeighboursCommand.model_validate(settings | {"labelled_only": True, "metric": "cosine"})
    result = run_neighbours(config, SilentReporter())
    assert [line.split()[1:3] for line in result["text"].splitlines()[1:]] == [["a", "30"], ["b", "10"], ["b", "11"]]
    assert result["note"] == "Only 3 other frames pass the filters."
    assert result["vote"] == {"blood": 0.6667, "polyp": 0.3333}
    assert result["voters"] == "3 labelled frames voted."
    none = run_neighbours(NeighboursCommand.model_validate(settings | {"scope": "other patients"}), SilentReporter())
    assert none["note"] == "No other frame passes the filters."


def test_it_runs_from_the_shell(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["neighbours", "--embeddings", str(files[0]), "--embeddings", str(files[1])]
    assert main([*arguments, "--study", "b", "--frame", "3", "-k", "1", "--scope", "other studies"]) == 0
    assert "exact; 80 frames of 2 studies" in capsys.readouterr().out
    assert main([*arguments, "--span", "3,9", "--metric", "cosine"]) == 0
    assert main([*arguments, "--study", "c", "--frame", "3"]) == 1
    assert "The study c is not part of this search" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"embeddings": ()}, "either embedding files or a manifest"),
        ({"frame": None}, "either a frame or a span"),
        ({"frame": None, "span": (5, 5)}, "stop after its start"),
        ({"labelled_only": True}, "needs labels"),
        ({"scope": "other patients"}, "needs a manifest that names the patients"),
    ],
)
def test_settings_that_make_no_sense(changed: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        NeighboursCommand.model_validate({"embeddings": (Path("a.h5"),), "frame": 1} | changed)
