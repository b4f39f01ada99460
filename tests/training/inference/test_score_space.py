"""Scoring with a pretraining: embeddings before or after the projection head, and nothing else."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.training.inference.conftest import FRAMES
from tests.training.pretraining.kept_run import write_kept_run
from training.commands.score import ScoreCommand, run_score
from training.commands.shell import main
from training.datasets.synthetic import SYNTHETIC_ONLY
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.network import FrameClassifier, save_network
from training.models.projection_head import Pretrainer
from training.phantom.record import truth_path
from training.pretraining.pretrained import Pretrained
from training.runs.reporter import SilentReporter
from training.video import open_source, prepare_frame, study_field_of_view


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_kept_run(tmp_path_factory.mktemp("runs") / "first")


def score(study: Path, model: Path, out: Path, **settings: object) -> dict[str, object]:
    fields = {"path": study, "model": model, "out": out, "precision": "float32", **settings}
    return run_score(ScoreCommand.model_validate(fields), SilentReporter())


def slow(study: Path, run: Path, step: int, frames: tuple[int, ...]) -> tuple[NDArray[np.float32], ...]:
    """Embedding (n, D) and projection (n, P) of some frames, as pretraining's own network says."""
    start = Pretrained.open(run, step)
    network = Pretrainer(start.config.backbone, start.config.projection)
    network.trunk.load_state_dict(start.part("trunk."))
    network.head.load_state_dict(start.part("head."))
    network.eval()
    with open_source(study) as source, torch.inference_mode():
        view = study_field_of_view(source)
        prepared = np.stack([prepare_frame(source.read(number), view, 64) for number in frames])
        images = torch.from_numpy(prepared).permute(0, 3, 1, 2).float() / 255
        output = network((images - network.mean) / network.std)
    return output.embedding.numpy(), output.projection.numpy()


def test_both_spaces_of_a_kept_step_are_what_pretraining_computed(study: Path, run: Path, tmp_path: Path) -> None:
    some = (0, 7, FRAMES - 1)
    for step in (0, 20):
        expected = dict(zip(("backbone", "projection"), slow(study, run, step, some), strict=True))
        for space, wanted in expected.items():
            out = tmp_path / f"{space}-{step}.h5"
            score(study, run, out, space=space, step=step)
            with EmbeddingFile.open(out) as file:
                assert file.header.space == space
                assert file.header.model_id == f"first step {step}"
                assert file.header.classes == ()
                assert file.scores is None
                assert file.cams is None
                assert file.embeddings.shape == (FRAMES, {"backbone": 32, "projection": 16}[space])
                tolerance = 2e-3 * float(np.abs(wanted).max())  # float16 on disk
                assert np.allclose(file.embeddings[list(some)], wanted, atol=tolerance)


def test_the_newest_step_is_scored_unless_another_is_named(study: Path, run: Path, tmp_path: Path) -> None:
    typed = ["score", study, "--model", run, "--out", tmp_path / "a.h5", "--space", "projection", "--device", "cpu"]
    assert main(list(map(str, typed))) == 0
    with EmbeddingFile.open(tmp_path / "a.h5") as file:
        assert (file.header.model_id, file.header.space) == ("first step 20", "projection")


def test_a_file_is_not_resumed_in_another_space(study: Path, run: Path, tmp_path: Path) -> None:
    score(study, run, tmp_path / "a.h5", step=0)
    with pytest.raises(UserError, match="another space") as caught:
        score(study, run, tmp_path / "a.h5", step=0, space="projection", resume=True)
    assert "--resume" in caught.value.hint
    assert score(study, run, tmp_path / "a.h5", step=0, resume=True)["complete"]


def test_what_a_model_does_not_have_is_said(study: Path, model: ModelFolder, run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="m1 has no projection head: fine-tuning removes it"):
        score(study, model.path, tmp_path / "a.h5", space="projection")
    with pytest.raises(UserError, match="only one set of weights"):
        score(study, model.path, tmp_path / "a.h5", step=20)
    with pytest.raises(UserError, match="has no weights of step 3"):
        score(study, run, tmp_path / "a.h5", step=3)
    assert not list(tmp_path.iterdir())


class Listener(SilentReporter):
    """Remembers the log."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


def test_a_model_of_synthetic_images_is_marked_unless_the_study_is_synthetic(study: Path, tmp_path: Path) -> None:
    torch.manual_seed(0)
    network = FrameClassifier(ModelConfig(model_id="new", backbone="tiny", classes=("normal", "blood"), input_size=32))
    save_network(network, tmp_path / "model", {"trained_on": "synthetic"})
    marked: list[bool] = []
    for name in ("real", "phantom"):
        video = Path(shutil.copy(study, tmp_path / f"{name}{study.suffix}"))
        listener = Listener()
        if name == "phantom":
            truth_path(video).write_text("{}", encoding="utf-8")
        fields = {"path": video, "model": tmp_path / "model", "out": tmp_path / f"{name}.h5", "device": "cpu"}
        run_score(ScoreCommand.model_validate(fields), listener)
        marked.append(any(SYNTHETIC_ONLY in line for line in listener.lines))
    assert marked == [True, False]
