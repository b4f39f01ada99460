"""Networks that stay loaded between two requests: those used last."""

from collections import OrderedDict
from pathlib import Path

from training.compute.plan import Device, choose_plan
from training.errors import UserError
from training.inference.explained_model import ExplainedModel
from training.models.folder import CARD, CONFIG, SUMS, WEIGHTS, ModelFolder, file_sha256
from training.models.inference_network import network_of_model
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.runs.reporter import Reporter
from training.service.studies import Stamp, stamp_of


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
