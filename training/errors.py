"""Errors that are meant for a person: one sentence, and what to do about it."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from training.texts import Text, formats_in, join_texts, values_by_name

_OS_ERROR = re.compile(r"\(os error (\d{1,4})\)")
"""As libraries written in Rust name errors of the system."""


class UserError(Exception):
    """Something the user can understand and mend; anything else that is raised is a bug.

    Args:
        message: one sentence that names the thing concerned (the file, the frame, the setting).
        hint: what to do next; may be empty.
        given: the values of `{names}` in both, in their order; without values these are finished texts.
    """

    def __init__(self, message: str, hint: str = "", /, *given: object) -> None:
        values = values_by_name((message, hint), given)
        self.message, self.hint = (_filled(text, values) for text in (message, hint))
        super().__init__(self.message)

    def __str__(self) -> str:
        return join_texts(" ", (self.message, self.hint))


def _filled(text: str, values: Mapping[str, object]) -> str:
    return Text(text, *(values[name] for name in formats_in(text))) if values else text


class NothingToDoError(UserError):
    """What was asked for does not apply to what is on screen: shown as a remark, since nothing went wrong."""


def reason_of(error: Exception) -> str:
    """What the system says of an error, also of one that a library has wrapped in words of its own."""
    each: BaseException | None = error
    while each is not None:
        if isinstance(each, OSError) and each.strerror:
            return Text(each.strerror)
        if (number := _OS_ERROR.search(str(each))) is not None:
            return Text(os.strerror(int(number[1])))
        each = each.__cause__ or each.__context__
    return type(error).__name__


def not_written(
    path: Path, error: Exception, hint: str = "Choose another folder, or free some disk space."
) -> UserError:
    """The error for a file or folder that cannot be written."""
    return UserError("{path} cannot be written ({reason}).", hint, path, reason_of(error))


@contextmanager
def writing(path: Path, *others: type[Exception], is_run: bool = False, hint: str = "") -> Iterator[None]:
    """Turn an error of the system, or one of the `others`, into `not_written`; `is_run`: it can be resumed."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, (OSError, *others)):
            raise
        if is_run:
            raise not_written(path, error, "Free some disk space and resume the run.") from error
        raise (not_written(path, error, hint) if hint else not_written(path, error)) from error


TRAINING_PACKAGES = ("torch", "matplotlib")
"""Those of the extra `training` that are imported wherever they are needed; the weights' package is looked for."""


def not_in_reading_edition(error: BaseException) -> UserError | None:
    """What to say where a package of the training edition is not installed; None for any other error."""
    if not isinstance(error, ModuleNotFoundError) or (error.name or "").partition(".")[0] not in TRAINING_PACKAGES:
        return None
    return UserError(
        "This needs PyTorch, which is not part of the reading edition.",
        "Install the full edition."
        if getattr(sys, "frozen", False)
        else "Install the training edition: pip install 'wce-desktop[training]'.",
    )
