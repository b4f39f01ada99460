"""Operating points: the thresholds of a class's score that 0.5 to 100 of 1,000 normal frames reach, for each source.

A threshold is that of split conformal prediction (Vovk et al. 2005; for outliers Bates et al. 2023): of n normal frames
that training did not see, at most `rate * (n + 1) - 1` reach it, so that a new normal frame of the same kind reaches it
with a probability of at most `rate`. Neighbouring frames of a patient are alike, so that of a single new patient more
or fewer frames may reach it.

Each source has thresholds of its own: scores of normal frames differ so much between sources that a common threshold
missed the stated rate by more than a factor of two in most classes of real frames (docs/results/models.md).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import LEVEL
from training.metrics.events import flagged_frames
from training.metrics.within_source import BOOTSTRAPS, FEWEST_PATIENTS, SourcedFrames
from training.texts import Text, join_texts, listed

RATES = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
USUAL_RATE = 0.005
"""At which flags are shown unless a reader chooses another rate."""
ANY = "any"
"""The highest score of all findings: a frame is flagged if one of them reaches the threshold."""


def threshold_at(scores: NDArray[np.floating], rate: float) -> float | None:
    """The lowest threshold that at most a share `rate` of new normal frames is expected to reach.

    Scores are of normal frames that training did not see; NaN, a frame without a score, takes no part. None with fewer
    than 1 / rate frames, or where so many have a score of 1 that no threshold separates them.
    """
    values = np.sort(scores[~np.isnan(scores)].astype(np.float32))[::-1]
    if len(values) * rate < 1 - 1e-9:
        return None
    most = math.floor(rate * (len(values) + 1) + 1e-9) - 1  # of these frames, that reach it
    threshold = float(np.nextafter(values[most], np.float32(2)))
    return threshold if threshold <= 1 else None


def rate_for(normal_frames: int) -> float | None:
    """`USUAL_RATE`, or the next rate that so few normal frames can state; None where they state none."""
    return next((rate for rate in RATES if rate >= USUAL_RATE and normal_frames * rate >= 1 - 1e-9), None)


def operating_points(frames: SourcedFrames, scores: NDArray[np.floating]) -> dict[str, Any]:
    """The thresholds of each source, and those of all sources together, for sources with too few normal frames.

    Returns:
        Empty without normal frames. Otherwise JSON values: `sources`, a list of `source` (None: all together),
        `normal_frames`, `normal_patients` and `thresholds` (class, or "any", -> rate as a string -> threshold; a rate
        that cannot be stated is left out); `sensitivity`, see `sensitivities`; and `sentence`.
    """
    normal = frames.labels == 0
    tracks, sources, patients = _tracks(frames, scores), frames.sources[normal], frames.patients[normal]
    if not normal.any():
        return {}
    entries = []
    for source in (*np.unique(sources[sources != ""]).tolist(), None):
        mine = sources == source if source else np.ones(len(sources), bool)
        stated = {name: {rate: threshold_at(track[mine], rate) for rate in RATES} for name, track in tracks.items()}
        entries.append(
            {
                "source": source,
                "normal_frames": int(mine.sum()),
                "normal_patients": len(np.unique(patients[mine])),
                "thresholds": {
                    name: {f"{rate:g}": value for rate, value in row.items() if value is not None}
                    for name, row in stated.items()
                },
                "sensitivity": sensitivities(frames, scores, source),
            }
        )
    return {"sources": entries, "sentence": _sentence(entries)}


def sensitivities(
    frames: SourcedFrames, scores: NDArray[np.floating], source: str | None = None, rate: float = USUAL_RATE
) -> dict[str, dict[str, Any]]:
    """How many frames of each class reach the threshold of its `rate`, set on the normal frames of other patients.

    Args:
        frames: M frames that training did not see.
        scores: (M, C) of the classes `names`.
        source: only frames of this source; None: all.
        rate: of normal frames.

    Returns:
        class -> `sensitivity`, `low` and `high` (interval over patients; None with fewer than `FEWEST_PATIENTS`),
        `frames`, `patients`, and `normal_reached`, the share of normal frames that reach the threshold of the others.
        Without classes that have no frames, and without those whose threshold cannot be stated for every patient.
    """
    mine = frames.sources == source if source else np.ones(len(frames.sources), bool)
    patient = np.unique(frames.patients[mine], return_inverse=True)[1]
    labels, result = frames.labels[mine], {}
    for number, name in enumerate(frames.names[1:], 1):
        track, ill, normal = scores[mine, number], labels == number, labels == 0
        ones = np.flatnonzero(ill | normal)
        reached = np.zeros(len(labels), bool)
        order = np.argsort(track[normal])  # once: each threshold sorts what is sorted
        theirs, owner = track[normal][order], patient[normal][order]
        stated = [threshold_at(theirs[owner != each], rate) for each in np.unique(patient[ones])]
        if not ill.any() or None in stated:
            continue
        for each, threshold in zip(np.unique(patient[ones]), stated, strict=True):
            reached[patient == each] = flagged_frames(track[patient == each], float(threshold or 0))
        counted = _rate(reached[ill].astype(float), np.unique(patient[ill], return_inverse=True)[1], BOOTSTRAPS, 0)
        result[name] = {
            "sensitivity": counted["measured"],
            **{end: counted[end] for end in ("low", "high")},
            "frames": counted["normal_frames"],
            "patients": counted["normal_patients"],
            "normal_reached": float(reached[normal].mean()),
        }
    return result


def _tracks(frames: SourcedFrames, scores: NDArray[np.floating]) -> dict[str, NDArray[np.floating]]:
    """Class, or "any", -> scores of the normal frames."""
    findings = scores[frames.labels == 0, 1:]
    tracks = dict(zip(frames.names[1:], findings.T, strict=True))
    return {**tracks, ANY: findings.max(axis=1)} if tracks else {}


def _sentence(entries: Sequence[Mapping[str, Any]]) -> str:
    """Says for which sources the thresholds were measured, and for which there are too few frames."""
    *own, pooled = entries
    few = [entry for entry in own if not any(entry["thresholds"].values())]
    measured = [_counted(entry) for entry in own if entry not in few]
    parts = []
    if measured:
        parts.append(
            Text(
                "The thresholds that a stated share of normal frames reaches were measured on held-out normal frames "
                "from {sources}. For other sources they were not measured.",
                listed(measured),
            )
        )
    elif any(pooled["thresholds"].values()):
        parts.append(
            Text(
                "The thresholds that a stated share of normal frames reaches were measured on {frames:,} held-out "
                "normal frames of {patients} patients, without regard to their source.",
                pooled["normal_frames"],
                pooled["normal_patients"],
            )
        )
    else:
        parts.append(Text("There are too few held-out normal frames to measure thresholds."))
    if measured and any(entry["normal_patients"] < FEWEST_PATIENTS for entry in own if entry not in few):
        parts.append(
            Text(
                "Of fewer than {few} patients they are rough: of new patients more than twice as many frames may reach "
                "them.",
                FEWEST_PATIENTS,
            )
        )
    if few and len(own) > 1:
        parts.append(
            Text(
                "There are too few of them from {sources}: a threshold of all sources together can flag many times the "
                "stated share there.",
                listed([_counted(entry) for entry in few]),
            )
        )
    return join_texts(" ", parts)


def _counted(entry: Mapping[str, Any]) -> Text:
    counts = entry["source"], entry["normal_frames"], entry["normal_patients"]
    return Text("{source} ({frames:,} frames, {patients} patients)", *counts)


def measured_rates(
    frames: SourcedFrames,
    tracks: Sequence[NDArray[np.floating]],
    fold: NDArray[np.int64],
    bootstraps: int = BOOTSTRAPS,
    seed: int = 0,
) -> dict[str, Any]:
    """The shares of normal frames of each fold that reach the thresholds of the other folds' normal frames.

    Every score comes from the training that held its frame out, so that thresholds and rates are of different networks,
    as those of a card are once its classifier has learned from all labels.

    Args:
        tracks: of each seed the scores (M, C) of the classes `names`.
        fold: (M,) the fold that held out each frame.

    Returns:
        Empty without rows. Otherwise `rows`, one for each class (and "any"), source (None: no frame has one) and rate:
        `class`, `source`, `rate`, `measured`, `low`, `high` (None with fewer than `FEWEST_PATIENTS` patients),
        `normal_frames`, `normal_patients` and `folds` (the share in each, mean of the seeds); and `sentence`. A rate
        that cannot be stated in every fold has no row.
    """
    normal = frames.labels == 0
    number, owner, source_of = fold[normal], frames.patients[normal], frames.sources[normal]
    seeds = [_tracks(frames, scores) for scores in tracks]
    rows = []
    for source in np.unique(source_of[source_of != ""]).tolist() or [None]:
        mine = np.flatnonzero(source_of == source if source else np.ones(len(source_of), bool))
        patient = np.unique(owner[mine], return_inverse=True)[1]
        for name in seeds[0] if seeds else ():
            for rate in RATES:
                reached = [_reached(each[name][mine], number[mine], rate) for each in seeds]
                if not len(mine) or any(each is None for each in reached):
                    continue
                share = np.mean([each for each in reached if each is not None], axis=0)
                rows.append({"class": name, "source": source, "rate": rate, **_rate(share, patient, bootstraps, seed)})
                rows[-1]["folds"] = [float(share[number[mine] == each].mean()) for each in np.unique(number[mine])]
    return {"rows": rows, "sentence": _rates_sentence(rows)} if rows else {}


def _rates_sentence(rows: Sequence[Mapping[str, Any]]) -> str:
    """In how many classes and sources each stated rate was met within a factor of two."""
    parts = []
    for rate in RATES:
        measured = [row["measured"] for row in rows if row["rate"] == rate and row["class"] != ANY]
        met = sum(rate / 2 <= value <= 2 * rate for value in measured)
        if measured:
            parts.append(Text("{rate:.4g} % in {met} of {count}", 100 * rate, met, len(measured)))
    return Text("Thresholds met their rate within a factor of two: {parts} classes and sources.", listed(parts))


def _reached(scores: NDArray[np.floating], fold: NDArray[np.int64], rate: float) -> NDArray[np.bool_] | None:
    """(n,) whether each frame reaches the threshold of the other folds; None where a fold has no such threshold."""
    reached = np.zeros(len(scores), bool)
    for each in np.unique(fold):
        threshold = threshold_at(scores[fold != each], rate)
        if threshold is None:
            return None
        reached[fold == each] = scores[fold == each] >= np.float32(threshold)
    return reached


def _rate(share: NDArray[np.floating], patient: NDArray[np.int64], bootstraps: int, seed: int) -> dict[str, Any]:
    """Mean of the frames' shares (n,), with an interval over patients (n,)."""
    counts, sums = np.bincount(patient), np.bincount(patient, share)
    low = high = None
    if len(counts) >= FEWEST_PATIENTS and bootstraps:
        drawn = np.random.default_rng(seed).multinomial(len(counts), np.full(len(counts), 1 / len(counts)), bootstraps)
        tail = (1 - LEVEL) / 2
        low, high = np.quantile(drawn @ sums / (drawn @ counts), (tail, 1 - tail)).tolist()
    counted = {"normal_frames": len(share), "normal_patients": len(counts)}
    return {"measured": float(share.mean()), "low": low, "high": high, **counted}
