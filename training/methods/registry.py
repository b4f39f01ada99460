"""All methods by name."""

import logging
from functools import partial
from importlib.metadata import EntryPoint, entry_points

from training.methods.colo_scrl import ColoScrl
from training.methods.method import FinetuneMethod, Method
from training.methods.own_loss import Loss, loss_method
from training.methods.pgcon import PgCon, WinCon
from training.methods.pirl import Pirl
from training.methods.pretrain_method import PretrainMethod
from training.methods.simclr import SimClr
from training.methods.time_triplet import TimeTriplet
from training.methods.tl_ba import CrossEntropy, TripletBatchAll, TripletBatchHard
from training.methods.videomae import VideoMae

PRETRAINING: dict[str, type[PretrainMethod]] = {
    method.name: method for method in (TimeTriplet, SimClr, PgCon, WinCon, Pirl, VideoMae, ColoScrl)
}
"""In the window's order; the first one is the default."""
FRAME_PRETRAINING: dict[str, type[PretrainMethod]] = {
    name: method for name, method in PRETRAINING.items() if not method.encodes_clips
}
"""Those that train a network of single frames, which a fine-tuning can start from."""
FINETUNING: dict[str, type[FinetuneMethod]] = {
    method.name: method for method in (TripletBatchAll, TripletBatchHard, CrossEntropy)
}
"""In the window's order; the first one is the default."""


def add_method(method: type[Method]) -> None:
    """Add a method to the registry it belongs to; see `training.methods.register_method`."""
    if not isinstance(method, type) or not issubclass(method, FinetuneMethod | PretrainMethod):
        raise TypeError(f"method must be a subclass of FinetuneMethod or PretrainMethod, not {method!r}")
    if not isinstance(getattr(method, "name", None), str) or not method.name:
        raise TypeError(f"{method.__name__} needs a name, a text in its class attribute `name`")
    for attribute in ("title", "sentence"):
        if not hasattr(method, attribute):
            setattr(method, attribute, method.name)
    others: dict[str, type[Method]] = {**PRETRAINING, **FINETUNING}
    if others.get(method.name, method).__qualname__ != method.__qualname__:
        raise ValueError(f"there is already a method {method.name!r}; give {method.__name__} another name")
    if issubclass(method, FinetuneMethod):
        FINETUNING[method.name] = method
        return
    PRETRAINING[method.name] = method
    if not method.encodes_clips:
        FRAME_PRETRAINING[method.name] = method


OTHER_TITLES = {"intrator": "Re-identification (Intrator 2023)", "graph": "Classifier of another program"}
"""Of methods that have a training of their own."""


def method_title(name: str) -> str:
    """What the screen calls a method; the name itself, without hyphens, for one that is not among these."""
    known: dict[str, type[PretrainMethod] | type[FinetuneMethod]] = {**PRETRAINING, **FINETUNING}
    return known[name].title if name in known else OTHER_TITLES.get(name, name.replace("-", " ").replace("_", " "))


def _add_installed() -> None:
    """Add what installed packages bring: methods by entry points of the group `wce_desktop.methods`, and losses, each a
    method of its name, by those of `wce_desktop.losses`, which name what makes the loss and are loaded when it trains.
    """
    for entry in [*entry_points(group="wce_desktop.methods"), *entry_points(group="wce_desktop.losses")]:
        try:
            is_loss = entry.group == "wce_desktop.losses"
            add_method(loss_method(entry.name, partial(_made, entry)) if is_loss else entry.load())
        except Exception:  # a package that is broken must not keep the program from starting
            logging.getLogger(__name__).exception("%s of an installed package cannot be used", entry.name)


def _made(entry: EntryPoint) -> Loss:
    loss: Loss = entry.load()()
    return loss


_add_installed()
