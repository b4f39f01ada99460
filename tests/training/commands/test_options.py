"""The options of all commands: those that were published stay, and the help lists presets and settings."""

import subprocess
import sys
from collections.abc import Iterator
from enum import EnumType
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from typer.main import get_command

from training.commands import COMMANDS
from training.commands.common import find_command
from training.commands.shell import main, make_app

PUBLISHED = Path(__file__).with_name("options.txt")
"""A line for each option that a release had: command, option, what it takes, and whether it must be given.

Scripts of others use them. Add lines; never take one away.
"""
_KINDS = {str: "text", int: "int", float: "float", bool: "flag", Path: "path"}


def kind_of(annotation: Any) -> str:
    if isinstance(annotation, EnumType):
        return "|".join(annotation)
    return _KINDS[get_args(annotation)[0]] + "..." if get_origin(annotation) is list else _KINDS[annotation]


def offered() -> Iterator[str]:
    """The present options, as they stand in the file; arguments in their order."""
    for name, command in getattr(get_command(make_app()), "commands", {}).items():
        for each in command.params if name in COMMANDS else ():
            option = each.opts[0] if each.param_type_name == "option" else "argument"
            kind = kind_of(each.type_descriptor.annotation)
            yield f"{name} {option} {kind}{' required' if each.required else ''}"


def test_every_published_option_is_still_there() -> None:
    published = PUBLISHED.read_text(encoding="utf-8").splitlines()
    now = list(offered())
    assert [line for line in published if line not in now] == []
    arguments = [line for line in published if line.split()[1] == "argument"]
    assert sorted(line for line in now if line.split()[1] == "argument") == sorted(arguments)


def test_the_order_of_arguments_stays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["datasets", "--help"]) == 0
    assert "{list|check|export} [NAME] [FOLDER]" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if command.help])
def test_the_help_describes_every_setting_and_preset(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    shown = "".join(capsys.readouterr().out.split())
    config, _, presets = find_command(name)
    listed = {key: info for key, info in config.every_field().items() if key not in ("preset", "seed", "device")}
    missing = [key for key, info in listed.items() if "".join((info.description or key).split()) not in shown]
    assert missing == []
    assert [preset for preset in presets if preset not in shown] == []


def test_options_that_a_command_ignores_are_accepted_but_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "--help"]) == 0
    assert "--resume" not in capsys.readouterr().out
    assert main(["index", "nowhere.mp4", "--resume"]) == 1
    assert "nowhere.mp4" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["index", "a.mp4", "--device", "gpu"], 2, "'gpu' is not one of 'auto', 'cpu', 'cuda', 'mps'"),
        (["index", "a.mp4", "--seed", "-1"], 2, "greater than or equal to 0"),
        (["index", "a.mp4", "--seed", "x"], 2, "--seed"),
        (["index", "a.mp4", "--nothing"], 2, "No such option"),
        (["benchmark", "--labels", "l.csv", "--out", "o"], 2, "Missing option '--methods'"),
        (["project", "--out", "a.npz", "--embeddings", "e.h5", "--method", "som"], 1, "The setting method cannot be"),
        (["phantom", "out", "--preset", "x"], 1, "This command has no presets."),
        (["neighbours", "--embeddings", "e.h5", "--frame", "0", "--span", "1,2"], 1, "either a frame or a span"),
        (["neighbours", "--embeddings", "e.h5", "--span", "2"], 1, "span"),
        (["few-labels", "--labels", "l.csv", "--out", "o", "--images", "i", "--counts", "3"], 1, "at least 4"),
        (["unknown"], 2, "No such command 'unknown'"),
        (["-x", "score"], 2, "No such option"),
    ],
)
def test_what_does_not_fit_keeps_its_exit_code(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    assert words in " ".join(capsys.readouterr().err.split())


def test_the_list_of_commands_imports_no_settings() -> None:
    """Each start would wait for them."""
    code = """
import sys
from training.commands.shell import main
assert main(["--help"]) == 0
assert main(["score", "--help"]) == 0
heavy = {"numpy", "training.video", "training.methods.registry", "training.experiments"} & set(sys.modules)
sys.exit(f"imported: {heavy}" if heavy else 0)
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert child.returncode == 0, child.stderr
