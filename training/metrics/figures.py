"""The figures of one model on a set of frames, each class against normal; whether a new model is better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import SPECIFICITIES, auc, each_frame_once, frames_of_class, sensitivity_at
from training.texts import Text, count_text, join_texts, listed

ANY = "any"
"""Stands for all classes but normal together; its score is one minus the score of normal."""
FEW_PATIENTS = 5
FEW_POSITIVES = 30
"""Below these, figures come with a warning: one patient more or less would change them visibly."""


@dataclass(frozen=True)
class AbsentFrames:
    """Frames on which a class is not there, which makes them negatives of that class and of no other."""

    labels: NDArray[np.int64]
    """(N,) the class that is not there, by the numbers of the labels."""
    patients: NDArray[np.str_]
    """(N,) patient of each frame."""


def class_figures(
    names: Sequence[str],
    labels: NDArray[np.int64],
    patients: NDArray[np.str_],
    classes: Sequence[str],
    scores: NDArray[np.floating],
    absent: AbsentFrames | None = None,
    absent_scores: NDArray[np.floating] | None = None,
    frame: NDArray[np.int64] | None = None,
) -> dict[str, dict[str, Any]]:
    """AUC and sensitivities of each named class against the normal frames, with the numbers behind them.

    Frames on which this very class is not there count as the normal ones do; "not_there" is their number, where any.

    Args:
        names: class of each label number, normal first: what the labels mean.
        classes: the model's classes, normal first; one that it does not know has no figures (None).
        absent: further frames, of which only one thing is known.
        frame: (M,) number of the frame of each row: a frame with several classes has a row for each, and counts once
            for "any". None: each row is a frame.
    """
    figures = {}
    rejected, others = (None, None) if absent is None else (absent.labels, absent.patients)
    if absent_scores is None:
        rejected = others = None
    for number, name in list(enumerate(names))[1:]:
        positive, people = frames_of_class(number, labels, patients, rejected, others)
        track = None
        if name in classes:
            place = list(classes).index(name)
            more = None if absent_scores is None else absent_scores[:, place]
            _, track = frames_of_class(number, labels, scores[:, place], rejected, more)
        figures[name] = _figures(positive, people, track)
        if rejected is not None and (rejected == number).any():
            figures[name]["not_there"] = int((rejected == number).sum())
    once, carried = each_frame_once(labels, frame, len(names))
    figures[ANY] = _figures(~carried[:, 0], patients[once], 1.0 - scores[once, 0])
    return figures


def _figures(
    positive: NDArray[np.bool_], patients: NDArray[np.str_], track: NDArray[np.floating] | None
) -> dict[str, Any]:
    return {
        "auc": None if track is None else auc(positive, track),
        "sensitivity_at": {
            f"{level:.2f}": None if track is None else sensitivity_at(positive, track, level) for level in SPECIFICITIES
        },
        "patients": len(np.unique(patients)),
        "patients_with_positives": len(np.unique(patients[positive])),
        "frames": len(positive),
        "positives": int(positive.sum()),
    }


def trust_warning(figures: dict[str, dict[str, Any]]) -> str:
    """A plain sentence when there are too few patients or positive frames to trust the figures; else empty."""
    reasons: list[Text] = []
    patients = figures[ANY]["patients"]
    if patients < FEW_PATIENTS:
        reasons.append(count_text("only {count} patient", "only {count} patients", patients))
    few = {name: row["positives"] for name, row in figures.items() if name != ANY and row["positives"] < FEW_POSITIVES}
    counts = [
        count_text("{count} {name} frame", "{count} {name} frames", count, Text(name))
        for name, count in few.items()
        if count
    ]
    if counts:
        reasons.append(Text("only {counts}", counts))
    if missing := [Text(name) for name, count in few.items() if not count]:
        reasons.append(Text("no frame of {names}", missing))
    if not reasons:
        return ""
    return Text("Too little data for reliable figures: the held-out figures are based on {reasons}.", listed(reasons))


Kind: TypeAlias = Literal["better", "worse", "same", "unknown"]
SMALLEST_DIFFERENCE = 0.01
"""Smaller differences in AUC or sensitivity count as none, however sure they are."""
CLEAR_FALL = {"sensitivity": 0.2, "auc": 0.1}
"""A class whose figure falls by this much counts as worse, also with few patients."""
FEWEST_FRAMES = 5
"""Fewer frames than this are no evidence of a loss without an interval."""
_WORDS = {"sensitivity": "sensitivity", "auc": "AUC"}


def verdict(comparison: Mapping[str, Any]) -> dict[str, str]:
    """The verdict on a comparison: {"kind": better, worse, same or unknown, "sentence": one or two sentences}.

    The rule is ours. Each class is evaluated by two figures on the held-out frames: AUC, and sensitivity at 95 %
    specificity. Without a loss in any class, one class that is better makes the model better.

    * Worse: a figure's interval (see `training.metrics.comparison`) lies below zero and the figure fell by at
      least 0.01; or, however few the patients are, sensitivity fell by 0.2 or AUC by 0.1 or more, with at least 5
      labelled frames, and for sensitivity at least 5 of them lost.
    * Better: a figure's interval lies above zero, the figure rose by at least 0.01, and the class is not worse.
      A class that the old model does not know is compared with chance.
    * Unknown: no interval, because fewer than 5 held-out patients have the class, or no patient could be held out.
    * All findings together decide where every class is unknown.
    * A class of the old model without labels counts as lost where less than half of its flagged frames are left, and
      at least 5 fewer. It is named first.

    Args:
        comparison: as `training.metrics.comparison.compare` returns it; "unlabelled" and "intervals" may be missing.
    """
    lost = _lost(comparison.get("unlabelled") or {})
    names: list[str] = list(comparison["classes"])
    kinds = {name: _kind_of(comparison, name) for name in names}
    if set(kinds.values()) <= {"unknown"} and len(names) > 1:
        names, kinds = [ANY], {ANY: _kind_of(comparison, ANY)}
    by_kind: dict[Kind, list[str]] = {
        kind: [name for name in names if kinds[name] == kind] for kind in ("better", "worse", "same", "unknown")
    }
    falls = sorted((_fall(comparison, name) for name in by_kind["worse"]), reverse=True)
    worse = [*lost, *(words for _, words in falls)]
    kind: Kind = "worse" if worse else next((k for k in ("better", "same") if by_kind[k]), "unknown")
    return {"kind": kind, "sentence": _sentence(kind, worse, by_kind, comparison)}


def is_lost(old_flagged: int, new_flagged: int) -> bool:
    """Whether a class without labels counts as lost: less than half of its flagged frames are left, 5 or more gone."""
    return new_flagged < old_flagged / 2 and old_flagged - new_flagged >= FEWEST_FRAMES


def _lost(unlabelled: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The classes without labels that were lost, the largest loss first."""
    flags = {name: (int(row["old_flagged"]), int(row["new_flagged"])) for name, row in unlabelled.items()}
    gone = sorted((name for name in flags if is_lost(*flags[name])), key=lambda name: flags[name][1] - flags[name][0])
    return [
        Text("flags for {name} fell from {flag:,} frames to {flag2:,}", Text(name), flags[name][0], flags[name][1])
        for name in gone
    ]


