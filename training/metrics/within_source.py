"""Each class against the normal frames of its own source, a data set or capsule make.

Frames of different sources can be told apart by their looks alone. Where a class is commoner in one source than in
another, its AUC against all normal frames is partly that of telling the sources apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import PatientPairs, each_frame_once, patient_pairs
from training.metrics.patient_bootstrap import drawn_patients, with_interval
from training.texts import Text, count_text

BOOTSTRAPS = 1000
FEWEST_PATIENTS = 5
"""Patients with the class, and with normal frames, from which on a class of a source has an interval, as in the
comparison of two models."""


@dataclass(frozen=True)
class SourcedFrames:
    """M evaluated frames; a frame with several classes has a row for each."""

    names: Sequence[str]
    """Class of each label number, normal first."""
    labels: NDArray[np.int64]
    """(M,)"""
    sources: NDArray[np.str_]
    """(M,); "" where it is unknown: such frames take no part."""
    patients: NDArray[np.str_]
    """(M,)"""

    def counts(self, name: str) -> dict[str, int]:
        """Source -> frames of a class, without those of unknown source."""
        mine = self.sources[(self.labels == list(self.names).index(name)) & (self.sources != "")]
        names, counts = np.unique(mine, return_counts=True)
        return dict(zip(names.tolist(), counts.tolist(), strict=True))


def any_finding(
    frames: SourcedFrames, tracks: Sequence[NDArray[np.floating]], frame: NDArray[np.int64]
) -> tuple[SourcedFrames, list[NDArray[np.float64]], NDArray[np.int64]]:
    """The same with all findings as one class, whose score is one minus that of normal.

    Args:
        tracks: scores (M, C) of each seed.
        frame: (M,) number of the frame of each row; each frame is taken once.

    Returns:
        The frames, their scores (K, 2) of each seed, and the rows (K,) that were taken.
    """
    once = each_frame_once(frames.labels, frame, len(frames.names))[0]
    ill = (frames.labels[once] > 0).astype(np.int64)
    merged = SourcedFrames((frames.names[0], "any finding"), ill, frames.sources[once], frames.patients[once])
    normal = [track[once, 0].astype(np.float64) for track in tracks]
    return merged, [np.stack([values, 1 - values], axis=1) for values in normal], once


@dataclass(frozen=True)
class _Part:
    """The pairs of a class and normal in a source and a fold."""

    tables: list[PatientPairs]
    """One for each seed."""
    patients: NDArray[np.int64]
    """(p,) numbers of the patients that the tables count."""

    def forms(self, drawn: NDArray[np.float64]) -> tuple[float, float]:
        """Pairs ranked rightly, mean of the seeds, and all pairs, where each patient (P,) is drawn so often."""
        mine, first = drawn[self.patients], self.tables[0]
        wins = float(np.mean([mine @ table.wins @ mine for table in self.tables]))
        return wins, float((mine @ first.positives) * (mine @ first.negatives))


@dataclass(frozen=True)
class _Cell:
    """A class in a source that has normal frames."""

    name: str
    source: str
    parts: list[_Part]
    """One for each fold."""
    counts: dict[str, int]

    def auc(self, drawn: NDArray[np.float64]) -> float:
        """Where each patient (P,) is drawn so often; NaN without a pair."""
        wins, pairs = np.sum([part.forms(drawn) for part in self.parts], axis=0).tolist()
        return wins / pairs if pairs else float("nan")

    @property
    def has_interval(self) -> bool:
        return min(self.counts["patients"], self.counts["normal_patients"]) >= FEWEST_PATIENTS

    def with_draws(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """(D,) AUC in each draw; after the first NaN where it has no interval."""
        return values if self.has_interval else np.append(values[:1], np.full(len(values) - 1, np.nan))


def within_source_figures(
    frames: SourcedFrames,
    tracks: Sequence[NDArray[np.floating]],
    bootstraps: int = BOOTSTRAPS,
    seed: int = 0,
    fold: NDArray[np.int64] | None = None,
) -> dict[str, Any]:
    """AUC of each class in each source, against the normal frames of that source.

    In a cross-validation only frames of the same fold are compared (ours). A fold that holds out most frames of a class
    from a source has learned that this source looks normal, and the others have learned the opposite: compared across
    folds, a model that knows nothing but the sources can come out worse than chance.

    Intervals draw whole patients. In a draw that leaves a class of a source without frames, its AUC counts in the means
    as it is without drawing, so that all draws average the same classes.

    Args:
        tracks: of each seed the scores (M, C) of the classes `names`.
        fold: (M,) the fold that held out each frame; None: all were scored by one model.

    Returns:
        Empty where no frame has a source. Otherwise JSON values: `classes`, class -> `sources` (source -> auc, low,
        high, frames, patients, normal_frames, normal_patients), `mean` over its sources with `low` and `high`;
        `by_source`, source -> `mean`, `low`, `high` over its classes; `mean`, `low`, `high` over the classes; and
        `notes`, sentences. None where there is no figure.
    """
    if not (frames.sources != "").any() or not len(frames.names):
        return {}
    arranged = _arranged(frames, tracks, drawn_patients(len(np.unique(frames.patients)), bootstraps, seed), fold)
    cells = list(zip(arranged.cells, arranged.values.T, strict=True))
    return {
        "classes": {
            name: {
                "sources": {cell.source: _row(cell, values) for cell, values in cells if cell.name == name},
                **with_interval(arranged.of_class.get(name, np.full(1, np.nan))),
            }
            for name in frames.names[1:]
        },
        "by_source": {source: with_interval(arranged.of_source[source]) for source in sorted(arranged.of_source)},
        **with_interval(arranged.whole),
        "notes": [*_unknown_notes(frames), *_interval_notes(arranged.cells)],
    }


def mean_auc_draws(
    frames: SourcedFrames, tracks: Sequence[NDArray[np.floating]], bootstraps: int = BOOTSTRAPS, seed: int = 0
) -> NDArray[np.float64]:
    """(1 + bootstraps,) mean AUC of the classes, each against normal of its own source: all frames, then each draw.

    The arguments are those of `within_source_figures`. Equal frames and seeds give equal draws, so two scorings of the
    same frames can be compared draw by draw. NaN where no class can be compared.
    """
    drawn = drawn_patients(len(np.unique(frames.patients)), bootstraps, seed)
    return next(iter(drawn_figures(frames, tracks, drawn).values()), np.full(1, np.nan))


def drawn_figures(
    frames: SourcedFrames,
    tracks: Sequence[NDArray[np.floating]],
    drawn: NDArray[np.float64],
    fold: NDArray[np.int64] | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Name -> (D,) AUC in each draw of patients, so that two scorings of the same frames are compared draw by draw.

    Args:
        frames, tracks, fold: see `within_source_figures`.
        drawn: (D, P) from `drawn_patients`.

    Returns:
        The mean of the classes first, then that of each source, then each class in each source; with a single class
        only the latter two. Draws are NaN for a class in a source with fewer than `FEWEST_PATIENTS`. Empty where no
        class can be compared.
    """
    cells, values, of_class, of_source, whole = _arranged(frames, tracks, drawn, fold)
    if not of_class:
        return {}
    if len(of_class) == 1:
        result: dict[str, NDArray[np.float64]] = {Text("AUC, {name}", Text(next(iter(of_class)))): whole}
    else:
        result = {Text("mean AUC"): whole}
        if len({cell.source for cell in cells}) > 1:
            result |= {Text("mean AUC, {source}", source): mean for source, mean in of_source.items()}
    if len(of_class) > 1 or len({cell.source for cell in cells}) > 1:
        for cell, column in zip(cells, values.T, strict=True):
            if not np.isnan(column[0]):
                result[Text("AUC, {name}, {source}", Text(cell.name), cell.source)] = cell.with_draws(column)
    return result


