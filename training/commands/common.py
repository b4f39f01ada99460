"""What the settings of all commands share, how they are made from what was typed, and the check of the outputs.

Outputs are checked against the inputs before anything is imported that takes time. A config marks its outputs
(`training.files.marks`); every other path in it is an input.
"""

import difflib
import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Field, ValidationError
from pydantic.fields import FieldInfo

from training.commands import COMMANDS
from training.errors import UserError
from training.files import json_text, marks, outputs, stores
from training.runs.reporter import Reporter
from training.settings import Settings, error_sentence, shortened
from training.texts import Text
from training.version import FIRST_NUMBERING, NUMBERING

Run = Callable[[Any, Reporter], dict[str, Any]]

NumberingField = Annotated[
    int,
    Field(
        ge=FIRST_NUMBERING,
        le=NUMBERING,
        description="Rules by which the frames of the study are numbered where there is no saved index; 1: of studies "
        "that were opened before there were several.",
    ),
]


class CommandConfig(Settings):
    """The settings of one command; checked when made, then frozen."""

    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Where the model runs.")
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of all random numbers.")


def find_command(name: str) -> tuple[type[Settings], Run, Mapping[str, Mapping[str, Any]]]:
    """Config class, function and presets of a command; the function checks the command's outputs first.

    What runs it is imported when it is called.
    """
    if name not in COMMANDS:
        raise UserError(
            "There is no command {name}.", "There are: {commands}.", repr(name), ", ".join(sorted(COMMANDS))
        )
    command = COMMANDS[name]

    def run(config: BaseModel, reporter: Reporter) -> dict[str, Any]:
        config = _with_places(config)
        check_outputs(config)
        for path in _outputs(config):
            stores.check_output(path, overwrite=getattr(config, "overwrite", False))
        check_inputs(config, reporter)
        result: dict[str, Any] = _imported(command.run)(config, reporter)
        for path in _outputs(config):
            if path.exists() and (address := stores.address_of(path)):
                stores.put(path, address)
        return result

    return _imported(command.config), run, _imported(command.presets) if command.presets else {}


def _imported(place: str) -> Any:
    """What "module:name" stands for."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def plain_type(annotation: Any) -> Any:
    """The type of a setting without None and without marks: `int` of `int | None`."""
    if get_origin(annotation) in (Union, UnionType):
        return plain_type(next(each for each in get_args(annotation) if each is not NoneType))
    return plain_type(get_args(annotation)[0]) if get_origin(annotation) is Annotated else annotation


def make_config(
    config_class: type[Settings],
    given: Mapping[str, Any],
    *,
    assignments: Sequence[str] = (),
    preset: str | None = None,
    presets: Mapping[str, Mapping[str, Any]] | None = None,
) -> BaseModel:
    """The config of a command: defaults, then the preset, then options that were given, then `--set key=value`.

    Args:
        given: options by field name; None means not given; what the command has no field for is left out. Text for a
            list has commas.
        assignments: "key=value" each.

    Raises:
        UserError: no such preset or setting (with the nearest names), a value that does not fit, or a setting that has
            no effect beside the others.
    """
    fields = config_class.every_field()
    values: dict[str, Any] = {}
    if preset is not None:
        known = presets or {}
        if preset not in known:
            hint = Text("There are: {known}.", ", ".join(known)) if known else "This command has no presets."
            raise UserError(Text("There is no preset {preset}.", repr(preset)), hint)
        # A config that knows presets itself fills them in, and keeps the name.
        values = {"preset": preset} if "preset" in fields else dict(known[preset])
    typed = {name: _split(value, fields[name]) for name, value in given.items() if value is not None and name in fields}
    if taking := getattr(config_class, "assignments_field", ""):  # a command whose settings these are not
        typed |= {taking: list(assignments)} if assignments else {}
    else:
        typed |= dict(_parse(assignment, config_class) for assignment in assignments)
    try:
        config = config_class.model_validate({**values, **typed})
        config.check_used(typed.keys())
        for command, settings in config.inner():
            given = {name: value for name, value in settings.items() if value is not None}
            find_command(command)[0].model_validate({**NOWHERE, **given}).check_used(given.keys())
    except ValidationError as error:
        raise UserError(error_sentence(error), "Give another value; --help describes the options.") from error
    except ValueError as error:
        sentence = Text("{said}.", Text(str(error)).with_initial(str.upper))
        raise UserError(
            sentence, "Leave it out, or choose what it belongs to; --help describes the options."
        ) from error
    return config


def _parse(assignment: str, config_class: type[Settings]) -> tuple[str, Any]:
    """ "classes=polyp,blood" -> ("classes", ["polyp", "blood"]); numbers and booleans are pydantic's business."""
    key, equals, text = assignment.partition("=")
    key = key.strip().replace("-", "_")
    if not equals:
        raise UserError(
            "--set {assignment} is not of the form key=value.", "Write --set key=value.", shortened(assignment)
        )
    fields = config_class.every_field()
    if key not in fields:
        near = difflib.get_close_matches(key, fields, n=3, cutoff=0.5)
        if key == "batch_size" and "sequence_length" in fields:
            hint = Text("A batch has sequences x sequence_length frames: set these two.")
        elif near:
            hint = Text("Did you mean {near}?", " or ".join(near))
        else:
            hint = Text("There are: {fields}.", ", ".join(fields))
        raise UserError(Text("There is no setting {key}.", shortened(repr(key))), hint)
    if text.startswith(("[", "{")) or text == "null":
        try:
            return key, json_text.parse_json(text)
        except ValueError as error:
            raise UserError(
                "--set {assignment}: the value is not JSON.", 'Write lists as ["a", "b"].', shortened(assignment)
            ) from error
    return key, _split(text, fields[key])


