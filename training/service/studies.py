"""Studies that stay open between two requests, with their field of view."""

from collections import OrderedDict
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import Device, choose_plan
from training.errors import UserError
from training.inference.explained_model import ExplainedModel
from training.models.folder import CARD, CONFIG, SUMS, WEIGHTS, ModelFolder, file_sha256
from training.models.inference_network import network_of_model
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.runs.reporter import Reporter
from training.texts import Text
from training.video import FieldOfView, FrameSource, open_source, saved_or_new_index, study_field_of_view

OPEN_STUDIES = 2
CACHE_BYTES = 32 * 1024**2

Stamp: TypeAlias = tuple[int, int] | None


def stamp_of(path: Path) -> Stamp:
    """(time of the last change in ns, size in bytes): shows cheaply whether a file has changed; None: no such file."""
    try:
        result = path.stat()
    except OSError:
        return None
    return result.st_mtime_ns, result.st_size


class OpenStudy:
    """One study: its frames, and where in them the tissue is."""

    def __init__(self, source: FrameSource) -> None:
        self.source = source
        self._view: FieldOfView | None = None

    def view(self, reporter: Reporter) -> FieldOfView:
        """The study's field of view, looked for when it is first needed."""
        if self._view is None:
            reporter.progress(0, 0, "frames", "looking for the field of view")
            self._view = study_field_of_view(self.source)
        return self._view

    def read(self, frame_index: int) -> NDArray[np.uint8]:
        """One frame (H, W, 3) uint8 RGB.

        Raises:
            UserError: there is no such frame, or it does not decode.
        """
        count = len(self.source)
        if not 0 <= frame_index < count:
            raise UserError(
                "{name} has no frame {frame_index:,}.",
                "It has 0 to {count:,}.",
                self.source.path.name,
                frame_index,
                count - 1,
            )
        return self.source.read(frame_index)


class OpenStudies:
    """The studies that were asked for last; a file that has changed on disk is reopened."""

    def __init__(self, room: int = OPEN_STUDIES) -> None:
        self._room = room
        self._open: OrderedDict[tuple[object, ...], OpenStudy] = OrderedDict()

    def get(self, path: Path, index: Path | None, numbering: int, reporter: Reporter) -> OpenStudy:
        """The study, opened; with its saved index where there is one, else the index is made by these rules.

        Raises:
            UserError: it cannot be read, or the index belongs to other content.
        """
        saved = index if index is not None and index.is_file() else None
        key = (path, stamp_of(path), saved, saved and stamp_of(saved), numbering)
        if key not in self._open:
            reporter.progress(0, 0, "studies", Text("opening {name}", path.name))
            known = saved_or_new_index(path, saved, numbering, reporter)
            study = OpenStudy(open_source(path, index=known, cache_bytes=CACHE_BYTES))
            while len(self._open) >= self._room:
                self._open.popitem(last=False)[1].source.close()
            self._open[key] = study
        self._open.move_to_end(key)
        return self._open[key]

    def close(self) -> None:
        """Let all files go."""
        while self._open:
            self._open.popitem()[1].source.close()


class Networks:
    """The networks used last; one whose files have changed is loaded again."""

    def __init__(self, device: Device, room: int) -> None:
        self._device = device
        self._room = room
        self._loaded: OrderedDict[tuple[object, ...], ExplainedModel] = OrderedDict()
        self._known: dict[tuple[object, ...], ModelFolder] = {}
        self._sums: dict[tuple[Path, Stamp], str] = {}

    def get(self, path: Path, step: int | None, precision: str, reporter: Reporter) -> ExplainedModel:
        """The network of a model folder, or of a run folder with a model or a pretraining in it.

        Raises:
            UserError: none of them, or damaged.
        """
        origin = self.origin(path, step)
        # Two models of the same weights may differ in what else their config says, such as the names of classes.
        key = (origin.config.model_dump_json(), self.sha256(origin), precision)
        if key not in self._loaded:
            reporter.progress(0, 0, "networks", "loading the model")
            while len(self._loaded) >= self._room:
                self._loaded.popitem(last=False)
            network = network_of_model(origin) if isinstance(origin, ModelFolder) else origin.network()
            pretrained = None if isinstance(origin, ModelFolder) else origin
            self._loaded[key] = ExplainedModel(network, choose_plan(self._device, precision=precision), pretrained)
        self._loaded.move_to_end(key)
        return self._loaded[key]

    def origin(self, path: Path, step: int | None) -> ModelFolder | Pretrained:
        """Where the weights lie; a folder's checksums are looked at again only when a file of it has changed.

        Raises:
            UserError: neither a model nor a pretraining, or damaged.
        """
        if is_pretraining(path):
            return Pretrained.open(path, step)
        if step is not None:
            raise UserError("The model in {path} has only one set of weights.", "Leave out the step.", path)
        files = [folder / name for folder in (path, path / "model") for name in (WEIGHTS, CONFIG, CARD, SUMS)]
        key = (path, *map(stamp_of, files))
        if key not in self._known:
            self._known = {old: kept for old, kept in self._known.items() if old[0] != path}
            self._known[key] = ModelFolder.open(path)
        return self._known[key]

    def sha256(self, origin: ModelFolder | Pretrained) -> str:
        """Of the weights' file."""
        if isinstance(origin, ModelFolder):
            return origin.sha256
        key = (origin.weights, stamp_of(origin.weights))
        if key not in self._sums:
            self._sums[key] = file_sha256(origin.weights)
        return self._sums[key]

    def forget(self) -> None:
        """Let all of them go."""
        self._loaded.clear()