def _rows(comparison: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The figures of the old and of the new model."""
    if name == ANY:
        return comparison["any"]["old"], comparison["any"]["new"]
    return comparison["old"].get(name) or {}, comparison["new"][name]


def _figure(row: Mapping[str, Any], figure: str) -> float | None:
    value = row.get("auc") if figure == "auc" else (row.get("sensitivity_at") or {}).get("0.95")
    return None if value is None else float(value)


def _kind_of(comparison: Mapping[str, Any], name: str) -> Kind:
    """How one class changed."""
    old, new = _rows(comparison, name)
    intervals = (comparison.get("intervals") or {}).get(name)
    if any(_fell_clearly(old, new, figure) for figure in CLEAR_FALL):
        return "worse"
    if intervals is None:
        return "unknown"
    rises = {figure: _rise(old, new, figure) for figure in CLEAR_FALL}
    if any(intervals[figure][1] < 0 and rises[figure] <= -SMALLEST_DIFFERENCE for figure in rises):
        return "worse"
    if any(intervals[figure][0] > 0 and rises[figure] >= SMALLEST_DIFFERENCE for figure in rises):
        return "better"
    return "same"


def _rise(old: Mapping[str, Any], new: Mapping[str, Any], figure: str) -> float:
    """New minus old; a class that the old model does not know starts at chance."""
    return _or_chance(new, figure) - _or_chance(old, figure)


def _or_chance(row: Mapping[str, Any], figure: str) -> float:
    value = _figure(row, figure)
    return (0.5 if figure == "auc" else 0.0) if value is None else value


def _fell_clearly(old: Mapping[str, Any], new: Mapping[str, Any], figure: str) -> bool:
    if _figure(old, figure) is None or _figure(new, figure) is None:
        return False
    fall, positives = -_rise(old, new, figure), int(new["positives"])
    frames = positives * fall if figure == "sensitivity" else positives
    return fall >= CLEAR_FALL[figure] - 1e-9 and frames >= FEWEST_FRAMES - 1e-9


def _fall(comparison: Mapping[str, Any], name: str) -> tuple[float, str]:
    """The larger fall of a class's figures, and how to say it."""
    old, new = _rows(comparison, name)
    figure = max(CLEAR_FALL, key=lambda one: -_rise(old, new, one))
    before, after = _or_chance(old, figure), _or_chance(new, figure)
    return before - after, Text(
        "{word} for {title} fell from {before:.2f} to {after:.2f}", Text(_WORDS[figure]), _title(name), before, after
    )


def _sentence(
    kind: Kind, worse: Sequence[str], by_kind: Mapping[Kind, Sequence[str]], comparison: Mapping[str, Any]
) -> str:
    better, unknown = _listed(by_kind["better"], comparison), by_kind["unknown"]
    if kind == "worse":
        return join_texts(
            " ",
            (Text("Worse: {worse}.", join_texts("; ", worse)), Text("Better for {better}.", better) if better else ""),
        )
    if kind == "unknown":
        return Text("Cannot be told: {why_unknown}.", _why_unknown(comparison))
    few = Text("not enough patients to evaluate {listed}", _listed(unknown, comparison)) if unknown else ""
    if kind == "better":
        said = (
            Text("Better for {better}, the same otherwise", better)
            if by_kind["same"]
            else Text("Better for {better}", better)
        )
    else:
        said = Text("The same for {listed}", _listed(by_kind["same"], comparison))
    return join_texts("; ", (said, few)) + "."


def _why_unknown(comparison: Mapping[str, Any]) -> str:
    if comparison.get("split") == "time":
        return Text("no patient could be held out")
    patients = int(comparison["any"]["new"]["patients_with_positives"])
    if patients >= FEW_PATIENTS:
        return Text("the models were compared by an older version")
    return count_text(
        "only {count} patient with a finding was held out",
        "only {count} patients with a finding were held out",
        patients,
    )


def _listed(names: Sequence[str], comparison: Mapping[str, Any]) -> str:
    """ "blood, ulcer and erosion (new)"."""
    words = [
        _title(name) if _figure(_rows(comparison, name)[0], "auc") is not None else Text("{name} (new)", _title(name))
        for name in names
    ]
    return listed(words)


def _title(name: str) -> str:
    return Text("all findings together") if name == ANY else Text(name)
