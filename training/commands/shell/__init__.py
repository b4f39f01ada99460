"""The command line of `python -m training`: options, progress, and errors as sentences."""

import errno
from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_command

from training.commands.shell import embeddings, explanations, learning, studies
from training.commands.shell.running import EXIT_FAILED, EXIT_STOPPED, print_message
from training.errors import UserError, not_in_reading_edition
from training.runs.reporter import Cancelled

DISK_FULL = (errno.ENOSPC, errno.EFBIG)

app = typer.Typer(
    name="training",
    help="The engine of wce-desktop: scores studies, trains, evaluates and explains models. Research use only, not for "
    "diagnosis.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for command in (
    studies.phantom,
    studies.index,
    studies.score,
    studies.embed_clips,
    studies.datasets,
    learning.pretrain,
    learning.finetune,
    learning.train_reid,
    embeddings.embed_reid,
    learning.evaluate,
    learning.few_labels,
    learning.reproduce,
    explanations.benchmark,
    explanations.explain,
    explanations.evaluate_explanations,
    embeddings.neighbours,
    embeddings.evaluate_neighbours,
    embeddings.project,
    embeddings.evolution,
):
    app.command()(command)


@app.command(hidden=True)
def job(config: Annotated[Path, typer.Argument(metavar="CONFIG.json")]) -> None:
    """Run a command as a child of the window, which talks in JSON lines."""
    from training.commands.child import run_job

    raise typer.Exit(run_job(config))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the process's exit code."""
    try:
        get_command(app)(arguments, prog_name="python -m training")  # `app` itself would replace `sys.excepthook`
    except UserError as error:
        print_message(*filter(None, (error.message, error.hint)))
        return EXIT_FAILED
    except ModuleNotFoundError as error:
        lacking = not_in_reading_edition(error)
        if lacking is None:
            raise
        print_message(lacking.message, lacking.hint)
        return EXIT_FAILED
    except OSError as error:
        if error.filename is None and error.errno not in DISK_FULL:
            raise  # nothing that the person named: a bug
        what = f"{error.filename} cannot be used" if error.filename is not None else "The result cannot be written"
        print_message(f"{what}: {error.strerror}.", "Check the name, the folder's permissions and the disk.")
        return EXIT_FAILED
    except MemoryError:
        print_message(
            "The computer ran out of memory.", "Close other programs, or choose smaller numbers (batch, size, frames)."
        )
        return EXIT_FAILED
    except (Cancelled, KeyboardInterrupt):
        print_message("Stopped. Run the same command with --resume to continue.")
        return EXIT_STOPPED
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    return 0
