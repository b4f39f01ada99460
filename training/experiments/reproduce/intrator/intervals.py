"""Intervals of the figures of Intrator et al. 2023, by drawing whole procedures with replacement."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from training.metrics.pooled import Interval, PatientPairs, patient_pairs

BOOTSTRAPS = 1000
LEVEL = 0.95
Numbers = NDArray[np.float64]
Counts = tuple[Numbers, Numbers]
"""(P,) fragments and (P,) findings of each procedure."""
Value = Callable[[Numbers], float | None]
"""A figure of a draw: (P,) how often each procedure stands in it."""


def auc_table(
    is_positive: NDArray[np.bool_], scores: Numbers, whose: NDArray[np.str_], procedures: Sequence[str]
) -> PatientPairs:
    """What any draw of the procedures needs for an AUC.

    Args:
        is_positive, scores: (M,).
        whose: (M,) procedure of each.
        procedures: all P procedures, in one order for all tables that are compared.
    """
    # One place more, so that all tables have the same size whichever procedures are there.
    places = {name: at for at, name in enumerate(procedures)}
    number = np.array([places[str(name)] for name in whose] + [len(places)], np.int64)
    return patient_pairs(np.append(is_positive, False), np.append(scores, np.nan), number)  # the last one is not drawn


def auc_interval(tables: Sequence[PatientPairs], less: Sequence[PatientPairs] = ()) -> Interval:
    """The mean AUC of some tables (of the seeds), less that of others where there are any."""

    def value(drawn: Numbers) -> float | None:
        row = np.append(drawn, 0.0)
        found = [_mean([table.auc(row) for table in each]) for each in (tables, less) if each]
        return None if None in found else float(found[0] or 0.0) - float(sum(each or 0.0 for each in found[1:]))

    return _interval(value, len(tables[0].positives) - 1)


def rate_interval(counts: Sequence[Counts], less: Sequence[Counts]) -> Interval:
    """The mean fragmentation rate of `less` minus that of `counts`: how many fragments a finding is split into less."""

    def rate(drawn: Numbers, each: Counts) -> float | None:
        findings = float(drawn @ each[1])
        return float(drawn @ each[0]) / findings if findings else None

    def value(drawn: Numbers) -> float | None:
        after, before = (_mean(list(map(partial(rate, drawn), each))) for each in (counts, less))
        return None if after is None or before is None else before - after

    return _interval(value, len(counts[0][0]))


def _interval(value: Value, count: int) -> Interval:
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(count, np.full(count, 1 / count), size=BOOTSTRAPS).astype(np.float64)
    known = [found for row in drawn if (found := value(row)) is not None]
    if not known:
        return Interval(value(np.ones(count)), None, None)
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value(np.ones(count)), float(low), float(high))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
