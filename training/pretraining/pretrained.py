"""A finished or unfinished pretraining as a start: its newest complete weights."""

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.datasets.synthetic import lineage_entry
from training.errors import UserError
from training.files import json_text, safetensors
from training.models.backbones import find_backbone
from training.models.folder import ModelFolder, file_sha256
from training.models.inference_network import InferenceNetwork, Space, dense_of, network_of_model, part_of
from training.texts import Text

if TYPE_CHECKING:
    from torch import Tensor

    from training.pretraining.config import PretrainConfig

_NAME = re.compile(r"step-(\d{6,})\.safetensors")


def is_pretraining(run_dir: Path) -> bool:
    """True if the folder is the run folder of a pretraining, by its config.json."""
    try:
        return bool(json_text.read_json_object(run_dir / "config.json").get("command") == "pretrain")
    except UserError:
        return False


@dataclass(frozen=True)
class Pretrained:
    """The weights of one step of a pretraining."""

    run: Path
    config: "PretrainConfig"
    step: int
    """Optimizer steps of the weights."""
    patients: frozenset[str]
    """All patients that the weights were trained on, including earlier pretrainings."""
    weights: Path

    @staticmethod
    def open(run_dir: Path, step: int | None = None, *, of_clips: bool = False) -> "Pretrained":
        """The newest weights of a run folder, or those kept at a step.

        Args:
            of_clips: whether an encoder of clips is wanted, and not a network of single frames.

        Raises:
            UserError: not the run folder of a pretraining, incomplete, without weights, or of the other kind.
        """
        # Not with the module: who only scores with a model has no use for the settings of all methods.
        from training.pretraining.config import stored_config
        from training.runs import provenance, resume

        config = stored_config(resume.stored_settings(run_dir / "config.json", "pretrain", "pretraining"))
        if config.method_class.encodes_clips != of_clips:
            raise UserError(
                "The pretraining in {run_dir} trained a network of single frames ({method}), not an encoder of clips."
                if of_clips
                else "The pretraining in {run_dir} trained an encoder of clips ({method}), which cannot be used for "
                "single frames.",
                "Choose a pretraining by videomae or colo-scrl."
                if of_clips
                else "Choose a pretraining by another method.",
                run_dir,
                config.method,
            )
        result: dict[int, Path] = {}
        for path in (
            path for folder in ("checkpoints", "kept") for path in (run_dir / folder).glob("step-*.safetensors")
        ):
            with suppress(UserError):  # what cannot be read is passed over
                if match := _NAME.fullmatch(path.name):
                    safetensors.read_header(path)
                    result[int(match[1])] = path
        if not result:
            raise UserError(
                "The pretraining in {run_dir} has no complete checkpoint.", "Resume it, or choose another one.", run_dir
            )
        if step is not None and step not in result:
            raise UserError(
                "The pretraining in {run_dir} has no weights of step {step}.",
                "There are: {found}.",
                run_dir,
                step,
                ", ".join(str(kept) for kept in sorted(result)),
            )
        patients = provenance.patients_of_run(run_dir)
        if patients is None:
            raise UserError(
                "The run folder {run_dir} is incomplete: its split.json is missing or damaged, so it is unknown "
                "which patients it was trained on.",
                "Choose another run.",
                run_dir,
            )
        chosen = max(result) if step is None else step
        return Pretrained(run_dir, config, chosen, patients, result[chosen])

    def network(self, *, with_head: bool = False) -> InferenceNetwork:
        """The network, for passes without torch; `with_head`: embeddings are those after the projection head."""
        state, backbone = safetensors.load_arrays(self.weights), find_backbone(self.config.backbone)
        places = [2 * number + 1 for number in range(len(self.config.projection))]  # each layer is after a ReLU
        return InferenceNetwork(
            self.model_id,
            self.config.backbone,
            (),
            self.config.input_size,
            backbone.mean,
            backbone.std,
            part_of(state, "trunk."),
            head=tuple(dense_of(state, f"head.{place}") for place in places) if with_head else None,
            sha256=file_sha256(self.weights),
            features=backbone.embedding_size,
            stride=backbone.stride,
        )

    @property
    def model_id(self) -> str:
        """The name of these weights in figures and embedding files."""
        return Text("{name} step {step}", self.run.resolve().name, self.step)

    @property
    def lineage(self) -> dict[str, Any]:
        """The lineage for the card of a model that starts from these weights."""
        card: dict[str, Any] = {}
        with suppress(UserError):  # the run has written none yet
            card = json_text.read_json_object(self.run / "card.json")
        return {
            "init": "pretrained",
            **({"first_start": "imagenet"} if self.config.init == "imagenet" else {}),
            "run": self.run.name,
            "method": self.config.method,
            "step": self.step,
            "sha256": file_sha256(self.weights),
            "taught_patients": sorted(self.patients),
            **lineage_entry(card),
        }

    def part(self, prefix: str) -> dict[str, "Tensor"]:
        """The tensors whose names start with a prefix ("trunk.", "head."), without it, on the CPU."""
        from training.files.tensors import load_tensors

        state = load_tensors(self.weights)
        return {name.removeprefix(prefix): tensor for name, tensor in state.items() if name.startswith(prefix)}


def open_network(path: Path, space: Space = "backbone", step: int | None = None) -> InferenceNetwork:
    """The network of a model folder, or of a pretraining's run folder: its newest weights or those kept at `step`.

    Raises:
        UserError: neither, damaged, or a space or step that there is none of.
    """
    if is_pretraining(path):
        return Pretrained.open(path, step).network(with_head=space == "projection")
    folder = ModelFolder.open(path)
    if space == "projection":
        raise UserError(
            "The model {model_id} has no projection head: fine-tuning removes it.",
            "Use --space backbone, or the run folder of a pretraining.",
            folder.config.model_id,
        )
    if step is not None:
        raise UserError("The model {model_id} has only one set of weights.", "Leave out step.", folder.config.model_id)
    return network_of_model(folder)
