"""The colouring of the points of a map, and the order in which they are painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core import format_time, number_text, to_translate, tr, tr_count
from wce_desktop.core.annotation import Region, Vocabulary

QUIET = "#6f7479"
OKABE_ITO = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#c8c8c8")
MANY_SHAPES = ("circle", "square", "triangle", "diamond", "star", "pentagon", "cross", "hexagon", "plus", "bar")
MOST_CATEGORIES = 127
MOST_NAMED = 24
"""Studies or patients with a colour of their own; the others share one."""
# Cividis (Nunez et al. 2018), made for colour-blind eyes, without its darkest end, which is invisible on a dark screen.
SEQUENCE = ("#2b4470", "#48566d", "#666970", "#7f7c75", "#9a9071", "#b7a567", "#d5bb57", "#fde737")


@dataclass(frozen=True, slots=True)
class Category:
    """One kind of points: what the legend says, and how they are drawn (`color` "#rrggbb", `shape` of the SHAPES)."""

    name: str
    title: str
    color: str
    shape: str

    @property
    def rgb(self) -> tuple[int, int, int]:
        """Red, green, blue in 0 to 255."""
        value = int(self.color[1:], 16)
        return value >> 16, value >> 8 & 255, value & 255


@dataclass(frozen=True, eq=False)
class Coloring:
    """A category for every point.

    Args:
        title: by what: "Label".
        categories: at most `MOST_CATEGORIES`, in the order of the legend.
        codes: (N,) uint8: row of `categories`.
        note: what must be known of the categories, or empty.
        is_mixed: categories are painted in mixed order; else the rare ones are painted on top.

    Raises:
        ValueError: for a code without a category, or too many categories.
    """

    title: str
    categories: tuple[Category, ...]
    codes: NDArray[np.uint8]
    is_mixed: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        if len(self.categories) > MOST_CATEGORIES:
            raise ValueError(f"{len(self.categories)} categories are more than {MOST_CATEGORIES}")
        if self.codes.dtype != np.uint8 or (len(self.codes) and int(self.codes.max()) >= len(self.categories)):
            raise ValueError("every point needs the uint8 code of a category")

    @property
    def counts(self) -> NDArray[np.int64]:
        """Points of each category."""
        return np.bincount(self.codes, minlength=len(self.categories))


def plain(count: int) -> Coloring:
    """One colour for all points, until a colouring is known."""
    return Coloring(tr("Frames"), (Category("", tr("Frames"), "#9aa0a6", "circle"),), np.zeros(count, dtype=np.uint8))


def by_label(names: Sequence[str], codes: NDArray[np.int16], vocabulary: Vocabulary) -> Coloring:
    """By label: `codes` (N,) are rows of `names`, -1 without a label; names in use are in the legend."""
    used = [name for at, name in enumerate(names) if (codes == at).any()]
    ordered = [name for name in vocabulary.names if name in used] + [n for n in used if n not in vocabulary]
    categories = [Category("", tr("Not labelled"), QUIET, "circle")]
    table = np.zeros(len(names) + 1, dtype=np.uint8)
    for number, name in enumerate(ordered, start=1):
        entry = vocabulary.of(name)
        categories.append(Category(name, entry.shown_title, entry.color, entry.shape))
        table[names.index(name)] = number
    return Coloring(tr("Label"), tuple(categories), table[codes])


def by_score(title: str, scores: NDArray[np.float32], threshold: float) -> Coloring:
    """By score (N,) in [0, 1], NaN without one, in tenths; from the threshold on (its tenth cut in two) a triangle.

    A score of exactly 1 belongs to the last tenth.
    """
    edges = np.unique(np.append(np.linspace(0.0, 1.0, 11), np.float64(threshold)).round(6))
    edges = edges[(edges > 0) & (edges < 1)]
    codes = (np.searchsorted(edges, scores.astype(np.float64).round(6), side="right") + 1).astype(np.uint8)
    codes[np.isnan(scores)] = 0
    categories = [Category("", tr("No score"), QUIET, "bar")]
    lows = np.concatenate(([0.0], edges))
    for low, high in zip(lows, np.concatenate((edges, [1.0])), strict=True):
        shape = "triangle" if low >= round(threshold, 6) else "circle"
        edge = {"low": number_text(low, ".2f"), "high": number_text(high, ".2f")}
        words = tr("{low} to {high}, flagged", **edge) if shape == "triangle" else tr("{low} to {high}", **edge)
        color = _from_sequence((low + high) / 2)
        categories.append(Category(f"{low:.2f}", words, color, shape))
    return _in_use(Coloring(title, tuple(categories), codes))


def by_name(title: str, names: Sequence[str], codes: NDArray[np.int32]) -> Coloring:
    """By study or patient: `codes` (N,) are rows of `names`; of many the largest have a colour and shape of their own.

    Colour and shape repeat at different paces, so that no two of the named share both.
    """
    counts = np.bincount(codes, minlength=len(names))
    named = sorted(np.argsort(-counts, kind="stable")[:MOST_NAMED].tolist(), key=lambda at: names[at])
    table = np.full(len(names), len(named), dtype=np.uint8)
    categories = []
    for number, at in enumerate(named):
        table[at] = number
        shape = MANY_SHAPES[(number + number // len(OKABE_ITO)) % len(MANY_SHAPES)]
        categories.append(Category(names[at], names[at], OKABE_ITO[number % len(OKABE_ITO)], shape))
    if len(names) > len(named):
        others = tr_count("{count} other", "{count} others", len(names) - len(named))
        categories.append(Category("", others, QUIET, "circle"))
    return Coloring(title, tuple(categories), table[codes], is_mixed=True)


def by_time(seconds: NDArray[np.float64], parts: int = len(SEQUENCE)) -> Coloring:
    """By time since the start of the video (N,), in equal parts up to the longest study's end."""
    last = float(seconds.max()) if len(seconds) else 0.0
    edges = np.linspace(0.0, max(last, 1e-6), parts + 1)
    codes = np.clip(np.searchsorted(edges, seconds, side="right") - 1, 0, parts - 1).astype(np.uint8)
    categories = tuple(
        Category(
            f"{low:.0f}",
            tr("{low} to {high}", low=format_time(low), high=format_time(high)),
            _from_sequence(number / max(parts - 1, 1)),
            "circle" if number % 2 == 0 else "square",
        )
        for number, (low, high) in enumerate(pairwise(edges.tolist()))
    )
    return Coloring(tr("Time"), categories, codes, is_mixed=True)


