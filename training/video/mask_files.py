"""Which images of a folder are masks of others: by their names, and where names do not tell by their content."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

_MASK_WORDS = frozenset(
    {"mask", "masks", "msk", "maske", "masken", "labelmap", "trimap", "gt", "groundtruth", "truth", "seg", "segm"}
    | {"segmentation", "segmentations", "annotation", "annotations", "annot", "label", "labels"}
)
_JOINED_WORDS = ("mask", "groundtruth", "segmentation")
"""Those that need no separator before or after them."""
_NO_WORDS = frozenset({"ground", "binary"})
"""Words that only come with those of a mask."""
_PICTURE_WORDS = frozenset({"image", "images", "img", "rgb", "frame", "frames", "orig", "original", "raw", "photo"})
"""Words that say that it is none."""

Read: TypeAlias = Callable[[Path], NDArray[np.uint8] | None]

_MAX_SAMPLES = 8
_MAX_ROLES = 24
_MAX_VALUES = 32
_LONGEST_MARK = 24
_NEAR_BLACK_OR_WHITE = 24
_SHARE_BLACK_OR_WHITE = 0.97


def masks_among(folder: Path, names: Collection[str], read: Read) -> set[str]:
    """The images of a folder that are masks of others in it.

    An image is one where its name is that of another with a word such as `mask` or `gt` added or put in the place of a
    word, and, where a whole group of names goes with others in another way (`0001m.png`, or the same name with another
    suffix), where images of that group hold a few grey values and their partners do not.

    Args:
        read: reads one as (H, W, 3) uint8 RGB; None for one that cannot be read.
    """
    names = sorted(names)
    if len({_template(name) for name in names}) < 2:
        return set()  # most folders
    worded = {name for name in names if _without_mask_words(name) is not None}
    others = [name for name in names if name not in worded]
    bases = {_base(name) for name in others}
    paired = {name for name in worded if _without_mask_words(name) in bases}
    masks = set(worded) if others and len(paired) * 2 >= len(worded) else paired
    left = [name for name in names if name not in masks]
    for group, partners in _groups(left):
        if not masks.intersection((*group, *partners)) and _are_masks(folder, group, partners, read):
            masks.update(group)
    return masks


def base_name(name: str) -> str:
    """The name of an image without suffix, separators, and words that say that it is a mask or a picture."""
    without = _without_mask_words(name)
    return _base(name) if without is None else without


def has_mask_word(name: str) -> bool:
    """Whether a name says that it is a mask, or a folder of masks."""
    return _without_mask_words(name) is not None


def _words(stem: str) -> list[str]:
    return [part for part in re.split(r"([a-z]+)", re.sub(r"([a-z])([A-Z])", r"\1_\2", stem).casefold()) if part]


def _without_mask_words(name: str) -> str | None:
    """The name without the words of a mask, as `_base` writes names; None where it has none."""
    words = _words(Path(name).stem)
    kept = [word for word in words if word not in _MASK_WORDS]
    if len(kept) == len(words):
        joined = [
            (word, mark) for word in words for mark in _JOINED_WORDS if word.endswith(mark) or word.startswith(mark)
        ]
        if not joined:
            return None
        word, mark = joined[0]
        kept = [part.replace(mark, "") if part == word else part for part in words]
    return _plain(word for word in kept if word not in _NO_WORDS)


def _base(name: str) -> str:
    return _plain(_words(Path(name).stem))


def _plain(words: Iterable[str]) -> str:
    """Letters and digits alone, so that separators do not count, without words that say that it is a picture."""
    return "".join(c for word in words if word not in _PICTURE_WORDS for c in word if c.isalnum())


def _template(name: str) -> str:
    return re.sub("[0-9]+", "#", name.casefold())


def _groups(names: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Groups of images that go with others in one way, and their partners; the larger groups first."""
    by_stem: dict[str, list[str]] = defaultdict(list)
    for name in names:
        by_stem[Path(name).stem.casefold()].append(name)
    roles: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for stem, same in by_stem.items():
        for name in same if len(same) > 1 else ():
            other = next(other for other in same if other != name)
            roles["suffix", Path(name).suffix.casefold()][name] = other
        for role, partner in _longer_than(stem, by_stem):
            for name in same:
                roles[role].setdefault(name, by_stem[partner][0])
    templates: dict[str, dict[tuple[int, ...], str]] = defaultdict(dict)
    for name in names:
        if numbers := tuple(map(int, re.findall(r"[0-9]+", Path(name).stem))):
            templates[_template(name)].setdefault(numbers, name)
    if 1 < len(templates) <= _MAX_ROLES:
        for template, own in templates.items():
            for other, theirs in templates.items():
                both = own.keys() & theirs.keys() if other != template else ()
                if both and len(both) * 2 >= len(own):
                    roles["template", template].update({own[numbers]: theirs[numbers] for numbers in both})
                    break
    largest = sorted(roles.values(), key=len, reverse=True)[:_MAX_ROLES]
    return [(list(pairs), list(pairs.values())) for pairs in largest]


def _longer_than(stem: str, stems: Mapping[str, object]) -> list[tuple[tuple[str, str], str]]:
    """The ways in which a name is another one with a mark at its end or beginning."""
    result = []
    for kind in ("tail", "head"):
        for length in range(1, min(_LONGEST_MARK, len(stem) - 1) + 1):
            at = -length if kind == "tail" else length
            first, last = stem[:at], stem[at:]
            mark, rest, next_character = (last, first, last[0]) if kind == "tail" else (first, last, first[-1])
            if next_character.isdigit():
                break
            if rest in stems:
                result.append(((kind, mark), rest))
    return result


def _samples(names: Sequence[str]) -> list[str]:
    places = np.unique(np.linspace(0, len(names) - 1, _MAX_SAMPLES).round().astype(int)).tolist() if names else []
    return [names[place] for place in places]


def _are_masks(folder: Path, names: Sequence[str], partners: Sequence[str], read: Read) -> bool:
    if not all(_is_mask(read(folder / name)) for name in _samples(names)):
        return False
    others = [_is_mask(read(folder / name)) for name in _samples(partners)]
    return others.count(False) * 2 > len(others)  # a black frame among them does not count


def _is_mask(picture: NDArray[np.uint8] | None) -> bool | None:
    """Whether an image holds what masks hold: few grey values, or nearly all of it black or white; None: unreadable."""
    if picture is None:
        return None
    grey: NDArray[np.uint8] = picture[..., 0]
    spread = picture.max(axis=2).astype(np.int16) - picture.min(axis=2)
    if (spread > _NEAR_BLACK_OR_WHITE).mean() > 1 - _SHARE_BLACK_OR_WHITE:
        return False
    is_near = (grey <= _NEAR_BLACK_OR_WHITE) | (grey >= 255 - _NEAR_BLACK_OR_WHITE)
    return bool(len(np.unique(grey)) <= _MAX_VALUES or is_near.mean() >= _SHARE_BLACK_OR_WHITE)
