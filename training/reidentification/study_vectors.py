"""The embeddings of a study's flagged frames by a re-identification model, stored beside the study's scores.

Stored is one embedding by the single-frame encoder for each frame and class whose score reaches a floor below the
reader's threshold, and for the frames of findings. Events change with the threshold, frames do not: the vector of any
event is then computed from its frames in the window, without torch and without the video (`joint`). Storing vectors of
events would mean reading the video again after each change.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import BoxRow
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.files import kinds, outputs, safetensors
from training.reidentification import tracklets, views, visits
from training.reidentification.model import ReidModel
from training.runs.reporter import Reporter
from training.texts import Text
from training.video import FrameIndex, open_source, study_field_of_view

FORMAT = "1"
FLOOR_SHARE = 0.5
"""Frames from this share of the threshold on are embedded: it can be lowered without reading the video again."""
FINDING_FRAMES = 16
"""Frames of a finding that are embedded, spread over its length."""
AGAIN = "Group the flags again: the file is made anew."
AT_ONCE = 64

FindingSpan = tuple[int, int, str]
"""Start, stop and class of a finding."""


@dataclass(frozen=True)
class StudyVectors:
    """R embedded frames of one study.

    Attributes:
        model_sha256: of the re-identification model's weights.
        scored_by: of the weights of the model whose scores flagged the frames.
        fingerprint: of the video.
        floor: frames from this score on are there.
        classes: names of the classes.
        findings: of which findings there are frames.
        frames: (R,) ascending within a class.
        columns: (R,) number of the class that each was flagged for, ascending.
        embeddings: (R, D) float32.
    """

    model_sha256: str
    scored_by: str
    fingerprint: str
    floor: float
    classes: tuple[str, ...]
    findings: tuple[FindingSpan, ...]
    frames: NDArray[np.int64]
    columns: NDArray[np.int64]
    embeddings: NDArray[np.float32]

    @cached_property
    def _bounds(self) -> dict[str, tuple[int, int]]:
        numbers = np.arange(len(self.classes))
        firsts, lasts = np.searchsorted(self.columns, numbers), np.searchsorted(self.columns, numbers, "right")
        return {name: (int(firsts[at]), int(lasts[at])) for at, name in enumerate(self.classes)}

    def of(self, name: str, start: int, stop: int) -> NDArray[np.float32]:
        """(n, D) the embeddings of the frames in [start, stop) that were flagged for a class, in order of time."""
        first, last = self._bounds.get(name, (0, 0))
        begin, end = first + np.searchsorted(self.frames[first:last], (start, stop))
        return self.embeddings[int(begin) : int(end)]

    @classmethod
    def open(cls, path: Path) -> "StudyVectors":
        """Read a file; raises `UserError` where it is damaged or of another kind."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        said = safetensors.read_header(path).metadata
        try:
            if said["kind"] != kinds.REID_EMBEDDINGS or said["format"] != FORMAT:
                raise ValueError("another kind of file")
            content, arrays = json.loads(said["content"]), load_file(path)
            frames, columns, embeddings = (arrays[name] for name in ("frames", "columns", "embeddings"))
            findings = tuple((int(start), int(stop), str(name)) for start, stop, name in content["findings"])
            result = cls(
                str(content["model_sha256"]), str(content["scored_by"]), str(content["fingerprint"]),
                float(content["floor"]), tuple(map(str, content["classes"])), findings,
                frames.astype(np.int64), columns.astype(np.int64), embeddings.astype(np.float32),
            )  # fmt: skip
            result._check()
        except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(Text("{path} does not hold embeddings for re-identification.", path), AGAIN) from error
        return result

    def save(self, path: Path) -> None:
        """Write the file beside and rename it."""
        from safetensors.numpy import save_file

        content = {
            name: getattr(self, name)
            for name in ("model_sha256", "scored_by", "fingerprint", "floor", "classes", "findings")
        }
        header = {"kind": kinds.REID_EMBEDDINGS, "format": FORMAT, "content": json.dumps(content)}
        arrays = {"frames": self.frames, "columns": self.columns, "embeddings": self.embeddings}
        try:
            with outputs.written_beside(path) as beside:
                save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, beside, header)
        except OSError as error:
            raise UserError(
                "{path} cannot be written ({reason}).", "Check the disk.", path, error.strerror or error
            ) from error

    def _check(self) -> None:
        count = len(self.frames)
        if self.frames.shape != (count,) or self.columns.shape != (count,) or self.embeddings.shape[:1] != (count,):
            raise ValueError("its tables differ in length")
        if self.embeddings.ndim != 2 or not np.isfinite(self.embeddings).all():
            raise ValueError("its embeddings are no finite numbers")
        order = np.lexsort((self.frames, self.columns))
        if (order != np.arange(count)).any() or (
            count and not 0 <= self.columns[0] <= self.columns[-1] < len(self.classes)
        ):
            raise ValueError("its frames are not in order")


