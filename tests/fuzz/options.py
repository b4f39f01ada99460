"""Every option of every command, read from the commands themselves: what is added there is fuzzed without more ado."""

import argparse
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click
import typer

from training.commands import COMMANDS
from training.commands.common import find_command
from training.settings import Settings

OUTPUTS = frozenset({"out", "cells", "cache", "weights_cache", "screenshot", "library"})
"""Options whose value is a place to write to; of `export` and `serve` `folder` is one, too."""
MARKS = "training.files.marks"
"""The module of what marks a setting as a place to write to."""
_OUTPUT_FOLDERS = frozenset({"export", "serve"})
WINDOW_ONLY = frozenset({"serve"})
"""Commands that only the window calls."""


@dataclass(frozen=True)
class Option:
    """One thing that can be given to a command.

    Attributes:
        name: of the setting.
        kind: "int", "float", "bool", "text", "choice", "path", "list", "mapping" or "flag".
        flag: as it is typed, "--frame"; empty: an argument without a name; "--set": a setting.
        choices: of a choice, or of a list's items.
        item: kind of a list's items.
        is_required: the command refuses to start without it.
        is_output: a place to write to.
    """

    name: str
    kind: str
    flag: str = ""
    choices: tuple[str, ...] = ()
    item: str = "text"
    is_required: bool = False
    is_output: bool = False


@dataclass(frozen=True)
class Command:
    """A command with all its options; `program` is "training" or "wce-desktop", `words` what is typed before them."""

    name: str
    program: str
    words: tuple[str, ...]
    options: tuple[Option, ...]


@cache
def all_commands() -> Mapping[str, Command]:
    """Every command by name."""
    found = [*_training_commands(), *_desktop_commands()]
    return {command.name: command for command in found}


def setting_options(config_class: type[Settings], command: str) -> Iterator[Option]:
    """The settings of a command's model, as `--set` takes them."""
    for name, info in config_class.every_field().items():
        kind, choices, item = kind_of(info.annotation)
        is_marked = any(type(mark).__module__ == MARKS for mark in info.metadata)
        is_output = kind == "path" and (is_marked or _is_output(name, command))
        yield Option(name, kind, "--set", choices, item, info.is_required(), is_output)


def kind_of(annotation: Any) -> tuple[str, tuple[str, ...], str]:
    """(kind, choices, kind of items) of a field's annotation."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return kind_of(arguments[0])
    if origin in (Union, types.UnionType):
        return kind_of(next(one for one in arguments if one is not type(None)))
    if origin is Literal:
        return "choice", tuple(str(one) for one in arguments), "text"
    if origin in (tuple, list, set, frozenset):
        kind, choices, _ = kind_of(arguments[0]) if arguments else ("text", (), "")
        return "list", choices, kind
    if origin is dict or annotation is dict:
        return "mapping", (), "text"
    simple = {bool: "bool", int: "int", float: "float", Path: "path"}
    return simple.get(annotation, "text"), (), "text"


def _is_output(name: str, command: str) -> bool:
    return name in OUTPUTS or (name == "folder" and command in _OUTPUT_FOLDERS)


def _training_commands() -> Iterator[Command]:
    from training.commands.shell import make_app

    group = typer.main.get_command(make_app())
    assert isinstance(group, click.Group) or hasattr(group, "commands")
    for name in COMMANDS:
        config_class, _, presets = find_command(name)
        settings = tuple(setting_options(config_class, name))
        known = {setting.name: setting for setting in settings}
        typed = group.commands[name].params if name in group.commands else []
        options = [
            _typed_option(one, name, known, presets) for one in typed if one.name != "assignments" and not one.hidden
        ]
        yield Command(name, "training", (name,), (*options, *settings))


def _typed_option(one: Any, command: str, known: Mapping[str, Option], presets: Mapping[str, Any]) -> Option:
    """An option or argument of the shell; its kind is its setting's, where it has one."""
    name = str(one.name)
    # Some have another name in the shell: --run is run_dir there, --class class_name.
    flag = max(one.opts, key=len) if one.param_type_name == "option" else ""
    setting = known.get(name) or known.get(flag.lstrip("-").replace("-", "_"))
    if getattr(one, "is_flag", False):
        return Option(name, "flag", flag)
    if name == "preset":
        return Option(name, "choice", flag, tuple(presets))
    kind = setting.kind if setting is not None else "text"
    choices = setting.choices if setting is not None else ()
    item = setting.item if setting is not None else "text"
    is_output = setting.is_output if setting is not None else _is_output(name, command)
    name = setting.name if setting is not None else name
    return Option(name, kind, flag, choices, item, bool(one.required), is_output)


def _desktop_commands() -> Iterator[Command]:
    from wce_desktop.__main__ import build_parser
    from wce_desktop.shell.cli import exchange_cli

    yield Command("wce-desktop", "wce-desktop", (), tuple(_parsed_options(build_parser(), "wce-desktop")))
    for action in exchange_cli._parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, parser in action.choices.items():
                yield Command(name, "wce-desktop", (name,), tuple(_parsed_options(parser, name)))


def _parsed_options(parser: argparse.ArgumentParser, command: str) -> Iterator[Option]:
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        kind = "flag" if action.nargs == 0 else "path" if action.type is Path else "text"
        flag = max(action.option_strings, key=len, default="")
        yield Option(action.dest, kind, flag, is_required=action.required, is_output=_is_output(action.dest, command))
