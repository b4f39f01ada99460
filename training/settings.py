"""What all classes of settings share: every value is checked when it is given, and errors become one sentence."""

import math
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo

from training.errors import UserError
from training.texts import Text, formats_in

MAX_TEXT = 4096
"""Characters of a text, bytes of a path: what the system takes as a path."""
MAX_NUMBER = 2**31 - 1
"""Of any setting, unless its field says less: frames, steps, seconds, rates; none is meant to come near."""
MAX_THREADS = 1024
MAX_NAMES = 1000
"""Of the values of one object."""
_SHOWN = 60

_Item = TypeVar("_Item")
Items = Annotated[tuple[_Item, ...], FailFast()]
"""A list from elsewhere: checked up to its first bad item, as pydantic otherwise keeps an error for each."""


class Checked(BaseModel):
    """Values from outside: frozen, no unknown names, finite numbers, texts and paths that the system can take."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=(), allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _check_names(cls, values: Any) -> Any:
        """Pydantic keeps an error for each unknown name."""
        if isinstance(values, Mapping) and len(values) > MAX_NAMES:
            raise ValueError(Text("there are more than {max_names:,} values", MAX_NAMES))
        return values

    @field_validator("*", mode="after")
    @classmethod
    def _check_value(cls, value: Any) -> Any:
        """Nested values too, which have no type of their own (further settings as JSON)."""
        check_value(value)
        return value


@dataclass(frozen=True)
class Only:
    """Declares which settings have an effect only with certain values of another one."""

    names: str
    """The settings, separated by commas."""
    beside: str
    """The other setting."""
    values: Collection[object] = ()
    """What the other setting, or one of its items (up to a colon), is then; empty: anything but empty."""
    words: str = ""
    """What these values are; empty: the sentence lists them."""

    def check(self, name: str, settings: "Settings") -> None:
        """Raise ValueError where the setting has no effect."""
        value = getattr(settings, self.beside)
        items = [each.partition(":")[0] for each in value] if isinstance(value, tuple) else [value]
        if bool(value) if not self.values else any(each in self.values for each in items):
            return
        if not self.values:
            raise ValueError(Text("the setting {name} belongs to {other}, which is not given", name, self.beside))
        if not any(self.values):
            raise ValueError(Text("the setting {name} has no effect with {other}", name, self.beside))
        words = self.words or f"{self.beside}={' or '.join(map(str, self.values))}"
        shown = shortened(",".join(map(str, items)))
        raise ValueError(
            Text("the setting {name} belongs to {words}, not to {other}={value}", name, words, self.beside, shown)
        )


class Settings(Checked):
    """The settings of a command; `~` at the start of a path is the home folder."""

    what: ClassVar[str] = "setting"
    """What one of them is called in an error."""
    only: ClassVar[tuple[Only, ...]] = ()
    """Which settings depend on others; a subclass adds to those of its bases."""

    @classmethod
    def checked(cls, **fields: Any) -> Self:
        """The settings; raises `UserError` describing the first invalid one."""
        try:
            return cls(**fields)
        except ValidationError as error:
            raise UserError(error_sentence(error, cls.what)) from error

    @classmethod
    def every_field(cls) -> Mapping[str, FieldInfo]:
        """Every setting that can be given, whatever the others are."""
        return cls.model_fields

    @classmethod
    def stored(cls, **fields: Any) -> Self:
        """The settings of a file, which an older version may have written."""
        return cls(**fields)

    @classmethod
    def every_only(cls) -> Iterator[Only]:
        """The declarations of this class and its bases."""
        for base in cls.__mro__:
            yield from base.__dict__.get("only", ())

    def inner(self) -> Iterable[tuple[str, Mapping[str, Any]]]:
        """Command and given settings of each training inside this one, so that they are checked before any work."""
        return ()

    def check_used(self, names: Collection[str]) -> None:
        """Raise ValueError for the first of these settings that has no effect beside the others.

        Not a validator: what a person typed is checked, and not what presets and callers fill in for several cases.
        """
        for only in self.every_only():
            for name in only.names.split(","):
                if name in names:
                    only.check(name, self)

    def refuse_unused(self, names: Collection[str]) -> None:
        """As `check_used`; raises `UserError`."""
        try:
            self.check_used(names)
        except ValueError as error:
            sentence = Text("{said}.", Text(str(error)).with_initial(str.upper))
            raise UserError(sentence, "Leave it out, or choose what it belongs to.") from error

    @field_validator("*", mode="after")
    @classmethod
    def _expand_home(cls, value: Any) -> Any:
        if isinstance(value, Path):
            return value.expanduser() if value.parts[:1] == ("~",) else value
        if isinstance(value, tuple):
            return tuple(cls._expand_home(each) for each in value) if any(isinstance(v, Path) for v in value) else value
        return value


class Choice:
    """Marks a text setting whose values are the keys of a registry; `names` lists them.

    With `others`, which lists further values, the setting also takes values in no list; `is_open` is then True.
    """

    def __init__(self, registry: Mapping[str, object], others: Callable[[], Iterable[str]] | None = None) -> None:
        self._registry, self._others = registry, others
        self.is_open = others is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The values that can be chosen."""
        return tuple(dict.fromkeys((*self._registry, *(self._others() if self._others else ()))))


