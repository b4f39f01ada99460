"""A calculator whose inputs are choices: its fields, its formula and its reference.

Texts are English, as in reports; the window translates them where it shows them.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from wce_desktop.core.annotation.report_part import PartKind


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a field, with the points that the publication gives it."""

    name: str
    title: str
    points: int


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a calculator.

    Args:
        key: its name in the stored inputs.
        title: the question as the screen shows it.
        choices: the answers; the first is the one without points where there is such an answer.
        group: fields with the same group stand together ("First tertile").
        depends_on: key of a field without whose points this one has no meaning ("Largest ulcer" without ulcers).
    """

    key: str
    title: str
    choices: tuple[Choice, ...]
    group: str = ""
    depends_on: str = ""

    @property
    def named(self) -> str:
        """With its group: "First tertile: Villous appearance"."""
        return f"{self.group}: {self.title}" if self.group else self.title

    def chosen(self, content: Mapping[str, Any]) -> Choice | None:
        """The answer in stored inputs; None where nothing was entered.

        Raises:
            ValueError: it is none of the choices.
        """
        if self.key not in content:
            return None
        result = next((choice for choice in self.choices if choice.name == content[self.key]), None)
        if result is None:
            raise ValueError(f"{self.title} cannot be {content[self.key]!r}")
        return result


@dataclass(frozen=True, slots=True)
class Result:
    """A computed score.

    Attributes:
        kind: of the part that it was computed from.
        title: name of the score.
        value: the figure, as it is shown.
        meaning: what the publication says of this figure, with `{names}`; empty if it says nothing.
        inputs: each input that has a meaning, in words, and what was entered.
        formula_text: how the figure follows from the inputs, with `{names}` where it has words.
        source: the publication.
        is_adequate: whether the preparation was adequate; None for scores that do not say.
        numbers: what the names in formula and meaning stand for.
    """

    kind: PartKind
    value: str
    meaning: str
    formula_text: str
    is_adequate: bool | None = None
    numbers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    title: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    source: str = ""

    @property
    def formula(self) -> str:
        """How the figure follows from the inputs, with the numbers."""
        return self.formula_text.format(**self.numbers)


Points = Mapping[str, int]
"""key of a field -> points of its answer."""


@dataclass(frozen=True, slots=True)
class Calculator:
    """A score of choices.

    Args:
        compute: the score from the points of all fields, yet without title, inputs and source.
        about: how to divide the bowel and what else a reader must know, in a sentence.
        has_nothing: whether a group may be answered with "nothing seen": the first choice of each of its fields.
    """

    kind: PartKind
    title: str
    fields: tuple[Field, ...]
    compute: Callable[[Points], Result]
    source: str
    about: str
    has_nothing: bool = False

    def asked(self, content: Mapping[str, Any]) -> tuple[Field, ...]:
        """The fields that have a meaning: those that depend on another one only where that has points.

        Raises:
            ValueError: an answer is none of the choices.
        """
        chosen = {field.key: field.chosen(content) for field in self.fields}
        points = {key: 0 if choice is None else choice.points for key, choice in chosen.items()}
        return tuple(field for field in self.fields if not field.depends_on or points[field.depends_on])

    def missing(self, content: Mapping[str, Any]) -> tuple[Field, ...]:
        """The fields that still have to be entered, normal ones too; raises as `asked`."""
        return tuple(field for field in self.asked(content) if field.chosen(content) is None)

    def result(self, content: Mapping[str, Any]) -> Result | None:
        """The score of stored inputs; None until all that has a meaning was entered.

        Raises:
            ValueError: an answer is none of the choices.
        """
        if self.missing(content):
            return None
        chosen = {field.key: field.chosen(content) or field.choices[0] for field in self.fields}
        points = {key: choice.points for key, choice in chosen.items()}
        inputs = tuple((field.named, chosen[field.key].title) for field in self.asked(content))
        return replace(self.compute(points), title=self.title, inputs=inputs, source=self.source)
