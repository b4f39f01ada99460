"""One published method per file: name, settings, views, loss and texts; listed in `registry`. No torch on import."""

import importlib
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from training.losses.terms import Losses
    from training.methods.method import FinetuneMethod, Method
    from training.settings import Settings

__all__ = ["FinetuneMethod", "Losses", "Settings", "register_method"]

_HOMES = {"FinetuneMethod": "methods.method", "Losses": "losses.terms", "Settings": "settings"}
"""Public name -> the module in `training` that defines it; imported when first used."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'training.methods' has no attribute {name!r}")
    return getattr(importlib.import_module(f"training.{_HOMES[name]}"), name)


M = TypeVar("M", bound="type[Method]")


def register_method(method: M) -> M:
    """Add a method of one's own, so that `finetune(method=...)`, the command line and evaluations know it by its name.

    Usable as a decorator. It lasts for this process: import the module that registers it before the method is used.

    Args:
        method: a subclass of `FinetuneMethod` or of a pretraining method, with a `name`; `title` and `sentence` are the
            name where it has none. A class of the same name in the same place takes the place of the earlier one.

    Returns:
        The class.

    Raises:
        TypeError: it is no class of a method, or lacks a name.
        ValueError: another method has this name.
    """
    from training.methods.registry import add_method

    add_method(method)
    return method