def check_value(value: Any) -> None:
    """Check a value, and whatever it holds.

    Raises:
        ValueError: a number that is not finite or beyond `MAX_NUMBER`, a text with control characters or too long, a
            path that the system cannot take.
    """
    for each in _parts(value):
        if isinstance(each, float) and not math.isfinite(each):
            raise ValueError("a number must be finite")
        if isinstance(each, int | float) and abs(each) > MAX_NUMBER:
            raise ValueError(Text("a number is at most {max_number:,}", MAX_NUMBER))
        if isinstance(each, str):
            _check_text(each)
        elif isinstance(each, Path):
            _check_path(each)


def preset_values(presets: Mapping[str, Mapping[str, Any]], name: Any) -> Mapping[str, Any]:
    """What a preset fills in; raises ValueError where there is none of this name."""
    if not isinstance(name, str) or name not in presets:
        raise ValueError(
            Text("the preset {name} is unknown; there are {presets}", shortened(repr(name)), ", ".join(presets))
        )
    return presets[name]


def error_sentence(error: ValidationError, what: str = "setting") -> str:
    """The first thing that is wrong, in one sentence that names the setting and its value.

    Args:
        error: of pydantic.
        what: what a value is called: "fine-tuning setting" or the like.
    """
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    said = what_is_wrong(first).with_initial(str.lower)
    if not where:  # of several settings together
        return (
            Text("{said}.", said.with_initial(str.upper))
            if what == "setting"
            else Text("The {what}s cannot be used: {said}.", Text(what), said)
        )
    if isinstance(first["input"], str | int | float):
        result = shortened(repr(first["input"]))
        return Text(
            "The {what} {where} cannot be used: {said} (it is {found}).", Text(what), shortened(where), said, result
        )
    return Text("The {what} {where} cannot be used: {said}.", Text(what), shortened(where), said)


_PYDANTIC = {
    "greater_than": "input should be greater than {gt}",
    "greater_than_equal": "input should be greater than or equal to {ge}",
    "less_than": "input should be less than {lt}",
    "less_than_equal": "input should be less than or equal to {le}",
    "int_type": "input should be a valid integer",
    "int_parsing": "input should be a valid integer, unable to parse string as an integer",
    "int_from_float": "input should be a valid integer, got a number with a fractional part",
    "float_type": "input should be a valid number",
    "float_parsing": "input should be a valid number, unable to parse string as a number",
    "finite_number": "input should be a finite number",
    "string_type": "input should be a valid string",
    "bool_type": "input should be a valid boolean",
    "bool_parsing": "input should be a valid boolean, unable to interpret input",
    "tuple_type": "input should be a valid tuple",
    "dict_type": "input should be a valid dictionary",
    "literal_error": "input should be {expected}",
    "string_too_short": "string should have at least {min_length} characters",
    "string_too_long": "string should have at most {max_length} characters",
    "string_pattern_mismatch": "string should match pattern {pattern}",
    "missing": "field required",
    "extra_forbidden": "extra inputs are not permitted",
}
"""What pydantic says of values that people give, by its names of errors."""


def what_is_wrong(error: Mapping[str, object]) -> Text:
    """What is wrong with a value, by one of pydantic's errors: what a validator of ours said, or pydantic."""
    context, message = error.get("ctx"), str(error["msg"])
    values: dict[str, Any] = dict(context) if isinstance(context, Mapping) else {}
    if isinstance(raised := values.get("error"), ValueError):
        return Text(str(raised))
    values["pattern"] = repr(values.get("pattern"))
    template = _PYDANTIC.get(str(error["type"]), "")
    with suppress(KeyError):
        said = Text(template, *(values[name] for name in formats_in(template))).with_initial(str.upper)
        if said == message:
            return said
    return Text(message)


def first_wrong(error: ValidationError, whole: str) -> tuple[str, Text]:
    """The field of pydantic's first error, or `whole` where it is of none, and what is wrong with it."""
    first = error.errors()[0]
    return shortened(".".join(map(str, first["loc"]))) or whole, what_is_wrong(first)


def shortened(text: str) -> str:
    """A text that fits into a sentence: short, and what cannot be printed is replaced."""
    printable = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text[:_SHOWN]
    )
    return printable if len(text) <= _SHOWN else f"{printable}…"


def _parts(value: Any) -> Iterator[Any]:
    """The value and all that it holds, without recursion."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        yield each
        if isinstance(each, Mapping):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple | set | frozenset):
            waiting += each


def _check_text(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise ValueError(Text("a text has at most {max_text:,} characters", MAX_TEXT))
    if any(ord(character) < 32 or ord(character) == 127 or 0xD800 <= ord(character) <= 0xDFFF for character in text):
        raise ValueError("a text has no control characters")


def _check_path(path: Path) -> None:
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError as error:
        raise ValueError("the path has characters that are not allowed in file names") from error
    if b"\0" in encoded or len(encoded) > MAX_TEXT:
        raise ValueError(Text("a path has at most {max_text:,} bytes, and no null byte among them", MAX_TEXT))