class _Arranged(NamedTuple):
    """The AUC of every class in every source in D draws, and their means."""

    cells: list[_Cell]
    values: NDArray[np.float64]
    """(D, cells)"""
    of_class: dict[str, NDArray[np.float64]]
    """Class that has a figure -> (D,) mean of its sources."""
    of_source: dict[str, NDArray[np.float64]]
    """Source that has a figure -> (D,) mean of its classes."""
    whole: NDArray[np.float64]
    """(D,) mean of the classes; one NaN where there is none."""


def _arranged(
    frames: SourcedFrames,
    tracks: Sequence[NDArray[np.floating]],
    drawn: NDArray[np.float64],
    fold: NDArray[np.int64] | None,
) -> _Arranged:
    cells = _cells(frames, tracks, np.zeros(len(frames.labels), np.int64) if fold is None else fold)
    values = np.array([[cell.auc(times) for cell in cells] for times in drawn]).reshape(len(drawn), len(cells))
    of_class: dict[str, list[int]] = {}
    of_source: dict[str, list[int]] = {}
    for place in np.flatnonzero(~np.isnan(values[0])).tolist():
        of_class.setdefault(cells[place].name, []).append(place)
        of_source.setdefault(cells[place].source, []).append(place)
    classes = {name: _mean(values, places) for name, places in of_class.items()}
    sources = {source: _mean(values, places) for source, places in of_source.items()}
    whole = np.mean(list(classes.values()), axis=0) if classes else np.full(1, np.nan)
    return _Arranged(cells, values, classes, sources, whole)


