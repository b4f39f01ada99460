"""Scoring, finetuning and pretraining, killed and resumed until done: the result is that of no interruption."""

import random
import shutil
from abc import abstractmethod
from pathlib import Path

import numpy as np

from tests.crash.kind import Kind
from tests.crash.victim import Moment, Say, run

FRAMES = 96


class ResumedJob(Kind):
    """A job that is killed at random moments, taken up again each time, and compared once it is done."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        super().__init__(folder, chance)
        self._seconds: float | None = None
        self._whole: dict[str, np.ndarray] = {}
        self._number = 0

    @abstractmethod
    def prepare(self) -> None:
        """Write what the job reads; in a process of its own."""

    @abstractmethod
    def work(self, out: Path, *, resume: bool) -> None:
        """Do the job; in a process of its own."""

    @abstractmethod
    def progress(self, out: Path) -> int:
        """How much of an unfinished job is on disk: frames, or steps of the newest checkpoint."""

    @abstractmethod
    def result(self, out: Path) -> dict[str, np.ndarray]:
        """The arrays of a finished job."""

    @abstractmethod
    def leftovers(self, out: Path) -> list[Path]:
        """Files of the killed processes that a finished job has no use for."""

    @property
    def out(self) -> Path:
        """Where the present run writes."""
        return self.folder / f"run-{self._number}"

    def kill_once(self) -> None:
        """Take the run up, kill it at a random moment."""
        if self._seconds is None:
            self._begin()
        assert self._seconds is not None
        out = self.out
        moment = Moment(0, self._seconds * (0.05 + 0.95 * self.chance.random()))
        death = self.run(lambda say: self.work(out, resume=True), moment)
        if death.was_killed:
            self.tally.in_middle += self.progress(out) > 0
        elif death.status == 0:
            self._compare(out)

    def finish(self) -> None:
        """Let the last run come to its end."""
        out = self.out
        if self._seconds is not None and out.exists() and self.run(lambda say: self.work(out, resume=True)).status == 0:
            self._compare(out)

    def _begin(self) -> None:
        for what in (lambda say: self.prepare(), self._undisturbed):
            death = run(what, self._log)
            if death.status != 0:
                raise RuntimeError(self._log.read_text(encoding="utf-8")[-2000:])
        self._seconds, self._whole = death.seconds, self.result(self.folder / "whole")

    def _undisturbed(self, say: Say) -> None:
        self.work(self.folder / "whole", resume=False)

    def _compare(self, out: Path) -> None:
        """Every array is equal bit by bit."""
        found = self.result(out)
        self.tally.compared += 1
        unlike = [name for name in sorted(found.keys() | self._whole.keys()) if not _same(found, self._whole, name)]
        if unlike:
            self.tally.different += 1
            self.problem(f"{len(unlike)} of {len(self._whole)} arrays differ, such as {unlike[0]}")
        if left := self.leftovers(out):
            self.problem(f"{len(left)} files of killed processes are left, such as {left[0].name}")
        shutil.rmtree(out)
        self._number += 1


class Scoring(ResumedJob):
    """`training score --resume`; rows go to disk every 0.05 s instead of every two, since the study is short."""

    name = "scoring"

    def prepare(self) -> None:
        """A video and a model."""
        from tests.models import write_untrained_model
        from tests.videos import write_video

        write_video(self.folder / "study.mp4", FRAMES, b_frames=2)
        write_untrained_model(self.folder, "m1", ("normal", "polyp", "blood"))

    def work(self, out: Path, *, resume: bool) -> None:
        """Score the video."""
        from training.commands.score import ScoreCommand, run_score
        from training.inference import score
        from training.runs.reporter import SilentReporter

        out.mkdir(exist_ok=True)
        score.WRITE_SECONDS = 0.05
        asked = {"path": self.folder / "study.mp4", "model": self.folder / "m1", "out": out / "scores.h5"}
        plain = {"resume": resume, "device": "cpu", "precision": "float32", "batch": 8}
        config = ScoreCommand.model_validate(asked | plain)
        run_score(config, SilentReporter())

    def progress(self, out: Path) -> int:
        """Frames on disk."""
        from training.embeddings.writer import EmbeddingWriter, partial_path

        partial = partial_path(out / "scores.h5")
        if not partial.is_file():
            return 0
        try:
            with EmbeddingWriter.resume(out / "scores.h5") as writer:
                return writer.frames_done
        except Exception:  # killed before its head was written: it is begun again
            return 0

    def result(self, out: Path) -> dict[str, np.ndarray]:
        """What stands in the finished file."""
        from training.embeddings.file import EmbeddingFile

        with EmbeddingFile.open(out / "scores.h5") as file:
            arrays = {"embeddings": file.embeddings, "scores": file.scores, "cams": file.cams, "color": file.mean_color}
            return {name: np.asarray(array[:]) for name, array in arrays.items() if array is not None}

    def leftovers(self, out: Path) -> list[Path]:
        """Everything but the finished file."""
        return [path for path in out.iterdir() if path.name != "scores.h5"]


class Training(ResumedJob):
    """What finetuning and pretraining share."""

    weights: str

    def prepare(self) -> None:
        """Tiny labelled studies."""
        from tests.training.pretraining.tiny_studies import write_tiny_studies

        write_tiny_studies(self.folder / "studies")

    def progress(self, out: Path) -> int:
        """Steps of the newest checkpoint."""
        from training.runs.checkpoint import list_checkpoints

        kept = list_checkpoints(out / "checkpoints")
        return kept[0].step if kept else 0

    def result(self, out: Path) -> dict[str, np.ndarray]:
        """The weights that the run ends with, and its curve but for the speed."""
        from safetensors.numpy import load_file

        found = {
            f"{path.name}:{name}": tensor
            for path in sorted(out.glob(self.weights))
            for name, tensor in load_file(path).items()
        }
        lines = (out / "metrics.csv").read_text(encoding="utf-8").splitlines()
        speed = lines[0].split(",").index("images_per_second")
        rows = [[cell for at, cell in enumerate(line.split(",")) if at != speed] for line in lines]
        return found | {"curve": np.array(rows)}

    def leftovers(self, out: Path) -> list[Path]:
        """Files that were being written."""
        return [path for path in out.rglob("*") if ".partial" in path.name or path.name.endswith(".tmp")]


class Finetuning(Training):
    """`training finetune --resume`, with a checkpoint after each step."""

    name = "finetuning"
    weights = "model/*.safetensors"

    def work(self, out: Path, *, resume: bool) -> None:
        """Finetune."""
        from training.finetuning.config import finetune_config
        from training.finetuning.start import finetune
        from training.runs.reporter import SilentReporter

        folder = self.folder / "studies"
        asked = {"studies": folder / "manifest.json", "labels": folder / "labels.csv", "input_size": 32, "steps": 12}
        plain = {"batch_size": 12, "device": "cpu", "precision": "float32", "threads": 1, "evaluations": 2}
        config = finetune_config(**asked, **plain, out=out, checkpoint_seconds=0, model_name="m", resume=resume)
        finetune(config, SilentReporter())


class Pretraining(Training):
    """`training pretrain --resume`, with a checkpoint after each step."""

    name = "pretraining"
    weights = "kept/*.safetensors"

    def work(self, out: Path, *, resume: bool) -> None:
        """Pretrain."""
        from training.pretraining.config import pretrain_config
        from training.pretraining.run import pretrain
        from training.runs.reporter import SilentReporter

        asked = {"studies": self.folder / "studies" / "manifest.json", "init": "random", "backbone": "resnet18"}
        plain = {"input_size": 32, "sequence_length": 10, "window": 2, "steps": 10, "step_every": 4, "workers": 0}
        where = {"device": "cpu", "precision": "float32", "threads": 1, "checkpoints_kept": 2}
        config = pretrain_config(**asked, **plain, **where, out=out, checkpoint_seconds=0, resume=resume)
        pretrain(config, SilentReporter())


def _same(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], name: str) -> bool:
    if name not in ours or name not in theirs:
        return False
    one, other = ours[name], theirs[name]
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
