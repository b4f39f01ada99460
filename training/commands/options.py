"""The options of a command, made from the fields of its settings; its help also lists presets and other settings."""

import inspect
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic import Field
from pydantic.fields import FieldInfo
from typer.core import TyperCommand

from training.commands import COMMANDS, common


class _CommonOptions(common.CommandConfig):
    """Options that a command accepts although it has no setting for them; they are not shown."""

    preset: str = Field("", description="Preset: values for several settings.")
    resume: bool = Field(False, description="Continue what an earlier call left unfinished.")
    cluster: str = Field("", description="Compute on a Ray cluster: ray://HOST:10001, auto, or local.")


class CommandWithSettings(TyperCommand):
    """A command whose help ends with its presets and the settings that are no options."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write them as lists of definitions."""
        config, _, presets = common.find_command(str(self.name))
        typed = {parameter.name for parameter in self.params}
        methods: Mapping[str, Any] = getattr(config, "methods", {})
        lists = {"Presets": dict.fromkeys(presets, "the defaults")}
        for name, values in presets.items():
            if values:
                lists["Presets"][name] = " ".join(f"{key}={_typed(value)}" for key, value in values.items())
        lists["Settings of --set"] = _described(config.model_fields, typed)
        for method in methods:
            fields = config.of(method).model_fields  # type: ignore[attr-defined]  # of a config with methods
            lists[f"Settings of --set for --method {method}"] = _described(fields, typed | config.model_fields.keys())
        for title, rows in lists.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(list(rows.items()))


def add_command(app: typer.Typer, name: str, run: Callable[[str, dict[str, Any]], None], *, is_whole: bool) -> None:
    """Add a command of the table.

    Args:
        run: called with the name, and what was typed by setting; `assignments` are those of `--set`.
        is_whole: with its options, for which its settings are imported; otherwise only its name and help.
    """

    def call(**given: Any) -> None:
        run(name, given)

    call.__signature__ = inspect.Signature(list(_parameters(name)) if is_whole else [])  # type: ignore[attr-defined]
    call.__annotations__ = {}
    app.command(name, cls=CommandWithSettings, help=COMMANDS[name].help)(call)


def default_text(info: FieldInfo) -> str:
    """The default of a setting as it would be typed; empty where there is none."""
    if info.is_required() or info.default_factory or info.default in (None, "", ()):
        return ""
    return _typed(info.default)


def _parameters(name: str) -> Iterator[inspect.Parameter]:
    """A parameter for each option, in the order of the table."""
    config, _, presets = common.find_command(name)
    fields = config.every_field()
    choices = {"preset": presets, "method": getattr(config, "methods", {})}
    for text in COMMANDS[name].options.split():
        option, _, other = text.rstrip("!").partition("=")
        key = other or option.strip("-").replace("-", "_")
        if key == "set":
            shown = typer.Option(option, metavar="KEY=VALUE", help="Any setting; repeatable.")
            yield _parameter("assignments", list[str] | None, shown, None)
            continue
        info = fields.get(key) or _CommonOptions.model_fields[key]
        default = default_text(info) if common.plain_type(info.annotation) is not bool else ""
        text_of = f"{info.description or ''} [{default}]".removesuffix(" []")
        kind, more = _kind(key, info, choices.get(key, ()))
        is_needed = text.endswith("!") or info.is_required()
        if option.startswith("-"):
            is_hidden = not presets if key == "preset" else key not in (*fields, "cluster")
            shown = typer.Option(option, help=text_of, hidden=is_hidden, **more)
        else:
            shown = typer.Argument(**{"metavar": key.upper(), "help": text_of, **more})
        if kind is bool:
            yield _parameter(key, bool, shown, False)
        elif is_needed:
            yield _parameter(key, kind, shown, inspect.Parameter.empty)
        else:
            yield _parameter(key, kind | None, shown, None)


def _parameter(name: str, kind: Any, shown: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, shown])


def _kind(key: str, info: FieldInfo, choices: Iterable[str]) -> tuple[Any, dict[str, Any]]:
    """The type that Typer checks, and how the value is shown; the settings check names and upper limits."""
    kind = common.plain_type(info.annotation)
    if key == "device":
        return StrEnum("Device", {name: name for name in get_args(kind)}), {}
    if kind in (bool, float, Path):
        return kind, {}
    if kind is int:
        return int, {"min": next((mark.ge for mark in info.metadata if hasattr(mark, "ge")), None)}
    if get_origin(kind) is tuple:
        return (list[Path], {}) if get_args(kind)[0] is Path else (str, {"metavar": "A,B,..."})
    names = get_args(kind) if get_origin(kind) is Literal else tuple(choices)
    return str, {"metavar": "|".join(names)} if names else {}


def _described(fields: Mapping[str, FieldInfo], without: Container[str]) -> dict[str, str]:
    return {
        key: f"{info.description or ''} [{default_text(info)}]".removesuffix(" []")
        for key, info in fields.items()
        if key not in without
    }


def _typed(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
