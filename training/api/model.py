"""A trained model: embeddings, scores and explanations."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from training.api.arguments import CallingReporter, OnEvent, PathLike, as_choice, as_number, as_path
from training.api.embedding_table import EmbeddingTable
from training.api.study import Study, open_study
from training.compute.plan import DeviceName, choose_plan, inference_device
from training.errors import UserError
from training.files.kinds import EMBEDDING_FILE
from training.files.outputs import check_output
from training.inference.engine import Engine, EngineOutput, open_engine
from training.inference.explanation import LAST_LAYER, METHODS, Explanation, Method
from training.models.folder import ModelFolder
from training.models.inference_network import InferenceNetwork, Space
from training.pretraining.pretrained import is_pretraining, open_network

if TYPE_CHECKING:
    from training.inference.explained_model import ExplainedModel


def load_model(
    path: PathLike, *, device: DeviceName = "auto", space: Space = "backbone", step: int | None = None
) -> "Model":
    """Open a model folder, or the run folder of a fine-tuning or a pretraining.

    Args:
        path: the folder.
        device: "auto", "cpu", "cuda" or "mps".
        space: embeddings before ("backbone") or after ("projection") the projection head of a pretraining.
        step: kept step of a pretraining; None: the newest.

    Raises:
        TypeError: the path is not a path.
        ValueError: an unknown device or space.
        UserError: no such folder, or a damaged one.
    """
    folder = as_path(path, "path")
    as_choice(device, "device", get_args(DeviceName))
    as_choice(space, "space", get_args(Space))
    return Model(folder, open_network(folder, space, step), device, step)


class Model:
    """A model that is ready to use; made by `load_model`.

    Attributes:
        path: its folder.
        model_id: its name.
        classes: names of the scores' columns, "normal" first; empty for a pretraining.
        card: what the run that made it wrote down: data, method, figures, lineage. Empty for a pretraining.
        input_size: side of the prepared frames in pixels.
        embedding_size: numbers in one embedding.
    """

    def __init__(self, path: Path, network: InferenceNetwork, device: DeviceName, step: int | None = None) -> None:
        self.path = path
        self.model_id = network.model_id
        self.classes = network.classes
        self.input_size = network.input_size
        self.embedding_size = network.embedding_size
        self.card: Mapping[str, Any] = MappingProxyType(
            {} if is_pretraining(path) else dict(ModelFolder.open(path).card)
        )
        self._network = network
        self._device = device
        self._step = step

    def __repr__(self) -> str:
        return f"<Model {self.model_id}: {', '.join(self.classes) or 'no classes'}>"

    def embed(
        self,
        study: Study | PathLike,
        out: PathLike | None = None,
        *,
        overwrite: bool = False,
        scenes: bool = True,
        on_event: OnEvent | None = None,
    ) -> EmbeddingTable:
        """Embeddings and scores of every frame of a study, as `python -m training score` computes them.

        Args:
            study: an open study, or its path.
            out: embedding file to write, such as "P01.h5"; None: a temporary file, deleted with the table.
            overwrite: whether a file that this program did not write may be replaced.
            scenes: no effect; accepted so that scripts for older versions still run.
            on_event: receives progress.

        Raises:
            UserError: the study or the file cannot be used.
        """
        from training.inference.score import score_study

        with_frames = open_study(study)
        temporary = Path(mkdtemp(prefix="embeddings-")) if out is None else None
        path = as_path(out, "out") if temporary is None else temporary / "embeddings.h5"
        check_output(path, EMBEDDING_FILE, inputs=[with_frames.path], overwrite=overwrite)
        reporter = CallingReporter(on_event)
        score_study(
            with_frames.path,
            self._network,
            path,
            device=self._device,
            index=with_frames.index,
            reporter=reporter,
        )
        if not isinstance(study, Study):
            with_frames.close()
        return EmbeddingTable(path, with_frames.path.stem, temporary)

    def score(self, study: Study | PathLike | NDArray[np.uint8]) -> NDArray[np.float32]:
        """`(N, C)` scores in [0, 1] of a study's frames, or of prepared pictures `(N, S, S, 3)` uint8 RGB.

        S is `input_size`; `Study.prepared` makes such pictures. See `embed` for the scores with their embeddings.

        Raises:
            ValueError: pictures of another shape or type.
            UserError: the study cannot be used, or the model has no classes.
        """
        if not self.classes:
            raise UserError(f"{self.model_id} is a pretraining without classes.", "Use embed, or a fine-tuned model.")
        if isinstance(study, np.ndarray):
            return self.run(study).scores
        with self.embed(study) as table:
            return np.asarray(table.scores, np.float32)

    def run(self, pictures: NDArray[np.uint8], batch: int = 64) -> EngineOutput:
        """`.embeddings (N, D)`, `.scores (N, C)`, `.logits` and raw `.cams` of prepared pictures `(N, S, S, 3)` uint8.

        Raises:
            ValueError: pictures of another shape or type.
        """
        side = self.input_size
        if not isinstance(pictures, np.ndarray) or pictures.dtype != np.uint8:
            raise ValueError("pictures must be an array of uint8")
        if pictures.ndim != 4 or pictures.shape[1:] != (side, side, 3) or not len(pictures):
            raise ValueError(f"pictures must be (N, {side}, {side}, 3) with N >= 1, not {pictures.shape}")
        parts = [
            self._engine.run(np.ascontiguousarray(pictures[start : start + batch]))
            for start in range(0, len(pictures), batch)
        ]
        embeddings, logits, cams = (np.concatenate([getattr(part, name) for part in parts]) for name in _OUTPUTS)
        return EngineOutput(embeddings, logits, cams, parts[0].kind)

    def explain(
        self,
        study: Study | PathLike,
        frame: int,
        *,
        method: Method = "cam",
        class_name: str = "",
        layer: str = LAST_LAYER,
    ) -> Explanation:
        """Where in a frame the model sees a class, as the window shows it.

        Args:
            study: an open study, or its path.
            frame: number of the frame, counted from 0.
            method: "cam", "score-cam", "quick" (a Score-CAM of fewer channels) or "prior-grid".
            class_name: empty: the class with the highest score, normal excluded.
            layer: "layer1" to "layer4", for Score-CAM.

        Returns:
            `.map` in [0, 1] over the prepared frame, `.overlay(height, width)` over the frame itself, `.scores`.

        Raises:
            UserError: no such class or layer, or a method that does not fit the model.
        """
        from training.inference.explain import explain

        as_choice(method, "method", METHODS)
        seen = open_study(study)
        picture = seen[as_number(frame, "frame", 0)]
        explained = explain(self._explained, picture, seen.field_of_view, method, class_name=class_name, layer=layer)
        if seen is not study:
            seen.close()
        return explained

    @cached_property
    def _engine(self) -> Engine:
        return open_engine(self._network, choose_plan(inference_device(self._device)[0]))

    @cached_property
    def _explained(self) -> "ExplainedModel":
        from training.inference.explained_model import ExplainedModel

        return ExplainedModel.open(self.path, device=self._device, step=self._step)


_OUTPUTS = ("embeddings", "logits", "cams")
