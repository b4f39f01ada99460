"""The methods and presets of both tasks: built-in presets and those saved by the user."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from pydantic import BaseModel

from training.errors import UserError, writing
from training.files.json_text import read_json_object
from training.files.outputs import written_beside
from training.finetuning import config as finetuning
from training.methods.method_config import MethodConfig
from training.methods.registry import FINETUNING, PRETRAINING
from training.pretraining import config as pretraining
from training.reidentification import run_settings as run_config
from training.reidentification.run_settings import ReidConfig
from training.settings import Settings
from training.texts import Text, with_texts
from wce_desktop.core.language import to_translate, tr
from wce_desktop.session.parameters import Parameter, parameters

Task: TypeAlias = Literal["pretrain", "finetune", "train-reid"]
TASKS: tuple[Task, ...] = ("pretrain", "finetune", "train-reid")

_WORDS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("pretrain", "paper"): (
        to_translate("As published"),
        to_translate("ResNet-50 at 256 px with the settings of the method's paper; hours even on a GPU."),
    ),
    ("pretrain", "small"): (
        to_translate("Small"),
        to_translate("EfficientNet-Lite0 at 128 px, 400 steps; minutes on a small computer."),
    ),
    ("pretrain", "smoke"): (
        to_translate("Trial"),
        to_translate("20 steps, to check that everything works; the result is not useful."),
    ),
    ("train-reid", "small"): (
        to_translate("Small"),
        to_translate("EfficientNet-Lite0 on small crops, 500 steps; minutes on a small computer."),
    ),
    ("train-reid", "paper"): (
        to_translate("As published (Intrator 2023)"),
        to_translate(
            "ResNet-50 V2 and the paper's filter for tracklets, which leaves none of a capsule of 2 frames a second."
        ),
    ),
    ("train-reid", "smoke"): (
        to_translate("Trial"),
        to_translate("15 steps, to check that everything works; the result is not useful."),
    ),
    ("finetune", "default"): (to_translate("Standard"), to_translate("For most cases.")),
    ("finetune", "quick"): (
        to_translate("Quick"),
        to_translate("A shorter training, for a first check of the labels."),
    ),
    ("finetune", "linear"): (
        to_translate("Update the classifier only"),
        to_translate(
            "Takes seconds where the labelled studies are scored. The network stays as it is, so scored studies get "
            "new scores at once."
        ),
    ),
    ("finetune", "live"): (
        to_translate("Classifier of your labels only"),
        to_translate("As the live scores: takes seconds, and the new model knows only the classes that are labelled."),
    ),
    ("finetune", "whole"): (
        to_translate("Whole network"),
        to_translate("Trains all layers in one stage. For many labels; takes longer."),
    ),
    ("finetune", "laiz"): (
        to_translate("As published (Laiz 2020)"),
        to_translate("ResNet-50 and the paper's settings; hours without a GPU."),
    ),
    ("finetune", "pascual"): (
        to_translate("As published (Pascual 2022)"),
        to_translate("ResNet-50, 4,500 steps; hours without a GPU."),
    ),
}
_TABLES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "pretrain": pretraining.PRESETS,
    "finetune": finetuning.PRESETS,
    "train-reid": run_config.PRESETS,
}
_FIRST: Mapping[str, tuple[str, ...]] = {
    "pretrain": ("small", "paper"),
    "finetune": ("default", "quick", "linear", "live"),
    "train-reid": ("small", "paper"),
}


class Trains(Protocol):
    """What the window says of a method."""

    title: str
    sentence: str
    unused: Sequence[str]
    preset_sentences: Mapping[str, str]


class Intrator:
    """The one method of re-identification."""

    title = to_translate("Re-identification (Intrator 2023)")
    sentence = to_translate(
        "Frames of one event are positives, those of other patients' events negatives. The model then tells which "
        "flags show the same finding; it gives no scores."
    )
    unused: Sequence[str] = ()
    preset_sentences: Mapping[str, str] = {}


REIDENTIFICATION: Mapping[str, type[Intrator]] = {"intrator": Intrator}


@dataclass(frozen=True)
class Preset:
    """A preset to choose."""

    name: str  # unique in its task
    title: str  # text on screen
    description: str = ""  # one sentence
    base: str = ""  # the preset of `training` that it is based on
    settings: Mapping[str, Any] = field(default_factory=dict)  # settings that override the base
    method: str = ""  # the method that it was saved with; empty: any
    is_saved: bool = False  # saved by the user, so it can be deleted


def built_in(task: Task) -> tuple[Preset, ...]:
    """The built-in presets; the one for a small computer first."""
    table = _TABLES[task]
    names = [name for name in _FIRST[task] if name in table]
    names += [name for name in table if name not in names]
    words = {name: _WORDS.get((task, name), (name.capitalize(), "")) for name in names}
    return tuple(Preset(name, *words[name], base=name) for name in names)


PRESET_TITLES = {preset.name: preset.title for task in TASKS for preset in built_in(task)}
PRESET_TITLES["paper"] = to_translate("As published")  # each task has its own
"""What the window calls the presets that come with the program, where the task is not named."""


def methods(task: Task) -> Mapping[str, type[Trains]]:
    """The methods of a task by name, in the window's order."""
    if task == "train-reid":
        return REIDENTIFICATION
    return PRETRAINING if task == "pretrain" else FINETUNING