# No colour of a class: a point that is a stomach must not look like one that is a polyp.
REGIONS = (
    Category("", to_translate("No landmark before it"), QUIET, "circle"),
    Category(Region.OESOPHAGUS, to_translate("Oesophagus"), "#fadcfa", "pentagon"),
    Category(Region.STOMACH, to_translate("Stomach"), "#a08246", "square"),
    Category(Region.SMALL_BOWEL, to_translate("Small bowel"), "#55facd", "diamond"),
    Category(Region.COLON, to_translate("Colon"), "#af46fa", "triangle"),
)
SEEN = (
    Category("", to_translate("Not seen"), QUIET, "circle"),
    Category("seen", to_translate("Seen"), "#56b4e9", "square"),
)


ERRORS = (
    Category("", to_translate("No label or no score"), QUIET, "circle"),
    Category("correct", to_translate("Correct"), "#56b4e9", "circle"),
    Category("false positive", to_translate("False positives"), "#e69f00", "star"),
    Category("false negative", to_translate("False negatives"), "#d55e00", "triangle"),
    Category("wrong class", to_translate("Wrong class"), "#cc79a7", "diamond"),
)


def by_error(codes: NDArray[np.uint8], note: str) -> Coloring:
    """By prediction against label: (N,) rows of `ERRORS`; `note` says whose predictions."""
    return replace(_in_use(Coloring(tr("Error"), _translated(ERRORS), codes)), note=note)


def by_region(codes: NDArray[np.uint8]) -> Coloring:
    """By region: (N,) rows of `REGIONS`."""
    return _in_use(Coloring(tr("Region"), _translated(REGIONS), codes))


