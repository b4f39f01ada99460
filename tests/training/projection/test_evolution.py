"""The same frames under the kept steps of a real pretraining of 20 steps."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.pretraining.kept_run import write_kept_run
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands.score import ScoreCommand, run_score
from training.commands.shell import main
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.pretraining.config import pretrain_config
from training.pretraining.run import pretrain
from training.projection.config import EvolutionConfig
from training.projection.evolution import EvolutionFile, make_evolution
from training.runs.reporter import Cancelled, SilentReporter


class Watcher(SilentReporter):
    """Keeps the partial results; asks to stop or to cancel after the first of them."""

    def __init__(self, wish: str = "") -> None:
        self.wish = wish
        self.steps: list[int] = []
        self.stop_requested = False

    def check(self) -> None:
        if self.wish == "cancel" and self.steps:
            raise Cancelled

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        if name == "evolution":
            self.steps.append(payload["step"])
            assert len(EvolutionFile.open(Path(payload["file"])).steps) == payload["steps"] == len(self.steps)
            self.stop_requested = self.wish == "stop"


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"), patients=3)


@pytest.fixture(scope="module")
def run(studies: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pretraining of 20 steps that kept some of them."""
    out = tmp_path_factory.mktemp("runs") / "pretraining"
    fields: dict[str, Any] = {
        "studies": studies / "manifest.json",
        "out": out,
        "preset": "smoke",
        "init": "random",
        "backbone": "tiny",
    }
    fields |= {"input_size": 32, "sequence_length": 10, "window": 2, "device": "cpu", "threads": 1, "sequences": 1}
    pretrain(pretrain_config(**fields, checkpoints_kept=3, steps=20), SilentReporter())
    return out


def asked(run: Path, studies: Path, out: Path, **fields: Any) -> EvolutionConfig:
    plain: dict[str, Any] = {"run": run, "studies": studies / "manifest.json", "out": out, "precision": "float32"}
    return EvolutionConfig.model_validate({**plain, "labels": studies / "labels.csv", "device": "cpu", **fields})


def test_every_kept_step_is_shown_in_the_axes_of_the_last(run: Path, studies: Path, tmp_path: Path) -> None:
    watcher = Watcher()
    told = make_evolution(asked(run, studies, tmp_path / "e.npz"), watcher)
    made = EvolutionFile.open(tmp_path / "e.npz")
    kept = sorted(int(path.stem[5:]) for path in (run / "kept").glob("*.safetensors"))
    assert made.steps.tolist() == told["steps"] == kept
    assert kept[0] <= 1
    assert kept[-1] == 20
    assert watcher.steps == [kept[-1], *kept[:-1]]  # the last one first: its axes are everybody's
    assert made.coordinates.shape == (len(kept), 72, 2)
    assert np.isfinite(made.coordinates).all()
    assert made.labels == ("normal", "polyp")
    assert np.array_equal(made.label, np.tile(np.repeat([0, 1], 12), 3))
    assert np.array_equal(made.frame_index, np.tile(np.arange(24), 3))
    assert np.array_equal(made.study, np.repeat([0, 1, 2], 24))
    assert (made.patient_ids, made.run, made.space) == (("P0", "P1", "P2"), "pretraining", "backbone")
    assert made.is_complete
    assert "step 20, the last one" in made.notes[0]
    # against scoring and a plain singular value decomposition
    parts = []
    for number in range(3):
        out = tmp_path / f"{number}.h5"
        fields = {"path": studies / f"P{number}", "model": run, "out": out, "precision": "float32", "device": "cpu"}
        run_score(ScoreCommand.model_validate(fields), SilentReporter())
        with EmbeddingFile.open(out) as file:
            parts.append(np.asarray(file.embeddings, np.float64))
    embeddings = np.concatenate(parts)
    centred = embeddings - embeddings.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:2]
    last = made.coordinates[-1].astype(np.float64)
    cosine = np.abs((last * (centred @ axes.T)).sum(axis=0)) / (
        np.linalg.norm(last, axis=0) * np.linalg.norm(centred @ axes.T, axis=0)
    )
    assert (cosine > 0.999).all()


def test_after_the_projection_head_and_with_a_sample(studies: Path, tmp_path: Path) -> None:
    run = write_kept_run(tmp_path / "kept", steps=(0, 5, 20))
    one = make_evolution(asked(run, studies, tmp_path / "a.npz", space="projection", sample=10), SilentReporter())
    assert (one["points"], one["steps"], one["complete"]) == (10, [0, 5, 20], True)
    make_evolution(asked(run, studies, tmp_path / "b.npz", space="projection", sample=10), SilentReporter())
    first, again = EvolutionFile.open(tmp_path / "a.npz"), EvolutionFile.open(tmp_path / "b.npz")
    assert np.array_equal(first.coordinates, again.coordinates)
    assert first.space == "projection"
    unlabelled = make_evolution(asked(run, studies, tmp_path / "c.npz", labels=None, sample=1), SilentReporter())
    assert unlabelled["points"] == 1
    assert EvolutionFile.open(tmp_path / "c.npz").label.tolist() == [-1]


def test_a_stop_keeps_whole_steps_and_a_cancel_ends(studies: Path, tmp_path: Path) -> None:
    run = write_kept_run(tmp_path / "kept", steps=(0, 5, 20))
    told = make_evolution(asked(run, studies, tmp_path / "a.npz", sample=6), Watcher("stop"))
    assert (told["steps"], told["complete"]) == ([20], False)
    assert not EvolutionFile.open(tmp_path / "a.npz").is_complete
    with pytest.raises(Cancelled):
        make_evolution(asked(run, studies, tmp_path / "b.npz", sample=6), Watcher("cancel"))


def test_what_cannot_be_followed_is_told(studies: Path, tmp_path: Path) -> None:
    run = write_kept_run(tmp_path / "kept", steps=(0, 20))
    (run / "kept" / "step-000000.safetensors").write_bytes(b"half")
    out = tmp_path / "a.npz"
    typed = ["--run", run, "--studies", studies / "manifest.json", "--out", out, "--sample", 4, "--device", "cpu"]
    assert main(["evolution", *map(str, typed)]) == 0
    made = EvolutionFile.open(out)
    assert made.steps.tolist() == [20]
    assert made.notes[1] == "The weights of step 0 cannot be read and are left out."
    with pytest.raises(UserError, match=r"config\.json is missing"):
        make_evolution(asked(tmp_path / "nowhere", studies, tmp_path / "b.npz"), SilentReporter())
    with pytest.raises(UserError, match="manifest"):
        make_evolution(asked(run, tmp_path / "none", tmp_path / "b.npz"), SilentReporter())
    assert not (tmp_path / "b.npz").exists()
