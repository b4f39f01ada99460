"""The command `wce-desktop`: the window, one of the commands that need none, or a job of a frozen build."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from training.errors import UserError
from training.files.kinds import WINDOW_PNG
from training.files.outputs import check_output
from training.files.terminal import print_lines, run_into_pipe
from training.version import version
from wce_desktop.session.places import library_folder

QT_PACKAGES = (
    "libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libdbus-1-3 libfontconfig1"
)
DICOM_COMMAND = "dicom-report"
"""How the window starts the program again to read and write DICOM reports (`wce_desktop.session.dicom_child`)."""
PAGE_COMMAND = "report-page"
"""How the window starts it again to render a report template (`wce_desktop.features.report.model.page_child`)."""
READER_COMMAND = "read-sequences"
"""How a training in a frozen build starts it again, to read frames ahead (`training.datasets.sequence_worker`)."""
COMMANDS = {
    "import": "wce_desktop.shell.cli.exchange_cli",
    "export": "wce_desktop.shell.cli.exchange_cli",
    "import-embeddings": "wce_desktop.shell.cli.embeddings_cli",
    "restore": "wce_desktop.shell.cli.restore_cli",
    "check": "wce_desktop.shell.cli.check_cli",
    "check-report": "wce_desktop.shell.cli.check_cli",
    "library": "wce_desktop.shell.cli.library_cli",
}
"""Commands without a window, and the modules whose `main` runs them."""
SMALLEST_PX, LARGEST_PX = 200, 10_000
"""Sides of a window; what is larger than any screen asks for more memory than there is."""


def parse_size(text: str) -> tuple[int, int]:
    """Turn `1280x800` into (width, height) in logical pixels, each from 200 to 10,000."""
    sides = text.lower().split("x")
    if len(sides) != 2 or not all(side.isdecimal() and len(side) <= 5 for side in sides):
        raise argparse.ArgumentTypeError(f"“{text[:40]}” is not a window size; write it as 1280x800")
    width, height = map(int, sides)
    if not (min(width, height) >= SMALLEST_PX and max(width, height) <= LARGEST_PX):
        raise argparse.ArgumentTypeError(
            f"“{text}” is not a window size: each side must have {SMALLEST_PX} to {LARGEST_PX:,} pixels, as in 1280x800"
        )
    return width, height


def build_parser() -> argparse.ArgumentParser:
    """The command line of the window."""
    parser = argparse.ArgumentParser(
        prog="wce-desktop",
        description="Read capsule endoscopy studies. Research use only, not for diagnosis.",
        epilog=f"Without a window: wce-desktop {', '.join(COMMANDS)}, each with --help.",
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a video file or a folder of images")
    parser.add_argument(
        "--library", type=library_folder, metavar="DIR", help="the folder that keeps labels, models and scores"
    )
    parser.add_argument("--demo", action="store_true", help="open a synthetic study in its own library")
    parser.add_argument("--screenshot", type=Path, metavar="PNG", help="save a screenshot of the window and quit")
    parser.add_argument("--overwrite", action="store_true", help="let --screenshot replace any other file")
    parser.add_argument("--version", action="version", version=f"wce_desktop {version()}")
    parser.add_argument("--size", type=parse_size, default=None, metavar="1280x800", help="the window's size")
    return parser


def is_job(arguments: Sequence[str]) -> bool:
    """Whether the command line is `job CONFIG.json`: how a frozen build starts its jobs.

    A frozen build has no `python -m training.commands.child`; the executable starts itself (`wce_desktop.jobs.spec`).
    No study is a JSON file, so the form is free for that.
    """
    return len(arguments) == 2 and arguments[0] == "job" and Path(arguments[1]).suffix == ".json"


def explain_missing_qt(error: ImportError) -> str:
    """One sentence for a Linux machine that lacks the libraries Qt needs."""
    return (
        f"wce-desktop cannot start because a system library that Qt needs is missing ({error}); "
        f"on Debian or Ubuntu install it with: sudo apt-get install {QT_PACKAGES}"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own) and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if is_job(arguments):
        from training.commands.child import run_job

        return run_job(Path(arguments[1]))
    if arguments == [READER_COMMAND]:
        from training.datasets.sequence_worker import main as read_sequences

        read_sequences()
        return 0
    if arguments == [PAGE_COMMAND]:
        from wce_desktop.features.report.model.page_child import run as render

        return render(sys.stdin.buffer, sys.stdout.buffer)
    if arguments[:1] == [DICOM_COMMAND] and len(arguments) <= 2:
        from wce_desktop.session import dicom_child

        if len(arguments) == 1:
            return dicom_child.run(sys.stdin.buffer)
        return dicom_child.answer_with_findings(Path(arguments[1]), sys.stdout)
    return run_into_pipe(lambda: _run_for_person(arguments))


def _run_for_person(arguments: Sequence[str]) -> int:
    """Run a command line that is no child of this program."""
    from wce_desktop.library.storage.private import keep_new_files_private

    keep_new_files_private()  # also those of the jobs, which this process starts, and exports
    try:
        if arguments and arguments[0] in COMMANDS:
            return import_module(COMMANDS[arguments[0]]).main(arguments)  # type: ignore[no-any-return]
        return open_window(build_parser().parse_args(arguments))
    except UserError as error:
        print_lines(error, file=sys.stderr)
        return 1


def leave_sources_unread() -> None:
    """Keep PySide from reading the source of each module that is imported, to see whether it uses PySide.

    Call it before further imports: the sources would stay in memory, 30 MB of them, and take a tenth of the start.
    PySide asks for the sake of its `__feature__` switches, which nothing here uses; in a frozen build it finds none.
    """
    import PySide6.QtCore  # noqa: F401 - it brings the module below

    feature = sys.modules.get("shibokensupport.feature")
    if hasattr(feature, "_mod_uses_pyside"):
        feature._mod_uses_pyside = lambda _: False  # type: ignore[union-attr]


def open_window(options: argparse.Namespace) -> int:
    """Show the window until it is closed; 1 where Qt cannot be loaded.

    Raises:
        UserError: there is no screen, the picture may not be written there, or an option has no effect.
    """
    if options.screenshot is not None:
        read = [*options.paths, *filter(None, [options.library])]
        check_output(options.screenshot, WINDOW_PNG, inputs=read, overwrite=options.overwrite)
    elif options.overwrite:
        raise UserError("The option --overwrite belongs to --screenshot.", "Leave it out.")
    try:
        from wce_desktop.shell.screen import check_screen

        check_screen(os.environ)
        leave_sources_unread()
        from wce_desktop.core.memory import share_arenas

        share_arenas()
        from wce_desktop.shell.application import run
    except ImportError as error:
        if "PySide6" not in str(error) and ".so" not in str(error):
            raise
        print(explain_missing_qt(error), file=sys.stderr)
        return 1
    return run(options.paths, options.library, options.demo, options.screenshot, options.size)


if __name__ == "__main__":
    sys.exit(main())
