"""The command line of `python -m training`: options, progress, and errors as sentences."""

import errno
import sys
from collections.abc import Container
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.main import get_command

from training.commands import COMMANDS, common, options, several
from training.errors import UserError
from training.files.terminal import EXIT_FAILED, print_lines
from training.runs.failure import describe_failure, is_expected
from training.runs.reporter import Cancelled

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
            options.add_command(app, name, _run, is_whole=name in whole)
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
