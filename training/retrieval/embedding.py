"""An encoder of clips from the run folder of a pretraining, and all clips of a study through it into a clip file.

Torch is imported when an encoder is made. Embedding can be stopped and continued.
"""

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.embeddings.writer import partial_path
from training.errors import UserError
from training.models.clip_config import ClipEncoderConfig
from training.retrieval.clip_file import ClipFile, ClipHeader
from training.retrieval.clips import BATCH, Clips, clip_bounds, embedded, read_clips
from training.runs.reporter import Reporter
from training.texts import Text
from training.video import FrameIndex, FrameSource, open_source, study_field_of_view

if TYPE_CHECKING:
    import torch

    from training.models.clip_encoder import ClipEncoder

UNTRAINED = "random weights"


@dataclass(frozen=True)
class ClipModel:
    """A clip encoder in evaluation mode. A clip's vector is its embedding, brought to length 1 (ours).

    Attributes:
        encoder: on its device.
        model_id: its name in files.
        sha256: of the weights file; "" for weights that are in no file.
        frame_step: the encoder sees every so many frames of a clip.
    """

    encoder: "ClipEncoder"
    model_id: str
    sha256: str = ""
    frame_step: int = 1

    @property
    def config(self) -> ClipEncoderConfig:
        """The encoder's sizes."""
        return self.encoder.config

    @property
    def length(self) -> int:
        """L: frames of a study that a clip spans."""
        return self.config.frames * self.frame_step

    def embed(self, clips: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(B, L, S, S, 3) RGB, prepared -> (B, D) of length 1.

        Raises:
            ValueError: clips of another shape.
        """
        import torch

        pixels = torch.from_numpy(np.ascontiguousarray(clips[:, :: self.frame_step])).to(self.encoder.mean.device)
        with torch.inference_mode():
            vectors = self.encoder(self.encoder.normalise(pixels))
            return np.asarray(torch.nn.functional.normalize(vectors, dim=1).cpu().numpy(), np.float32)


def open_clip_model(run: Path, step: int | None = None, device: "torch.device | str" = "cpu") -> ClipModel:
    """The encoder of a pretraining's newest weights, or of a step that was kept.

    Raises:
        UserError: no run folder, without weights or without those of this step, of a method that trains no clips, or
            with damaged weights.
    """
    from training.models.folder import file_sha256
    from training.pretraining.pretrained import Pretrained
    from training.pretraining.start import clip_encoder, clip_settings

    pretrained = Pretrained.open(run, step, of_clips=True)
    encoder, settings = clip_encoder(pretrained), clip_settings(pretrained)
    return ClipModel(
        encoder.to(device), pretrained.model_id, file_sha256(pretrained.weights), frame_step=settings.frame_step
    )


def untrained_clip_model(
    config: ClipEncoderConfig, seed: int, device: "torch.device | str" = "cpu", frame_step: int = 1
) -> ClipModel:
    """An encoder with random weights, which only the seed decides."""
    import torch

    from training.models.clip_encoder import ClipEncoder

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        encoder = ClipEncoder(config)
    return ClipModel(encoder.to(device).eval(), UNTRAINED, frame_step=frame_step)


SAVE_SECONDS = 30.0
"""How often the unfinished file is written, and so how much work being killed can cost."""


@dataclass(frozen=True)
class EmbeddedStudy:
    """What embedding a study did."""

    path: Path
    clips: int
    """Of the study."""
    clips_done: int
    """In the file."""
    missing: int
    """Clips of the file none of whose frames decodes."""
    complete: bool
    seconds: float


def embed_study(
    path: Path,
    model: ClipModel,
    out: Path,
    *,
    stride: int,
    resume: bool = False,
    index: FrameIndex | None = None,
    batch: int = BATCH,
    reporter: Reporter,
) -> EmbeddedStudy:
    """Embed every clip of a study into `out`; each frame is decoded once.

    A stop keeps what is done in `<out>.partial`; with `resume` it continues there, or begins where there is none.

    Args:
        stride: frames between the starts of two clips.

    Raises:
        UserError: the study cannot be read, the disk is full, or the file is of other settings.
        Cancelled: as the reporter asked; what was written last can be resumed.
    """
    started = time.monotonic()
    with open_source(path, index=index) as source:
        work = _Embedding(source, model, out, stride)
        unfinished = resume and partial_path(out).is_file()
        if resume and not unfinished and (kept := _finished(out, work.header)):
            reporter.log(Text("{name} is already finished.", out.name))
            return _summary(out, kept, started)
        if unfinished:
            work.made.append(ClipFile.open_partial(out, work.header).clips.vectors)
        work.run(batch, reporter)
        content = work.content()
        content.write(out)
    return _summary(out, content, started)


class _Embedding:
    """The clips of a study, and the vectors of those that are done."""

    def __init__(self, source: FrameSource, model: ClipModel, out: Path, stride: int) -> None:
        self.source, self.model, self.out = source, model, out
        self.starts, self.stops = clip_bounds(len(source), model.length, stride)
        self.header = ClipHeader(
            model_id=model.model_id,
            model_sha256=model.sha256,
            length=model.length,
            stride=stride,
            input_size=model.config.input_size,
            video_fingerprint=source.index.fingerprint,
            frames=len(source),
            clips=len(self.starts),
            created_utc=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        self.made = [np.zeros((0, model.config.width), np.float32)]

    def run(self, batch: int, reporter: Reporter) -> None:
        """Embed the clips behind those that are made already, until all are there or a stop."""
        first = done = sum(map(len, self.made))
        total, model = len(self.starts), self.model
        reporter.progress(done, total, "clips", "embedding")
        size = {"length": model.length, "size": model.config.input_size}
        view = study_field_of_view(self.source)
        clips = read_clips(self.source, view, self.starts[first:], self.stops[first:], **size)
        saved = time.monotonic()
        for is_there, vectors in embedded(clips, model.embed, batch):
            reporter.check()
            self.made.append(np.zeros((len(is_there), model.config.width), np.float32))
            if len(vectors):
                self.made[-1][is_there] = vectors
            done += len(is_there)
            reporter.progress(done, total, "clips", "embedding")
            if reporter.stop_requested:
                break
            if time.monotonic() - saved >= SAVE_SECONDS and done < total:
                self.content().write(self.out)
                saved = time.monotonic()

    def content(self) -> ClipFile:
        """What is done so far."""
        vectors = np.concatenate(self.made)
        done, seconds = len(vectors), np.asarray(self.source.index.video_seconds, np.float64)
        clips = Clips(self.starts[:done], self.stops[:done], vectors)
        return ClipFile(self.header, clips, seconds[clips.starts], seconds[clips.stops - 1])


def _finished(out: Path, header: ClipHeader) -> ClipFile | None:
    """The finished file, where it is what would be written now.

    Raises:
        UserError: it is of another study, model or clips.
    """
    if not out.is_file():
        return None
    kept = ClipFile.open(out)
    if difference := header.difference(kept.header):
        raise UserError(
            "{out} was written with {difference}.", "Start it without --resume to embed again.", out, difference
        )
    return kept


def _summary(out: Path, content: ClipFile, started: float) -> EmbeddedStudy:
    missing = int((~content.clips.vectors.any(axis=1)).sum())
    done = len(content.clips)
    return EmbeddedStudy(out, content.header.clips, done, missing, content.is_complete, time.monotonic() - started)
