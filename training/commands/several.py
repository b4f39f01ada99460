"""A command that torchrun starts in several processes: the first one runs it, the others help where it trains."""

import importlib
import os
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

    with joined() as ranks:
        if ranks.rank == 0:
            run()
            return
        with ShellReporter(Console(quiet=True)) as reporter:
            help_first(ranks, _make, reporter)


def _make(recipe: Mapping[str, Any], *given: Any) -> tuple[Method, AbstractContextManager[object]]:
    made: tuple[Method, AbstractContextManager[object]]
    made = importlib.import_module(_MAKERS[recipe["command"]]).make_method(recipe, *given)
    return made