def _split(value: Any, info: FieldInfo) -> Any:
    """ "polyp, blood" -> ["polyp", "blood"] for a setting that is a list."""
    if isinstance(value, str) and get_origin(plain_type(info.annotation)) in (tuple, list):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


NOWHERE = {"studies": "-", "labels": "-", "out": "-"}
"""In the place of what a training inside another one is given when it runs."""
START_FIELDS = ("init",)
"""Texts that may be paths."""
NAMED_STARTS = ("", "imagenet", "random", "auto")
"""Texts of such a field that are none."""
MANIFEST_FIELDS = ("studies", "manifest", "label_studies", "pretrain_studies")
"""Lists of studies, whose files are inputs too."""


def check_outputs(config: BaseModel) -> None:
    """Check every output of a command; creates nothing."""
    inputs = [*inputs_of(config)]
    for name, mark in _marks(config):
        value = getattr(config, name)
        if value is None:
            continue
        if isinstance(mark, marks.OutputFile) and mark.folder_with and getattr(config, mark.folder_with) is not None:
            outputs.check_output_folder(value, f"folder of {mark.kind.name}s", inputs=inputs)
        elif isinstance(mark, marks.OutputFile):
            outputs.check_output(value, mark.kind, inputs=inputs, overwrite=getattr(config, "overwrite", False))
        elif isinstance(mark, marks.OutputFolder):
            outputs.check_output_folder(value, mark.name, inputs=inputs)
            if mark.check is not None:
                mark.check(value, config)


def check_inputs(config: BaseModel, reporter: Reporter) -> None:
    """Fetch what is on a store; raises `UserError` for the first path to be read at which there is nothing."""
    for name, path in _named_inputs(config):
        if not os.path.lexists(stores.fetched(path, reporter)):
            raise UserError(
                "There is no file or folder {path}, which {name} names.",
                "Check the path. The file may have been moved, or a drive may not be connected.",
                repr(str(path)),
                name,
            )


def _marks(config: BaseModel) -> Iterator[tuple[str, Any]]:
    """Names and marks of the settings that carry one."""
    for name, field in type(config).model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, marks.OutputFile | marks.OutputFolder | marks.Cache):
                yield name, mark


def _with_places(config: BaseModel) -> BaseModel:
    """The settings with the places on this computer of what is on a store."""
    placed: dict[str, Any] = {}
    for name in type(config).model_fields:
        value = getattr(config, name)
        if isinstance(value, Path):
            placed[name] = stores.place_of_path(value)
        elif isinstance(value, tuple) and any(isinstance(each, Path) for each in value):
            placed[name] = tuple(map(stores.place_of_path, value))
        elif name in START_FIELDS and isinstance(value, str) and stores.is_address(value):
            placed[name] = str(stores.place_of(value))
    changed = {name: value for name, value in placed.items() if value != getattr(config, name)}
    return config.model_copy(update=changed) if changed else config


def _outputs(config: BaseModel) -> Iterator[Path]:
    """Every path that a command writes."""
    for name, _ in _marks(config):
        if isinstance(value := getattr(config, name), Path):
            yield value


def inputs_of(config: BaseModel) -> Iterator[Path]:
    """Every path that a command reads, those of studies in manifests among them."""
    for name, path in _named_inputs(config):
        yield path
        if name in MANIFEST_FIELDS:
            yield from _studies(path)


def _named_inputs(config: BaseModel) -> Iterator[tuple[str, Path]]:
    """Setting and path of everything that a command reads; also starts in the settings of an inner training."""
    marked = {name for name, _ in _marks(config)}
    waiting: list[tuple[str, Any]] = [(name, getattr(config, name)) for name in type(config).model_fields]
    for name, value in waiting:
        if isinstance(value, Mapping):
            waiting += value.items()
        elif name in START_FIELDS and isinstance(value, str) and value not in NAMED_STARTS:
            yield name, Path(value).expanduser()
        elif name not in marked:
            yield from (
                (name, path) for path in (value if isinstance(value, tuple) else (value,)) if isinstance(path, Path)
            )


def _studies(manifest: Path) -> list[Path]:
    """Files of the studies; of a manifest that cannot be read none, for the command says what is wrong with it."""
    from training.datasets.manifest import load_manifest

    if not manifest.is_file():
        return []
    try:
        return [study.path for study in load_manifest(manifest).studies]
    except UserError:
        return []
