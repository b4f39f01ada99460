"""The figures of the tables of Intrator et al. 2023, from the cells: similarities of pairs, and scores of frames.

Their intervals come from drawing whole procedures with replacement.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.experiments.engine import NOTHING, Spread, spread_text
from training.experiments.reproduce.figures import CANNOT
from training.experiments.reproduce.intrator_rows import (
    ANNOTATION,
    CHANCE,
    GAIN,
    INTERVAL,
    JOINED,
    LESS,
    LITE0,
    TIME,
    TRACKING,
    VOTE_GAIN,
    IntratorTable,
)
from training.experiments.reproduce.phantom_setting import Cell
from training.experiments.reproduce.tables import KeyedRow
from training.metrics.detector import Interval, PatientPairs, drawn_interval, mean_of, patient_pairs
from training.reidentification.fragmentation import (
    Fragmentation,
    fragmentation,
    fragmentation_by_class,
    fragments,
    limit_of_distance,
    merged_groups,
    soft_vote,
    voting_figures,
)
from training.reidentification.matching import TECHNIQUES, pair_figures

BOOTSTRAPS = 1000
Numbers = NDArray[np.float64]
Counts = tuple[Numbers, Numbers]
"""(P,) fragments and (P,) findings of each procedure."""


def auc_table(
    is_positive: NDArray[np.bool_], scores: Numbers, whose: NDArray[np.str_], procedures: Sequence[str]
) -> PatientPairs:
    """What any draw of the procedures needs for an AUC; tables that are compared have the P procedures in one order."""
    # One place more, so that all tables have the same size whichever procedures are there.
    places = {name: at for at, name in enumerate(procedures)}
    number = np.array([places[str(name)] for name in whose] + [len(places)], np.int64)
    return patient_pairs(np.append(is_positive, False), np.append(scores, np.nan), number)  # the last one is not drawn


def auc_interval(tables: Sequence[PatientPairs], less: Sequence[PatientPairs] = ()) -> Interval:
    """The mean AUC of some tables (of the seeds), less that of others where there are any."""

    def value(drawn: Numbers) -> float | None:
        row = np.append(drawn, 0.0)
        result = [mean_of([table.auc(row) for table in each]) for each in (tables, less) if each]
        return None if None in result else float(result[0] or 0.0) - float(sum(each or 0.0 for each in result[1:]))

    return drawn_interval(value, len(tables[0].positives) - 1, BOOTSTRAPS, seed=0)


def rate_interval(counts: Sequence[Counts], less: Sequence[Counts]) -> Interval:
    """The mean fragmentation rate of `less` minus that of `counts`: how many fragments a finding is split into less."""

    def rate(drawn: Numbers, each: Counts) -> float | None:
        findings = float(drawn @ each[1])
        return float(drawn @ each[0]) / findings if findings else None

    def value(drawn: Numbers) -> float | None:
        after, before = (mean_of(list(map(partial(rate, drawn), each))) for each in (counts, less))
        return None if after is None or before is None else before - after

    return drawn_interval(value, len(counts[0][0]), BOOTSTRAPS, seed=0)


Groups = NDArray[np.int64]
Seeded = list[tuple[int, Groups]]
"""(seed, groups of the tracklets); one of seed 0 where nothing was trained."""


class Values:
    """All figures that the cells have; those of a table are asked for row by row.

    Attributes:
        procedures, findings, is_positive: (T,) of each tracklet; the last one is its finding's class.
        pairs: (P, 2) tracklets of each pair.
        is_same: (P,) whether a pair shows one finding.
    """

    def __init__(
        self, table: IntratorTable, untrained: Cell, trained: Sequence[Cell], classifiers: Sequence[Cell] = ()
    ) -> None:
        """`untrained`: of the evaluated pairs; `trained`: encoders, a seed each; `classifiers`: for votes, as many."""
        self.table, self.untrained, self.trained, self.classifiers = table, untrained, trained, classifiers
        self.procedures, self.findings = (np.array(untrained[name], np.str_) for name in ("procedures", "findings"))
        self.is_same, self.is_positive = (np.array(untrained[name], np.bool_) for name in ("is_same", "is_positive"))
        self.pairs = np.array(untrained["pairs"], np.int64)

    def why_not(self, row: KeyedRow) -> str:
        """Why a row has no figures; empty where it has."""
        if not row.key or (row.key == LITE0 and LITE0 not in self.untrained["similarities"]):
            return "weights absent"
        is_missing = (row.key in TECHNIQUES and not self.trained) or (
            self.table.kind == "votes" and not self.classifiers
        )
        return "not reached" if is_missing else ""

    def seeds_of(self, row: KeyedRow) -> int:
        """The number of trainings behind a row; 0 for what needs none."""
        if self.why_not(row):
            return 0
        if self.table.kind == "votes":
            return len(self._votes(row.key))
        return len(self.trained) if row.key in TECHNIQUES else 0

    def text(self, row: KeyedRow, figure: str) -> str:
        """A figure as text: the mean over the seeds with its deviation; of what has no seeds, the value alone."""
        if reason := self.why_not(row):
            return reason
        if row.key == CHANCE:
            return f"{0.5 if figure == 'AUROC' else float(self.is_same.mean()):.3f}"
        if figure in (INTERVAL, LESS, GAIN, VOTE_GAIN):
            return self._interval(row.key, figure)
        key, rows = self.table.figures.get(figure, figure), self._rows(row.key)
        spread = Spread([found.get(key) for _, found in rows])
        if (mean := spread.mean) is None:
            return CANNOT
        if self.seeds_of(row):
            return f"{spread_text(mean, spread.deviation)} ({len(spread.known)})"
        return f"{mean:,.0f}" if figure in ("Tracklets", "Adenoma", "Non-Adenoma") else f"{mean:.3f}"

    def similarities(self, key: str) -> list[tuple[int, NDArray[np.float64]]]:
        """(seed, similarities of the pairs) of a row; one of seed 0 where nothing was trained."""
        if key in TECHNIQUES:
            return [(int(cell["seed"]), np.array(cell["similarities"][key], np.float64)) for cell in self.trained]
        if key == TIME:  # less the seconds from the end of one tracklet of a pair to the start of the other
            starts, stops = (np.array(self.untrained[name], np.float64)[self.pairs] for name in ("starts", "stops"))
            return [(0, -np.maximum(starts[:, 0] - stops[:, 1], starts[:, 1] - stops[:, 0]))]
        known = self.untrained["similarities"]
        return [(0, np.array(known[key], np.float64))] if key in known else []

    def groups(self, key: str) -> Seeded:
        """The tracklets' groups by a row: one a finding (annotation), each by itself (tracking), or joined."""
        count = len(self.procedures)
        if key == ANNOTATION:
            return [(0, np.zeros(count, np.int64))]
        if key == TRACKING:
            return [(0, np.arange(count, dtype=np.int64))]
        return [
            (seed, merged_groups(self.procedures, self.pairs, each, limit_of_distance(self.is_same, each)))
            for seed, each in self.similarities(key)
        ]

    def _rows(self, key: str) -> list[tuple[int, dict[str, Any]]]:
        """(seed, figures) of a row."""
        match self.table.kind:
            case "pairs":
                return [(seed, dict(pair_figures(self.is_same, each))) for seed, each in self.similarities(key)]
            case "fragments":
                one, other = self.pairs[~self.is_same].T
                return [
                    (seed, self._fragments(groups)._asdict() | {JOINED: float((groups[one] == groups[other]).mean())})
                    for seed, groups in self.groups(key)
                ]
            case "classes":
                return [(seed, self._by_class(groups)) for seed, groups in self.groups(key)]
            case "votes":
                return [(seed, dict(voting_figures(*self._voted(each)[:2]))) for seed, each in self._votes(key)]

    def _fragments(self, groups: Groups) -> Fragmentation:
        return fragmentation(self.procedures, self.findings, groups)

    def _by_class(self, groups: Groups) -> dict[str, float | None]:
        names = np.where(self.is_positive, "positive", "negative")
        by_class = fragmentation_by_class(self.procedures, self.findings, groups, names)
        return {
            f"{name} {key}".strip(): value
            for name, each in {"": self._fragments(groups), **by_class}.items()
            for key, value in (("tracklets", float(each.tracklets)), ("rate", each.rate))
        }

    def _votes(self, key: str) -> list[tuple[int, tuple[Groups, Cell]]]:
        """(seed, groups and classifier) of a row: encoder and classifier of the same seed."""
        groups, cells = self.groups(key), {int(cell["seed"]): cell for cell in self.classifiers}
        by_seed = dict(groups) if key in TECHNIQUES else dict.fromkeys(cells, groups[0][1])
        return [(seed, (by_seed[seed], cell)) for seed, cell in cells.items() if seed in by_seed]

    def _voted(self, each: tuple[Groups, Cell]) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.str_]]:
        """Class, vote and procedure of each fragment."""
        groups, cell = each
        pieces = fragments(self.procedures, self.findings, groups)
        first = np.unique(pieces, return_index=True)[1]
        scores = [np.array(frames, np.float64) for frames in cell["scores"]]
        return self.is_positive[first], soft_vote(scores, pieces), self.procedures[first]

    def _interval(self, key: str, figure: str) -> str:
        if figure == INTERVAL:
            return _between(auc_interval(self._auc_tables(key)))
        if key == TRACKING or (figure == LESS and (key == "joint" or not self.trained)):
            return NOTHING
        if figure == LESS:
            return _between(auc_interval(self._auc_tables("joint"), self._auc_tables(key)))
        if figure == GAIN:
            return _between(rate_interval(self._counts(key), self._counts(TRACKING)))
        return _between(auc_interval(self._auc_tables(key), self._auc_tables(TRACKING)))

    def _auc_tables(self, key: str) -> list[PatientPairs]:
        """Of the fragments' votes in the voting table, else of the pairs' similarities; a seed each."""
        every = np.unique(self.procedures).tolist()
        if self.table.kind == "votes":
            return [auc_table(*self._voted(each), every) for _, each in self._votes(key)]
        whose = self.procedures[self.pairs[:, 0]]
        return [auc_table(self.is_same, each, whose, every) for _, each in self.similarities(key)]

    def _counts(self, key: str) -> list[Counts]:
        """Fragments and findings of each procedure, a seed each."""
        return [(self._of_each(groups), self._of_each(np.zeros_like(groups))) for _, groups in self.groups(key)]

    def _of_each(self, groups: Groups) -> NDArray[np.float64]:
        """(P,) fragments of each procedure."""
        first = np.unique(fragments(self.procedures, self.findings, groups), return_index=True)[1]
        _, number = np.unique(self.procedures, return_inverse=True)
        return np.bincount(number[first], minlength=int(number.max()) + 1).astype(np.float64)


def _between(found: Interval) -> str:
    """ "0.612 to 0.801"."""
    return CANNOT if found.low is None else f"{found.low:z.3f} to {found.high:z.3f}"
