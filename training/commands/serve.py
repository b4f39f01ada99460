"""The command of the inference child: answers requests of the window, one after the other."""

import contextlib
import shutil
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from training.commands.common import CommandConfig
from training.errors import UserError
from training.files.marks import Cache
from training.runs.events import JsonReporter
from training.runs.reporter import Reporter


class ServeCommand(CommandConfig):
    """How to serve; what is asked comes line by line on standard input (`training.service.requests`)."""

    folder: Annotated[Path, Cache()] = Field(description="Folder for result files, which the window reads and removes.")
    idle_seconds: float = Field(300.0, gt=0, description="Exit after this time without a request.")
    networks: int = Field(2, ge=1, le=16, description="Number of networks that stay loaded.")


def run_serve(config: ServeCommand, reporter: Reporter) -> dict[str, Any]:
    """Serve until idle, stopped or the window is gone; the result says which.

    Raises:
        UserError: called from a shell, where nobody asks.
    """
    if not isinstance(reporter, JsonReporter):
        raise UserError("serve only answers requests of the window.", "On the command line, use explain or score.")
    from training.service.service import READY, Inbox, Service, listening

    inbox = Inbox()
    try:
        with listening(reporter.asked, inbox, reporter):
            from training.service.workbench import Workbench

            with contextlib.closing(Workbench(config.device, config.networks, reporter)) as workbench:
                reporter.partial(READY, {"device": str(workbench.device)})
                Service(workbench, inbox, config.folder, reporter).run(config.idle_seconds)
        reporter.check()
    finally:
        if reporter.stop_requested:  # the window is gone, or wants nothing any more
            shutil.rmtree(config.folder, ignore_errors=True)
    return {"reason": "stopped" if reporter.stop_requested else "idle"}