def config_class(task: Task, method: str) -> type[Settings]:
    """The config class of a task with a method."""
    if task == "train-reid":
        return ReidConfig
    return pretraining.PretrainConfig.of(method) if task == "pretrain" else finetuning.FinetuneConfig.of(method)


def task_parameters(task: Task, method: str) -> tuple[Parameter, ...]:
    """The parameters that a form shows, the method's own first."""
    result = config_class(task, method)
    own = result.own_fields(method) if issubclass(result, MethodConfig) else ()
    return parameters(result, own, methods(task)[method].unused)


def full_config(task: Task, method: str, preset: Preset, changes: Mapping[str, Any] | None = None) -> BaseModel:
    """The complete config of a choice, with placeholders for files.

    Raises:
        UserError: names an invalid value.
    """
    makers: Mapping[str, Callable[..., BaseModel]] = {
        "pretrain": pretraining.pretrain_config,
        "finetune": finetuning.finetune_config,
        "train-reid": ReidConfig.checked,
    }
    make = makers[task]
    further = {"finetune": {"labels": "-"}, "train-reid": {"embeddings": "-"}}
    files = {"studies": "-", "out": "-"} | further.get(task, {})
    return make(**files, **chosen_settings(task, method, preset, changes or {}))


def chosen_settings(task: Task, method: str, preset: Preset, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a job: preset, method, settings of a saved preset, overridden by the changes."""
    known = config_class(task, method).model_fields  # it may have been saved with another method
    kept = {name: value for name, value in preset.settings.items() if name in known}
    return {"preset": preset.base or preset.name, "method": method, **kept, **changes}


def _sound(preset: Preset) -> Preset:
    """The preset; raises `TypeError` if a field has the wrong type."""
    texts = (preset.name, preset.title, preset.description, preset.base, preset.method)
    if not all(isinstance(text, str) for text in texts) or not isinstance(preset.settings, dict):
        raise TypeError("a field of a preset has the wrong type")
    return preset


class PresetStore:
    """Presets saved by the user, as JSON in the library folder; a damaged file is reported and renamed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._saved: dict[str, list[Preset]] = {task: [] for task in TASKS}
        self.problem = ""
        if path.is_file():
            self._load()

    def _load(self) -> None:
        try:
            stored = read_json_object(self._path, "file of presets")
            self._saved = {task: [_sound(Preset(**row)) for row in stored.get(task, [])] for task in TASKS}
        except (UserError, TypeError) as error:
            self.problem = tr("Your presets could not be read ({error}). The damaged file was renamed.", error=error)
            self._path.replace(self._path.with_suffix(".damaged"))

    def of(self, task: Task) -> tuple[Preset, ...]:
        """Built-in presets, then the saved ones."""
        return (*built_in(task), *self._saved[task])

    def find(self, task: Task, name: str) -> Preset:
        """The preset of this name; KeyError when there is none."""
        return {preset.name: preset for preset in reversed(self.of(task))}[name]

    def save(self, task: Task, title: str, base: Preset, method: str, settings: Mapping[str, Any]) -> Preset:
        """Save settings under a name, replacing a saved preset of this name.

        Raises:
            UserError: no name, the name of a built-in preset, or a file that cannot be written.
        """
        name = title.strip()
        if not name:
            raise UserError("A preset needs a name.", "Enter one.")
        if any(name in (known.name, known.title) for known in built_in(task)):
            raise UserError("“{name}” is a built-in preset and cannot be replaced.", "Choose another name.", name)
        self._reload(task, name)
        kept = {key: list(value) if isinstance(value, tuple) else value for key, value in settings.items()}
        result = Preset(
            name,
            name,
            Text("Saved by you; based on {title}.", Text(base.title)),
            base.base,
            kept,
            method,
            is_saved=True,
        )
        self._write(task, [*(known for known in self._saved[task] if known.name != name), result])
        return result

    def delete(self, task: Task, name: str) -> None:
        """Delete a saved preset."""
        self._reload(task, name)
        self._write(task, [known for known in self._saved[task] if known.name != name])

    def _reload(self, task: Task, name: str) -> None:
        """Read what another window saved into the same library; `UserError` where it changed the preset of a name."""

        def content() -> list[tuple[object, ...]]:
            return [(each.base, each.method, each.settings) for each in self._saved[task] if each.name == name]

        before = content()
        if self._path.is_file():
            self._load()
        if content() != before:
            raise UserError(
                "Nothing was saved: another reader changed the preset “{name}”.",
                "It is in the list now. Save again to replace it, or choose another name.",
                name,
            )

    def _write(self, task: Task, presets: Sequence[Preset]) -> None:
        content = {**self._saved, task: list(presets)}
        rows = {key: [asdict(preset) for preset in presets] for key, presets in content.items()}
        with writing(self._path, hint=Text("Check the disk.")), written_beside(self._path) as beside:
            beside.write_text(json.dumps(with_texts(rows), indent=1), encoding="utf-8")
        self._saved = content