def embed_flagged(
    path: Path,
    scores: EmbeddingFile,
    model: ReidModel,
    *,
    floor: float,
    floors: Mapping[str, float] = MappingProxyType({}),
    findings: Sequence[FindingSpan] = (),
    index: FrameIndex | None = None,
    device: Any = "cpu",
    reporter: Reporter,
) -> StudyVectors:
    """Embed the frames of a study that are flagged from a floor on, and those of its findings; imports torch.

    Args:
        floors: lowest score of the classes with one of their own.
        findings: spans that are embedded whatever their scores, as far as `FINDING_FRAMES` of each.
    """
    from training.reidentification.training import frame_embeddings

    boxes = _wanted(scores, floor, floors, findings)
    classes = tuple(dict.fromkeys([*scores.header.classes, *(name for _, _, name in findings)]))
    numbers = {name: number for number, name in enumerate(classes)}
    wanted = sorted((frame, numbers[name]) for name, frame in boxes)
    encoder = model.encoder().frames.to(device)
    rows, crops, result = list[tuple[int, int]](), list[NDArray[np.uint8]](), list[NDArray[np.float32]]()
    by_frame: dict[int, list[int]] = {}
    for frame, number in wanted:
        by_frame.setdefault(frame, []).append(number)
    with open_source(path, index=index) as source:
        view = study_field_of_view(source)
        known = sorted(frame for frame in by_frame if frame < len(source))
        for frame, picture in tracklets.pictures_of(source, known) if known else ():
            reporter.check()
            reporter.progress(len(rows), len(wanted), "frames", "embedding flagged frames")
            for number in by_frame[frame]:
                box = boxes[classes[number], frame]
                crops.append(tracklets.frame_crop(picture, view, box, model.config.crop_px, model.config.context))
                rows.append((number, frame))
            if len(crops) >= AT_ONCE:
                result += frame_embeddings(encoder, [np.stack(crops)])
                crops = []
    result += frame_embeddings(encoder, [np.stack(crops)]) if crops else []
    places = np.array(rows, np.int64).reshape(-1, 2)
    order = np.lexsort((places[:, 1], places[:, 0]))
    empty = np.zeros((0, model.config.encoder.embedding), np.float32)
    return StudyVectors(
        model.sha256, scores.header.model_sha256, scores.header.video_fingerprint, floor, classes, tuple(findings),
        places[order, 1], places[order, 0], np.concatenate([empty, *result])[order],
    )  # fmt: skip


def _wanted(
    scores: EmbeddingFile, floor: float, floors: Mapping[str, float], findings: Iterable[FindingSpan]
) -> dict[tuple[str, int], BoxRow | None]:
    """Class and frame -> its box, of all that is embedded."""
    boxes: dict[tuple[str, int], BoxRow | None] = {}

    def add(name: str, column: int, frames: NDArray[np.int64]) -> None:
        for frame, box in visits.cam_boxes(scores, frames, column, "study").items():
            boxes[name, frame] = box

    for column, name, frames, _ in visits.flagged(scores, floor, floors):
        add(name, column, frames)
    for start, stop, name in findings:
        frames = start + views.spread_views(stop - start, FINDING_FRAMES)
        column = scores.header.classes.index(name) if name in scores.header.classes else len(scores.header.classes)
        add(name, column, np.array([frame for frame in frames if (name, frame) not in boxes], np.int64))
    return boxes