def by_seen(seen: NDArray[np.bool_]) -> Coloring:
    """By whether the frame was on screen long enough: (N,) bool."""
    return Coloring(tr("Seen"), _translated(SEEN), seen.astype(np.uint8))


def _translated(categories: tuple[Category, ...]) -> tuple[Category, ...]:
    return tuple(replace(category, title=tr(category.title)) for category in categories)


def _in_use(coloring: Coloring) -> Coloring:
    """Without the categories that no point has."""
    used = np.flatnonzero(coloring.counts)
    table = np.zeros(len(coloring.categories), dtype=np.uint8)
    table[used] = np.arange(len(used))
    return replace(coloring, categories=tuple(coloring.categories[at] for at in used), codes=table[coloring.codes])


def _from_sequence(share: float) -> str:
    return SEQUENCE[min(int(share * len(SEQUENCE)), len(SEQUENCE) - 1)]


SELECTED = 128
"""Added to the code of a selected point."""
CODES = 256
DIMMED = 0.55
"""Brightness of points that are not selected while others are."""
LEVELS = 8
"""Steps of brightness by how many points share a pixel."""
FAINTEST = 0.7


@dataclass(frozen=True, eq=False)
class Drawing:
    """n of the N points, those that are shown, from the lowest to the topmost.

    Args:
        rows: (n,) int64 which points they are.
        x, y: (n,) float32 their places.
        codes: (n,) uint8: the category, plus `SELECTED` for a selected point.
        colors: (256,) uint32: 0xffRRGGBB of a code.
        shapes: the shape of every category, of `vocabulary.SHAPES`.
    """

    rows: NDArray[np.int64]
    x: NDArray[np.float32]
    y: NDArray[np.float32]
    codes: NDArray[np.uint8]
    colors: NDArray[np.uint32]
    shapes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        coordinates: NDArray[np.float32],
        coloring: Coloring,
        shown: NDArray[np.bool_],
        selected: NDArray[np.int64],
        shuffled: NDArray[np.int64],
    ) -> Drawing:
        """Rare categories are painted over frequent ones, in the order of `shuffled`; selected points are on top.

        Of N points with `coordinates` (N, 2), those that are `shown` (N,); `shuffled` (N,) is a permutation, so that of
        equals no study always covers the others.
        """
        codes = coloring.codes.copy()
        codes[selected] += np.uint8(SELECTED)
        counts = np.bincount(coloring.codes, minlength=SELECTED)
        falling = np.argsort(-counts[:SELECTED], kind="stable")
        priority = np.zeros(CODES, dtype=np.uint8)
        priority[falling] = np.arange(SELECTED)
        if coloring.is_mixed:
            priority[:SELECTED] = 0
        priority[SELECTED:] = priority[:SELECTED] + SELECTED
        order = shuffled[shown[shuffled]]
        order = order[np.argsort(priority[codes[order]], kind="stable")]
        return cls(
            rows=order,
            x=np.ascontiguousarray(coordinates[order, 0]),
            y=np.ascontiguousarray(coordinates[order, 1]),
            codes=codes[order],
            colors=_colors(coloring, has_selection=len(selected) > 0),
            shapes=tuple(category.shape for category in coloring.categories),
        )

    def moved(self, coordinates: NDArray[np.float32]) -> Drawing:
        """The same points with other coordinates (N, 2), of all points."""
        x, y = (np.ascontiguousarray(coordinates[self.rows, axis]) for axis in (0, 1))
        return replace(self, x=x, y=y)


def _colors(coloring: Coloring, *, has_selection: bool) -> NDArray[np.uint32]:
    table = np.zeros(CODES, dtype=np.uint32)
    for code, category in enumerate(coloring.categories):
        rgb = category.rgb
        table[code] = pack(tuple(round(value * DIMMED) for value in rgb) if has_selection else rgb)
        table[code + SELECTED] = pack(rgb)
    return table


def pack(rgb: tuple[int, ...]) -> int:
    """0xffRRGGBB."""
    red, green, blue = rgb
    return 0xFF000000 | red << 16 | green << 8 | blue
