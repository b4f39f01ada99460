"""A finished or unfinished pretraining as a start: its newest complete weights."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.datasets.synthetic import lineage_entry
from training.errors import UserError
from training.files.json_text import read_json_object
from training.files.safetensors import load_arrays, read_header
from training.models.backbones import find_backbone
from training.models.inference_network import InferenceNetwork, dense_of, part_of
from training.pretraining.config import PretrainConfig, stored_config
from training.runs.provenance import patients_of_split
from training.texts import Text

if TYPE_CHECKING:
    from torch import Tensor

_NAME = re.compile(r"step-(\d{6,})\.safetensors")


def is_pretraining(run_dir: Path) -> bool:
    """True if the folder is the run folder of a pretraining, by its config.json."""
    try:
        return bool(read_json_object(run_dir / "config.json").get("command") == "pretrain")
    except UserError:
        return False


@dataclass(frozen=True)
class Pretrained:
    """The weights of one step of a pretraining."""

    run: Path
    config: PretrainConfig
    step: int
    """Optimizer steps of the weights."""
    patients: frozenset[str]
    """All patients that the weights were trained on, including earlier pretrainings."""
    weights: Path

    @staticmethod
    def open(run_dir: Path, step: int | None = None) -> "Pretrained":
        """The newest weights of a run folder, or those kept at a step, of a network of single frames.

        Raises:
            UserError: not the run folder of a pretraining, incomplete, without weights, or of an encoder of clips.
        """
        found = Pretrained.of_any_kind(run_dir, step)
        if found.config.method_class.encodes_clips:
            raise UserError(
                "The pretraining in {run_dir} trained an encoder of clips ({method}), which cannot be used for "
                "single frames.",
                "Choose a pretraining by another method.",
                run_dir,
                found.config.method,
            )
        return found

    @staticmethod
    def of_any_kind(run_dir: Path, step: int | None = None) -> "Pretrained":
        """As `open`, also of an encoder of clips; see `training.pretraining.start`."""
        config = _read_config(run_dir)
        found = _weights_of(run_dir)
        if not found:
            raise UserError(
                "The pretraining in {run_dir} has no complete checkpoint.", "Resume it, or choose another one.", run_dir
            )
        if step is not None and step not in found:
            raise UserError(
                "The pretraining in {run_dir} has no weights of step {step}.",
                "There are: {found}.",
                run_dir,
                step,
                ", ".join(str(kept) for kept in sorted(found)),
            )
        chosen = max(found) if step is None else step
        return Pretrained(run_dir, config, chosen, _read_patients(run_dir), found[chosen])

    def trunk_state(self) -> dict[str, "Tensor"]:
        """The trunk's tensors under the trunk's own names, on the CPU; no head."""
        return self.part("trunk.")

    def head_state(self) -> dict[str, "Tensor"]:
        """The projection head's tensors, on the CPU."""
        return self.part("head.")

    def network(self, *, with_head: bool = False) -> InferenceNetwork:
        """The network, for passes without torch; `with_head`: embeddings are those after the projection head.

        Raises:
            UserError: the weights are damaged, not finite, or lack a tensor.
        """
        state, backbone = load_arrays(self.weights), find_backbone(self.config.backbone)
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
        )

    @property
    def model_id(self) -> str:
        """The name of these weights in figures and embedding files."""
        return Text("{name} step {step}", self.run.resolve().name, self.step)

    @property
    def lineage(self) -> dict[str, Any]:
        """The lineage for the card of a model that starts from these weights."""
        from training.models.folder import file_sha256

        return {
            "init": "pretrained",
            **({"first_start": "imagenet"} if self.config.init == "imagenet" else {}),
            "run": self.run.name,
            "method": self.config.method,
            "step": self.step,
            "sha256": file_sha256(self.weights),
            "taught_patients": sorted(self.patients),
            **lineage_entry(self._card()),
        }

    def _card(self) -> dict[str, Any]:
        """Empty where the run has written none yet."""
        try:
            return read_json_object(self.run / "card.json")
        except UserError:
            return {}

    def part(self, prefix: str) -> dict[str, "Tensor"]:
        """The tensors whose names start with a prefix, without it, on the CPU."""
        from training.files.tensors import load_tensors

        state = load_tensors(self.weights)
        return {name.removeprefix(prefix): tensor for name, tensor in state.items() if name.startswith(prefix)}


def _read_config(run_dir: Path) -> PretrainConfig:
    try:
        content = read_json_object(run_dir / "config.json")
        command, fields = content["command"], dict(content["config"])
    except (UserError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            "The run folder {run_dir} is incomplete: its config.json is missing or damaged.",
            "Choose another run.",
            run_dir,
        ) from error
    if command != "pretrain":
        raise UserError(
            "The run in {run_dir} is not a pretraining but a {command}.",
            "Choose a pretraining's folder.",
            run_dir,
            command,
        )
    return stored_config(fields)


def _read_patients(run_dir: Path) -> frozenset[str]:
    try:
        return patients_of_split(read_json_object(run_dir / "split.json"))
    except (UserError, ValueError, KeyError) as error:
        raise UserError(
            "The run folder {run_dir} is incomplete: its split.json is missing or damaged, so it is unknown "
            "which patients it was trained on.",
            "Choose another run.",
            run_dir,
        ) from error


def _weights_of(run_dir: Path) -> dict[int, Path]:
    """Step -> weights file, of kept weights and checkpoints; unreadable files are skipped."""
    found: dict[int, Path] = {}
    for path in (*(run_dir / "checkpoints").glob("step-*.safetensors"), *(run_dir / "kept").glob("step-*.safetensors")):
        match = _NAME.fullmatch(path.name)
        if match is None:
            continue
        try:
            read_header(path)
        except UserError:
            continue
        found[int(match[1])] = path
    return found
