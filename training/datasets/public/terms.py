"""The one vocabulary: which of our terms a public data set's own class name stands for (`resources/labels`)."""

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from training.errors import UserError
from training.files.inputs import resources_folder

Kind = Literal["finding", "landmark", "view", "normal"]


class Term(BaseModel):
    """A class of the vocabulary.

    `kind`: what is found, a landmark, how well one sees, or none; `standard`: where term and heading come from.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    term: str
    heading: str
    kind: Kind
    standard: Literal["MST 3.0", "CEST", "ours"]


@dataclass(frozen=True)
class Vocabulary:
    """The terms by name, and what a data set's labels stand for."""

    terms: Mapping[str, Term]
    published: Mapping[str, str]
    """A set's label in lower case, `_` and `-` as blanks -> name of a term."""

    def of(self, label: str) -> Term | None:
        """The term that a set's label stands for: its own spelling, or a term's name itself; None for a stranger."""
        plain = _plain(label)
        name = self.published.get(plain) or next((known for known in self.terms if _plain(known) == plain), None)
        return self.terms[name] if name else None

    def nearest(self, label: str) -> str:
        """A hint for a label that no term stands for."""
        near = difflib.get_close_matches(label.lower(), self.terms, n=2, cutoff=0.5)
        return f"Did you mean {' or '.join(near)}? " if near else ""


def vocabulary(data_set: str, also: Mapping[str, str] | None = None) -> Vocabulary:
    """The vocabulary with a data set's own names.

    Args:
        data_set: name of a file in `resources/labels/published`.
        also: further names -> terms, which win over the file's.

    Raises:
        UserError: `also` names something that is no term.
    """
    folder = labels_folder()
    listed = json.loads((folder / "terms.json").read_text(encoding="utf-8"))["terms"]
    terms = {term.name: term for term in TypeAdapter(list[Term]).validate_python(listed)}
    given = json.loads((folder / "published" / f"{data_set}.json").read_text(encoding="utf-8"))["labels"]
    for label, name in (also or {}).items():
        if name not in terms:
            raise UserError(f"{label} cannot be {name!r}: there is no such term.", f"There are: {', '.join(terms)}.")
    return Vocabulary(terms, {_plain(label): name for label, name in {**given, **(also or {})}.items()})


def term_names() -> tuple[str, ...]:
    """Names of all terms, in the order of the file."""
    document = json.loads((labels_folder() / "terms.json").read_text(encoding="utf-8"))
    return tuple(term["name"] for term in document["terms"])


def _plain(label: str) -> str:
    return " ".join(label.lower().replace("_", " ").replace("-", " ").split())


def labels_folder(beside: Path | None = None) -> Path:
    """`resources/labels`; see `resources_folder`, which raises `FileNotFoundError`."""
    folder = resources_folder("labels/terms.json") if beside is None else resources_folder("labels/terms.json", beside)
    return folder / "labels"
