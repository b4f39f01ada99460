"""What a data set's labels mean in our terms, counted: nothing is dropped without being said."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from training.datasets.public.layout import PublishedImage, PublishedSet
from training.datasets.public.terms import Kind, Vocabulary
from training.errors import UserError

_WINS: tuple[Kind, ...] = ("finding", "landmark", "view", "normal")
"""Which kind names an image that has several labels, where a table has room for one."""


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
        found = [name for name in names if self.kinds[name] != "normal"]
        return tuple(found if any(self.kinds[name] == "finding" for name in names) else names)

    def one_of(self, image: PublishedImage, term_counts: Counter[str]) -> str:
        """The one term that names an image: a finding before a landmark before a view, then the rarest (ours)."""
        return min(self.of(image), key=lambda name: (_WINS.index(self.kinds[name]), term_counts[name], name))


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
    return Contents(tuple(kept), wanted, left_out, _without(counts, names, wanted), kind_of)


def _without(counts: Counter[str], names: dict[str, str], wanted: dict[str, str]) -> Counter[str]:
    """Counts of the labels that are wanted or unknown."""
    return Counter({label: count for label, count in counts.items() if label in wanted or label not in names})


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
