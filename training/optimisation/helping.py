"""What every process of a training does but the first: the orders of the first one, until it ends."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from typing import Any

from training.errors import UserError
from training.methods.method import Method
from training.optimisation.gradients import carry_back, rehearse
from training.optimisation.ranks import BEGIN, END, TRY, Ranks, is_lost
from training.runs.reporter import Reporter
from training.version import version

Make = Callable[[Mapping[str, Any], Ranks], tuple[Method, AbstractContextManager[object]]]
"""Recipe -> the method, its network on the device in training mode with any weights, and a context for its steps."""


def help_first(ranks: Ranks, make: Make, reporter: Reporter) -> None:
    """Do the orders of the first process until it ends, whatever the reason; a stop is passed on to it.

    Raises:
        what fails here; the first process then ends with the same sentence.
    """
    try:
        _help_first(ranks, make, reporter)
    except BaseException as error:
        ranks.is_busy = True
        if is_lost(error):  # the first process has ended, and says why
            return
        ranks.report(error)
        raise


def _help_first(ranks: Ranks, make: Make, reporter: Reporter) -> None:
    with ExitStack() as opened:
        while (order := ranks.receive()).kind != END:
            if order.kind == BEGIN:
                opened.close()  # a training may have several parts
                recipe = json.loads(ranks.receive_text(order))
                if recipe["version"] != version():
                    raise UserError(
                        "The first process of this run has version {first}, another one {own}.",
                        "Install the same version on all computers.",
                        recipe["version"],
                        version(),
                    )
                method, context = make(recipe, ranks)
                ranks.share_state(method.network)
                opened.enter_context(context)
                continue
            images = ranks.receive_rows(order, next(method.network.parameters()).device)
            if order.kind == TRY:
                ranks.largest(rehearse(method, images, order.size))
                continue
            method.network.zero_grad(set_to_none=True)
            ranks.share_weights(method.network)
            carry_back(method, images, order.size, ranks.exchange, ranks, order.shape[0])
            ranks.add_gradients(method.network)
            ranks.largest(int(reporter.stop_requested))
