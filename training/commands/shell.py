"""The command line of `python -m training`: options, progress, and errors as sentences."""

import errno
import inspect
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic import Field
from pydantic.fields import FieldInfo
from typer.core import TyperCommand
from typer.main import get_command

from training.commands import COMMANDS, common, several
from training.errors import UserError
from training.files.terminal import EXIT_FAILED, print_lines
from training.runs.failure import describe_failure, is_expected
from training.runs.reporter import Cancelled

# The options of a command, made from the fields of its settings; its help also lists presets and other settings.


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


DISK_FULL = (errno.ENOSPC, errno.EFBIG)
EXIT_STOPPED = 130


def make_app(whole: Container[str] = COMMANDS) -> typer.Typer:
    """The command line; `whole` are commands with their options, for which settings are imported, others have names
    only.
    """
    app = typer.Typer(
        name="training",
        help="The engine of wce-desktop: scores studies, trains, evaluates and explains models. Research use only, not "
        "for diagnosis.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    for name, command in COMMANDS.items():
        if command.help:
            add_command(app, name, _run, is_whole=name in whole)
    app.command(hidden=True)(job)
    return app


def job(config: Annotated[Path, typer.Argument(metavar="CONFIG.json")]) -> None:
    """Run a command as a child of the window, which talks in JSON lines."""
    from training.commands.child import run_job

    raise typer.Exit(run_job(config))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the process's exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        # `app` itself would replace `sys.excepthook`
        run = partial(get_command(make_app(whole=arguments)), arguments, prog_name="python -m training")
        several.run_shared(run) if several.is_several() else run()
    except (UserError, ModuleNotFoundError, MemoryError) as error:
        if not is_expected(error):
            raise
        outcome = describe_failure(error)
        print_message(*filter(None, (outcome.message, outcome.hint)))
        return EXIT_FAILED
    except OSError as error:
        if error.filename is None and error.errno not in DISK_FULL:
            raise  # nothing that the person named: a bug
        what = f"{error.filename} cannot be used" if error.filename is not None else "The result cannot be written"
        print_message(f"{what}: {error.strerror}.", "Check the name, the folder's permissions and the disk.")
        return EXIT_FAILED
    except (Cancelled, KeyboardInterrupt):
        print_message("Stopped. Run the same command with --resume to continue.")
        return EXIT_STOPPED
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    return 0


def _run(name: str, given: dict[str, Any]) -> None:
    """Make the config, run the command under a progress bar, show its result; a stop ends with 130."""
    from training.commands.shell_reporter import ShellReporter, show_result
    from training.commands.work import run_command

    config_class, _, presets = common.find_command(name)
    given = {key: value for key, value in given.items() if value is not False and value != []}  # what was typed
    preset, assignments = given.pop("preset", None), given.pop("assignments", None) or ()
    cluster = given.pop("cluster", None) or ""
    config = common.make_config(config_class, given, assignments=assignments, preset=preset, presets=presets)
    with ShellReporter() as reporter:
        result = run_command(name, config, reporter, cluster)
    show_result(name, result)
    if reporter.stop_requested:
        print_message("Stopped; finished work is kept. Run the same command with --resume to continue.")
        raise typer.Exit(EXIT_STOPPED)


def print_message(*lines: str) -> None:
    """Write lines to standard error, once where several processes share a run: what ends one of them ends all."""
    if not several.is_other_rank():
        print_lines(*lines, file=sys.stderr)