def _cells(frames: SourcedFrames, tracks: Sequence[NDArray[np.floating]], fold: NDArray[np.int64]) -> list[_Cell]:
    patient = np.unique(frames.patients, return_inverse=True)[1]
    normal, cells = frames.counts(frames.names[0]), []
    for number, name in list(enumerate(frames.names))[1:]:
        for source in frames.counts(name):
            if source not in normal:
                continue
            rows = np.flatnonzero((frames.sources == source) & np.isin(frames.labels, (0, number)))
            parts = [_part(frames, tracks, rows[fold[rows] == each], number, patient) for each in np.unique(fold[rows])]
            positive, owner = frames.labels[rows] == number, patient[rows]
            counts = {
                "frames": int(positive.sum()),
                "patients": len(np.unique(owner[positive])),
                "normal_frames": int((~positive).sum()),
                "normal_patients": len(np.unique(owner[~positive])),
            }
            cells.append(_Cell(name, source, parts, counts))
    return cells


def _part(
    frames: SourcedFrames,
    tracks: Sequence[NDArray[np.floating]],
    rows: NDArray[np.int64],
    number: int,
    patient: NDArray[np.int64],
) -> _Part:
    """Of the class `number`, in these rows; `patient`: (M,) numbers."""
    positive = frames.labels[rows] == number
    owners, place = np.unique(patient[rows], return_inverse=True)
    tables = [patient_pairs(positive, track[rows, number], place.astype(np.int64)) for track in tracks]
    return _Part(tables, owners)


def _mean(values: NDArray[np.float64], columns: Sequence[int]) -> NDArray[np.float64]:
    """(1 + bootstraps,) mean of some cells; those without frames in a draw count as they are without drawing."""
    chosen = values[:, columns]
    filled: NDArray[np.float64] = np.where(np.isnan(chosen), chosen[:1], chosen).mean(axis=1)
    return filled


def _row(cell: _Cell, values: NDArray[np.float64]) -> dict[str, float | int | None]:
    return {**with_interval(cell.with_draws(values), "auc"), **cell.counts}


def _interval_notes(cells: Sequence[_Cell]) -> list[str]:
    return [
        Text(
            "{name} from {source}: too few patients for an interval ({patients} with it, {normal} with normal frames).",
            Text(cell.name[:1].upper() + cell.name[1:].replace("_", " ")),
            cell.source,
            cell.counts["patients"],
            cell.counts["normal_patients"],
        )
        for cell in cells
        if not cell.has_interval
    ]


def _unknown_notes(frames: SourcedFrames) -> list[str]:
    unknown = int((frames.sources == "").sum())
    note = count_text(
        "{count:,} frame has no source and is in none of these figures.",
        "{count:,} frames have no source and are in none of these figures.",
        unknown,
    )
    return [note] if unknown else []


def within_source_sentence(figures: Mapping[str, Any]) -> str:
    """Names the AUC of each class and source, and their mean; empty where there are none."""
    if not figures or figures["mean"] is None:
        return ""
    parts = [
        Text("{name} {values}", Text(name), [Text("{source} {auc:.3f}", *pair) for pair in pairs])
        for name, row in figures["classes"].items()
        if (pairs := [(source, cell["auc"]) for source, cell in row["sources"].items() if cell["auc"] is not None])
    ]
    return Text("AUC against normal frames of the same source: mean {mean:.3f}; {parts}.", figures["mean"], parts)
