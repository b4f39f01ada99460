"""What a data set's labels mean in our terms, counted: nothing is dropped without being said.

The one vocabulary: which of our terms a public data set's own class name stands for (`resources/labels`).
"""

import difflib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from training.datasets.public.layout import PublishedImage, PublishedSet
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
        name = self.published.get(plain) or next((term for term in self.terms if _plain(term) == plain), None)
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


_WINS: tuple[Kind, ...] = ("finding", "landmark", "view", "normal")
"""Which kind names an image that has labels of several kinds."""


@dataclass(frozen=True)
class Contents:
    """The images of a set that are wanted, and the term of each label."""

    images: tuple[PublishedImage, ...]
    terms: dict[str, str]
    """Published label -> term; a label without a term is missing here."""
    left_out: Counter[str]
    """Term -> images that carry only terms that were not asked for."""
    counts: Counter[str]
    """Published label -> images, of the whole set."""
    kinds: dict[str, Kind]
    """Term -> kind."""

    @property
    def unknown(self) -> tuple[str, ...]:
        """Labels that no term stands for, in order of appearance."""
        return tuple(label for label in self.counts if label not in self.terms)

    def of(self, image: PublishedImage) -> tuple[str, ...]:
        """The terms of an image, each once; "normal" only where nothing was found."""
        names = dict.fromkeys(self.terms[label] for label in image.labels if label in self.terms)
        result = [name for name in names if self.kinds[name] != "normal"]
        return tuple(result if any(self.kinds[name] == "finding" for name in names) else names)

    def main_terms(self, image: PublishedImage) -> tuple[str, ...]:
        """The terms by which an image is classified (ours): its findings; else its landmarks; else its views."""
        terms = self.of(image)
        kind = min((self.kinds[name] for name in terms), key=_WINS.index, default="normal")
        return tuple(name for name in terms if self.kinds[name] == kind)


def contents(
    found: PublishedSet,
    vocabulary: Vocabulary,
    classes: Sequence[str] = (),
    kinds: Sequence[Kind] = (),
    without: Sequence[str] = (),
) -> Contents:
    """Look up every label of a set.

    Args:
        found: the set.
        vocabulary: with the set's own names.
        classes: terms to keep; empty: all. Images that carry none of them are left out, and counted.
        kinds: instead of `classes`: keep all terms of these kinds.
        without: published labels whose images are left out, and counted, whatever their terms.

    Raises:
        UserError: one of `classes` is no term, or no image has it.
    """
    counts = Counter(label for image in found.images for label in image.labels)
    every = dict.fromkeys([*counts, *found.missing_labels])
    known = {label: term for label in every if (term := vocabulary.of(label)) is not None}
    names = {label: term.name for label, term in known.items()}
    kind_of = {term.name: term.kind for term in known.values()}
    _check_classes(classes, vocabulary, set(names.values()))
    classes = classes or [name for name, kind in kind_of.items() if kind in kinds or (without and not kinds)]
    everything = Contents(found.images, names, Counter(), counts, kind_of)
    if not classes and not without:
        return everything
    kept, left_out = [], Counter[str]()
    for image in found.images:
        terms = everything.of(image)
        if any(term in classes for term in terms) and not set(without) & set(image.labels):
            kept.append(image)
        else:
            left_out.update(terms or ("(no label)",))
    wanted = {label: term for label, term in names.items() if term in classes and label not in without}
    counted = {label: count for label, count in counts.items() if label in wanted or label not in names}
    return Contents(tuple(kept), wanted, left_out, Counter(counted), kind_of)


def _check_classes(classes: Sequence[str], vocabulary: Vocabulary, there: set[str]) -> None:
    for name in classes:
        if name not in vocabulary.terms:
            raise UserError(f"There is no class {name!r}.", f"There are: {', '.join(vocabulary.terms)}.")
        if name not in there:
            raise UserError(f"No image of this data set is labelled {name}.", f"It has: {', '.join(sorted(there))}.")


PRESETS: dict[str, dict[str, object]] = {
    "osf-kvasir-7": {"classes": ("angiectasia", "blood", "erosion", "erythema", "lymphangiectasia", "polyp", "ulcer")},
    "fs-kid": {"kinds": ("finding",)},
    "fs-kid2": {
        "classes": ("inflammation", "normal", "polyp", "vascular lesion"),
        "without": ("normal-esophagus", "normal-stomach"),
    },
}
"""The selections of classes that Vats et al. 2022 evaluate on (Table 1), as settings of `datasets export`.

OSF-Kvasir keeps seven of Kvasir-Capsule's 14 classes: without the six that are no pathology (normal mucosa, reduced
view, foreign body, and the landmarks pylorus, ileocecal valve and ampulla of Vater) and without hematin. The paper's
text calls one of them lymphangiectasia, its Table 1 lymphoid hyperplasia. FS-KID has all kinds of findings of KID 1.
FS-KID2 has four classes of KID 2: without the ampulla of Vater and the normal images of oesophagus and stomach. The
paper balances its classes by leaving out images; which ones it does not say (and 142 images, its Table 1, are more than
four times the 17 to 22 of its text), so all of them stay here.
"""
