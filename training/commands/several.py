"""A command that torchrun starts in several processes: the first one runs it, the others help where it trains."""

import ctypes
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from training.methods.method import Method

_MAKERS = {
    "pretrain": "training.pretraining.run",
    "finetune": "training.finetuning.fitting",
    "train-reid": "training.reidentification.training",
}
"""Command of a recipe -> the module whose `make_method` makes the method."""
_SIGNAL_OF_PARENTS_DEATH = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def is_several() -> bool:
    """Whether torchrun, or another launcher with its variables, has started this process with others."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def is_other_rank() -> bool:
    """Whether another process of this run, its first one, talks to the person (torchrun says which this one is)."""
    return int(os.environ.get("RANK", "0")) > 0


def run_shared(run: Callable[[], None]) -> None:
    """Run a command in the first process; in the others, help it until it ends.

    The variables of torchrun (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT) say which process this is. A
    launcher that calls this in each of its workers needs nothing else: data, settings and files are the first one's.
    """
    from rich.console import Console

    from training.commands.shell_reporter import ShellReporter
    from training.optimisation.helping import help_first
    from training.optimisation.ranks import joined

    _stop_with_launcher()
    with joined() as ranks:
        if ranks.rank == 0:
            run()
            return
        with ShellReporter(Console(quiet=True)) as reporter:
            help_first(ranks, _make, reporter)


def _stop_with_launcher() -> None:
    """Let this process stop, as after Ctrl-C, where torchrun ends it, or (on Linux) was killed itself.

    torchrun ends the first process as soon as another one is gone; the first one still has to say so.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SIGNAL_OF_PARENTS_DEATH, signal.SIGTERM)


def _make(recipe: Mapping[str, Any], *given: Any) -> tuple[Method, AbstractContextManager[object]]:
    made: tuple[Method, AbstractContextManager[object]]
    made = importlib.import_module(_MAKERS[recipe["command"]]).make_method(recipe, *given)
    return made
