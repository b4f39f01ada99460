"""A study gets the scores of an updated classifier from its stored embeddings."""

import errno
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from tests import tiny_backbone
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands.score import ScoreCommand, run_score
from training.embeddings import EmbeddingChunk, EmbeddingFile, EmbeddingWriter, partial_path
from training.errors import UserError
from training.indicators import INDICATORS
from training.inference.score import score_study
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.linear_classifier import LinearClassifier, read_classifier, write_with_classifier
from training.models.network import FrameClassifier, save_network
from training.runs.reporter import Cancelled, SilentReporter


class Listener(SilentReporter):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study `studies/P0`, models `old` and `new` that differ in the classifier, `other`, and `old.h5`."""
    folder = tmp_path_factory.mktemp("rescoring")
    write_tiny_studies(folder / "studies", patients=2)
    torch.manual_seed(0)
    config = ModelConfig(backbone=tiny_backbone.TINY.name, classes=("normal", "polyp"), input_size=32, model_id="old")
    old = save_network(FrameClassifier(config), folder / "old", {})
    grown = read_classifier(old).with_rows(3)
    random = np.random.default_rng(0)
    changed = LinearClassifier(grown.weight + random.normal(size=grown.weight.shape), grown.bias)
    named = config.model_copy(update={"model_id": "new", "classes": ("normal", "polyp", "blood")})
    write_with_classifier(old, folder / "new", named, changed, {})
    save_network(FrameClassifier(config), folder / "other", {})
    score_study(folder / "studies/P0", old, folder / "old.h5", precision="float32", device="cpu")
    return folder


def asked(material: Path, out: Path, **fields: object) -> ScoreCommand:
    plain = {"path": material / "studies/P0", "model": material / "new", "reuse": material / "old.h5"}
    return ScoreCommand.model_validate(
        {**plain, "out": out, "device": "cpu", "precision": "float32", "resume": True, **fields}
    )


def test_the_scores_are_those_of_the_video(material: Path, tmp_path: Path) -> None:
    """Embeddings are stored as float16, so scores differ by less than 0.005."""
    before = (material / "old.h5").read_bytes()
    result = run_score(asked(material, tmp_path / "new.h5"), SilentReporter())
    run_score(asked(material, tmp_path / "video.h5", reuse=None), SilentReporter())
    with EmbeddingFile.open(tmp_path / "new.h5") as new, EmbeddingFile.open(tmp_path / "video.h5") as video:
        assert new.scores is not None
        assert video.scores is not None
        assert np.abs(new.scores - video.scores).max() < 0.005
        assert np.array_equal(new.embeddings, video.embeddings)
        assert np.array_equal(new.video_seconds, video.video_seconds)
        assert np.array_equal(new.mean_color, video.mean_color)  # type: ignore[arg-type]
        assert np.array_equal(new.track_codes, video.track_codes)  # type: ignore[arg-type]
        assert new.header.tracks == video.header.tracks == tuple(INDICATORS)
        assert not new.header.difference(video.header)
        assert new.header.classes == ("normal", "polyp", "blood")
        assert new.cams is None
        assert video.cams is not None
    assert (result["frames"], result["complete"], result["missing"]) == (24, True, 0)
    assert (material / "old.h5").read_bytes() == before


def test_scored_from_the_video_it_gets_its_cams(material: Path, tmp_path: Path) -> None:
    run_score(asked(material, tmp_path / "new.h5"), SilentReporter())
    run_score(asked(material, tmp_path / "new.h5", reuse=None), SilentReporter())
    with EmbeddingFile.open(tmp_path / "new.h5") as file:
        assert file.cams is not None
    run_score(asked(material, tmp_path / "new.h5"), SilentReporter())
    with EmbeddingFile.open(tmp_path / "new.h5") as file:
        assert file.cams is not None, "what is there already is not replaced by less"


def test_frames_that_do_not_decode_have_no_scores(material: Path, tmp_path: Path) -> None:
    content = bytearray((material / "old.h5").read_bytes())
    with EmbeddingFile.open(material / "old.h5") as file:
        offset, width = file._tables["embeddings"].offset, file.embeddings.shape[1]
    content[offset + 10 * width : offset + 12 * width] = np.full(width, np.nan, "<f2").tobytes()  # frame 5
    (tmp_path / "old.h5").write_bytes(content)
    result = run_score(asked(material, tmp_path / "new.h5", reuse=tmp_path / "old.h5"), SilentReporter())
    assert result["missing"] == 1
    with EmbeddingFile.open(tmp_path / "new.h5") as new:
        assert new.scores is not None
        assert np.flatnonzero(np.isnan(new.scores).any(axis=1)).tolist() == [5]


def test_no_torch_and_no_video_reader_is_imported(material: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from tests import tiny_backbone\n"
        "from training.commands.score import ScoreCommand, run_score\n"
        "from training.runs.reporter import SilentReporter\n"
        "run_score(ScoreCommand.model_validate_json(sys.argv[1]), SilentReporter())\n"
        "print([name for name in ('torch', 'av', 'cv2', 'scipy', 'openvino') if name in sys.modules])"
    )
    text = asked(material, tmp_path / "new.h5").model_dump_json()
    done = subprocess.run([sys.executable, "-c", code, text], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("other model", "written with another model"),
        ("truncated", "not a readable HDF5 file"),
        ("half written", "is not finished"),
        ("other video", "is of another video"),
        ("none", "There is no file"),
    ],
)
def test_what_cannot_be_reused_is_said_and_the_video_is_scored(
    material: Path, tmp_path: Path, case: str, said: str
) -> None:
    stored, fields = tmp_path / "old.h5", {}
    if case != "none":
        shutil.copyfile(material / "old.h5", stored)
    if case == "other model":
        fields["model"] = material / "other"
    elif case == "truncated":
        stored.write_bytes(stored.read_bytes()[:-100])
    elif case == "half written":
        stored.rename(partial_path(stored))
    elif case == "other video":
        fields["path"] = material / "studies/P1"
    listener = Listener()
    run_score(asked(material, tmp_path / "new.h5", reuse=stored, **fields), listener)
    assert said in "\n".join(listener.lines)
    with EmbeddingFile.open(tmp_path / "new.h5") as file:
        assert file.cams is not None
        assert file.header.model_sha256 == ModelFolder.open(fields.get("model", material / "new")).sha256


def test_cancelled_it_leaves_nothing_finished(material: Path, tmp_path: Path) -> None:
    class Cancelling(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        run_score(asked(material, tmp_path / "new.h5"), Cancelling())
    assert not list(tmp_path.iterdir())
    run_score(asked(material, tmp_path / "new.h5"), SilentReporter())
    assert [path.name for path in tmp_path.iterdir()] == ["new.h5"]


def test_a_disk_that_is_full_is_told_and_old_scores_stay(
    material: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copyfile(material / "old.h5", tmp_path / "old.h5")
    real = EmbeddingWriter.append

    def full(self: EmbeddingWriter, chunk: EmbeddingChunk) -> None:
        monkeypatch.setattr(self, "_write_rows", no_space)
        real(self, chunk)

    def no_space(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(EmbeddingWriter, "append", full)
    with pytest.raises(UserError, match="disk is full"):
        run_score(asked(material, tmp_path / "new.h5", reuse=tmp_path / "old.h5"), SilentReporter())
    assert [path.name for path in tmp_path.iterdir()] == ["old.h5"]
    assert (tmp_path / "old.h5").read_bytes() == (material / "old.h5").read_bytes()


def test_an_unfinished_scoring_of_the_video_can_still_be_resumed(material: Path, tmp_path: Path) -> None:
    class Stopping(SilentReporter):
        stop_requested = True

    run_score(asked(material, tmp_path / "new.h5", reuse=None, batch=8), Stopping())
    unfinished = partial_path(tmp_path / "new.h5").read_bytes()
    run_score(asked(material, tmp_path / "new.h5"), SilentReporter())
    assert partial_path(tmp_path / "new.h5").read_bytes() == unfinished
    run_score(asked(material, tmp_path / "new.h5", reuse=None, batch=8), SilentReporter())
    with EmbeddingFile.open(tmp_path / "new.h5") as file:
        assert file.cams is not None
