"""The two tasks with their methods and presets: those that came with the program, and those a person saved."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel

from training.errors import UserError
from training.files.json_text import read_json_object
from training.files.outputs import written_beside
from training.finetuning import config as finetuning
from training.methods.method import Method
from training.methods.method_config import MethodConfig
from training.methods.registry import FINETUNING, PRETRAINING
from training.pretraining import config as pretraining
from wce_desktop.session.parameters import Parameter, parameters

Task: TypeAlias = Literal["pretrain", "finetune"]
TASKS: tuple[Task, ...] = ("pretrain", "finetune")

_WORDS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("pretrain", "paper"): (
        "As published",
        "ResNet-50 at 256 px and the settings of the method's paper; hours even on a GPU.",
    ),
    ("pretrain", "small"): ("Small", "ResNet-18 at 128 px, 400 steps: minutes on a small computer."),
    ("pretrain", "smoke"): ("Trial", "20 steps, to see that everything works; nothing is learned."),
    ("finetune", "default"): ("Standard", "Learns for two to four minutes on a small computer."),
    ("finetune", "quick"): ("Quick", "About a minute: to see whether the labels say anything at all."),
    ("finetune", "laiz"): ("As published (Laiz 2020)", "ResNet-50 and the paper's settings; hours without a GPU."),
    ("finetune", "pascual"): ("As published (Pascual 2022)", "ResNet-50, 4,500 steps; hours without a GPU."),
}
_UNSHOWN = {("finetune", "demo")}  # makes the model that is shipped
_FIRST: Mapping[str, tuple[str, ...]] = {"pretrain": ("small", "paper"), "finetune": ("default", "quick")}


@dataclass(frozen=True)
class Preset:
    """One preset to choose.

    Attributes:
        name: unique in its task.
        title: what the screen shows.
        description: one sentence.
        base: the preset of `training` that it builds on.
        settings: what it sets beyond its base.
        method: that it was saved with; empty: any.
        is_saved: a person saved it, so that it can be deleted.
    """

    name: str
    title: str
    description: str = ""
    base: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    method: str = ""
    is_saved: bool = False


def built_in(task: Task) -> tuple[Preset, ...]:
    """The presets that come with the program; the one for a small computer first."""
    table = pretraining.PRESETS if task == "pretrain" else finetuning.PRESETS
    names = [name for name in _FIRST[task] if name in table]
    names += [name for name in table if name not in names and (task, name) not in _UNSHOWN]
    words = {name: _WORDS.get((task, name), (name.capitalize(), "")) for name in names}
    return tuple(Preset(name, *words[name], base=name) for name in names)


def methods(task: Task) -> Mapping[str, type[Method]]:
    """The methods of a task by name, in the window's order."""
    return PRETRAINING if task == "pretrain" else FINETUNING


def config_class(task: Task, method: str) -> type[MethodConfig]:
    """All settings of a task with a method."""
    return pretraining.PretrainConfig.of(method) if task == "pretrain" else finetuning.FinetuneConfig.of(method)


def task_parameters(task: Task, method: str) -> tuple[Parameter, ...]:
    """What a form can show of the task, the method's own parameters first."""
    made = config_class(task, method)
    return parameters(made, made.own_fields(method))


def settled(task: Task, method: str, preset: Preset, changes: Mapping[str, Any] | None = None) -> BaseModel:
    """The whole config that a choice stands for, with placeholders for files; what is not chosen is at its default.

    Raises:
        UserError: a value that the config refuses, named.
    """
    make: Callable[..., BaseModel] = pretraining.pretrain_config if task == "pretrain" else finetuning.finetune_config
    files = {"studies": "-", "out": "-"} | ({"labels": "-"} if task == "finetune" else {})
    return make(**files, **chosen_settings(task, method, preset, changes or {}))


def chosen_settings(task: Task, method: str, preset: Preset, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a job: preset, method, what the preset was saved with, and the changes over them."""
    known = config_class(task, method).model_fields  # it may have been saved with another method
    kept = {name: value for name, value in preset.settings.items() if name in known}
    return {"preset": preset.base or preset.name, "method": method, **kept, **changes}


def _sound(preset: Preset) -> Preset:
    """The preset; raises `TypeError` where a field is of another type than it must be."""
    texts = (preset.name, preset.title, preset.description, preset.base, preset.method)
    if not all(isinstance(text, str) for text in texts) or not isinstance(preset.settings, dict):
        raise TypeError("a preset has a field of another type")
    return preset


class PresetStore:
    """The presets that a person saved, as JSON in the library's folder; a damaged file is reported and kept aside."""

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
            self.problem = f"Your presets could not be read ({error}); the file stays beside as damaged."
            self._path.replace(self._path.with_suffix(".damaged"))

    def of(self, task: Task) -> tuple[Preset, ...]:
        """Built-in presets, then the saved ones."""
        return (*built_in(task), *self._saved[task])

    def find(self, task: Task, name: str) -> Preset:
        """The preset of this name; KeyError when there is none."""
        for preset in self.of(task):
            if preset.name == name:
                return preset
        raise KeyError(name)

    def save(self, task: Task, title: str, base: Preset, method: str, settings: Mapping[str, Any]) -> Preset:
        """Keep settings under a name; one that was saved under it before is replaced.

        Raises:
            UserError: no name, the name of a preset that came with the program, or a file that cannot be written.
        """
        name = title.strip()
        if not name:
            raise UserError("A preset needs a name.", "Type one.")
        if any(name in (known.name, known.title) for known in built_in(task)):
            raise UserError(f"“{name}” came with the program and stays as it is.", "Choose another name.")
        kept = {key: list(value) if isinstance(value, tuple) else value for key, value in settings.items()}
        made = Preset(name, name, f"Saved by you; builds on {base.title}.", base.base, kept, method, is_saved=True)
        self._write(task, [*(known for known in self._saved[task] if known.name != name), made])
        return made

    def delete(self, task: Task, name: str) -> None:
        """Forget a saved preset."""
        self._write(task, [known for known in self._saved[task] if known.name != name])

    def _write(self, task: Task, presets: Sequence[Preset]) -> None:
        content = {**self._saved, task: list(presets)}
        try:
            text = json.dumps({key: [asdict(row) for row in rows] for key, rows in content.items()}, indent=1)
            with written_beside(self._path) as beside:
                beside.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(
                f"The presets {self._path} cannot be written ({error.strerror or error}).", "Check the disk."
            ) from error
        self._saved = content
