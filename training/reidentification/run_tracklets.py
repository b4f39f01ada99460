"""The distance up to which tracklets are merged, fixed on tracklets of patients that did not train.

The tracklets that a training of re-identification reads: which there are, which train, and which are held out.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import read_boxes, read_links
from training.datasets.labels import LabelRow, read_labels
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.reidentification import linked, matching, run_settings, views
from training.reidentification.byte_track import TrackerSettings
from training.reidentification.config import TrackletFilter, kept_for_training
from training.reidentification.fragmentation import limit_of_different
from training.reidentification.tracklets import Tracklets, cut_tracklets
from training.reidentification.views import CropSource, JoinedCrops
from training.reidentification.visits import Visit, event_visits, labelled_visits, scores_of, unnamed_visits
from training.runs.reporter import Reporter
from training.texts import Text

FEWEST_CROPS = 3
"""A tracklet is cut in three."""
FEWEST_PATIENTS = 4
"""Of fewer none is held out: two have to train."""


@dataclass(frozen=True)
class ReidData:
    """All tracklets, and which of them train and which are held out.

    Attributes:
        tracklets: T of them.
        units: numbers of those that train: one tracklet, or several that a reader has linked as one finding.
        held_out: numbers of those of the held-out patients that have a crop.
        held_out_patients: sorted.
        left_out: sentences on studies and tracklets that are not used.
        paths: of the studies whose tracklets train.
    """

    tracklets: Tracklets
    units: tuple[NDArray[np.int64], ...]
    held_out: NDArray[np.int64]
    held_out_patients: tuple[str, ...]
    left_out: tuple[str, ...]
    paths: tuple[Path, ...]

    @property
    def training(self) -> NDArray[np.int64]:
        """Numbers of the tracklets that train, in order."""
        return np.sort(np.concatenate(self.units))

    @property
    def crops(self) -> list[CropSource]:
        """The crops of each unit."""
        crops = self.tracklets.crops
        return [crops[each[0]] if len(each) == 1 else JoinedCrops([crops[at] for at in each]) for each in self.units]

    @property
    def patients(self) -> list[str]:
        """Whose each unit is."""
        return [str(self.tracklets.patients[each[0]]) for each in self.units]

    @property
    def training_patients(self) -> tuple[str, ...]:
        """Whose tracklets train, sorted."""
        return tuple(sorted(set(self.tracklets.patients[self.training].tolist())))

    @property
    def digest(self) -> str:
        """SHA-256 of the crops of each unit that trains; names do not count."""
        crops = self.tracklets.crops
        units = [b"".join(hashlib.sha256(crops[at].tobytes()).digest() for at in unit) for unit in self.units]
        return hashlib.sha256(b"\n".join(sorted(units))).hexdigest()

    def counts(self) -> dict[str, int]:
        """How much trains and how much is held out."""
        table, crops = self.tracklets.table, self.tracklets.crops
        return {
            "patients": len(self.training_patients),
            "procedures": len(set(table.procedures[self.training].tolist())),
            "tracklets": len(self.training),
            "linked_tracklets": sum(len(each) for each in self.units if len(each) > 1),
            "linked_findings": sum(len(each) > 1 for each in self.units),
            "frames": sum(len(crops[at]) for at in self.training),
            "held_out_patients": len(self.held_out_patients),
            "held_out_tracklets": len(self.held_out),
        }


def find_visits(config: run_settings.ReidConfig, reporter: Reporter) -> tuple[list[Visit], list[str]]:
    """The visits of all studies, and sentences on studies without any; no video is read.

    A study with findings that have boxes gives these, one with other boxes what ByteTrack makes of them (ours: with the
    settings of its authors), any other one its events.

    Raises:
        UserError: unusable files, or no study has a visit.
    """
    manifest = load_manifest(config.studies)
    labels: list[LabelRow] = read_labels(config.labels) if config.labels else []
    boxes = read_boxes(config.boxes) if config.boxes else []
    boxed = labelled_visits(manifest, labels, boxes)
    result, left_out = list(boxed), list[str]()
    with_boxes = {visit.study.study_id for visit in boxed}
    for done, study in enumerate(manifest.studies):
        reporter.check()
        reporter.progress(done, len(manifest.studies), "studies", "looking for tracklets")
        if study.study_id in with_boxes:
            continue
        if tracked := unnamed_visits(study, boxes, TrackerSettings(), max(FEWEST_CROPS, config.fewest_detections)):
            result += tracked
            continue
        file = scores_of(study, config.embeddings, config.scored_by) if config.embeddings else None
        if file is None:
            left_out.append(
                Text("Study {study_id} has no findings with boxes, no tracklet of boxes and no scores.", study.study_id)
            )
            continue
        with file:
            events = event_visits(study, file, config.threshold, config.max_gap, labels)
        result += events
        if not events:
            left_out.append(
                Text("Study {study_id} has no event at the threshold {threshold:g}.", study.study_id, config.threshold)
            )
    if not result:
        raise UserError(
            "None of {count} studies has a tracklet.",
            "Label findings with boxes, score the studies, or set a lower threshold.",
            len(manifest.studies),
        )
    return result, left_out


def read_data(
    config: run_settings.ReidConfig, visits: list[Visit], left_out: list[str], spill: Path, reporter: Reporter
) -> ReidData:
    """Cut the crops of all visits, and choose what trains.

    A batch takes one tracklet of each patient, not of each study (ours): two studies of a patient may show one finding.
    Tracklets that a reader has linked as the same train as one (ours), also where the filter takes the longest only.

    Raises:
        UserError: a video or box that cannot be used, overlapping tracklets of one finding, or too little to train.
    """
    tracklets = cut_tracklets(
        visits, side_px=config.crop_px, context=config.context, reporter=reporter, most_crops=config.most_crops,
        spill=spill,
    )  # fmt: skip
    matching.check_apart(tracklets.table, tracklets.findings)
    links = linked.linked_identities(visits, read_links(config.links_file) if config.links_file is not None else [])
    identities = links.numbers[tracklets.visits]
    tracklets = replace(tracklets, findings=_joined_findings(tracklets.findings, identities))
    held_out_patients = _held_out_patients(tracklets, config)
    is_held_out = np.isin(tracklets.patients, held_out_patients)
    settings = TrackletFilter(**config.model_dump(include=set(TrackletFilter.model_fields)))
    kept = kept_for_training(tracklets.table, settings)
    lengths = np.array([len(each) for each in tracklets.crops], np.int64)
    any_length = kept_for_training(tracklets.table, settings.model_copy(update={"longest_only": False}))
    units = [each for each in _units(kept, any_length, identities) if not is_held_out[each[0]]]
    units = [each for each in units if lengths[each].sum() >= FEWEST_CROPS]
    views.ProcedureBatches([tracklets.patients[each[0]] for each in units], 2)  # says where there are too few patients
    training = np.concatenate(units)
    sentences = [*left_out, *links.left_out, *_left_out(visits, tracklets, np.union1d(kept, training), lengths)]
    used = set(tracklets.table.procedures[training].tolist())
    paths = {visit.study.path for visit in visits if visit.study.study_id in used}
    held_out = np.flatnonzero(is_held_out)
    return ReidData(tracklets, tuple(units), held_out, held_out_patients, tuple(sentences), tuple(sorted(paths)))


def _units(
    kept: NDArray[np.int64], any_length: NDArray[np.int64], identities: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """The tracklets that train together: each that is kept, with all that pass the filter and show the same finding."""
    result: dict[int, NDArray[np.int64]] = {}
    for number in kept.tolist():
        identity = int(identities[number])
        if identity not in result:
            result[identity] = any_length[identities[any_length] == identity]
    return list(result.values())


def _joined_findings(findings: NDArray[np.str_], identities: NDArray[np.int64]) -> NDArray[np.str_]:
    """(T,) the findings, those of linked tracklets by one name: the limit of merging must not keep them apart."""
    counts = Counter(identities.tolist())
    joined = [
        f"linked {identity}" if counts[identity] > 1 else name
        for name, identity in zip(findings.tolist(), identities.tolist(), strict=True)
    ]
    return np.array(joined, np.str_)


def _held_out_patients(tracklets: Tracklets, config: run_settings.ReidConfig) -> tuple[str, ...]:
    patients = np.unique(tracklets.patients)
    if len(patients) < FEWEST_PATIENTS or not config.held_out_share:
        return ()
    count = min(max(1, round(config.held_out_share * len(patients))), len(patients) - 2)
    chosen = np.random.default_rng([config.seed, 2]).permutation(patients)[:count]
    return tuple(sorted(chosen.tolist()))


def _left_out(
    visits: list[Visit], tracklets: Tracklets, kept: NDArray[np.int64], lengths: NDArray[np.int64]
) -> list[str]:
    """Sentences on tracklets that do not train."""
    counts = Counter(
        {
            "have no frame that can be read": len(visits) - len(tracklets),
            "are left out by the filter (too short, too few detections, or not the longest of their study)": len(
                tracklets
            )
            - len(kept),
            Text("have fewer than {fewest_crops} frames", FEWEST_CROPS): int((lengths[kept] < FEWEST_CROPS).sum()),
        }
    )
    return [
        Text("{count:,} of {visits_count:,} tracklets {what}.", count, len(visits), Text(what))
        for what, count in counts.items()
        if count
    ]


DEFAULT = 0.3
"""Limit where there are too few pairs to fix it on (ours): a cosine of 0.7."""
LEAST_PAIRS = 20
"""Pairs of different findings from which 5 % of them can be told."""
OF_A_PROCEDURE = "pairs of different findings of one study"
OF_PATIENTS = "pairs of findings of different patients"
BY_DEFAULT = "a default: there are too few held-out tracklets"


class MergeLimit(NamedTuple):
    """A limit and how it was fixed."""

    distance: float
    """One less the cosine of two tracklets' vectors, in [0, 2]."""
    source: str
    """What it was fixed on, in words."""
    pairs: int
    """How many pairs of different findings."""
    figures: dict[str, Any] | None
    """`matching.pair_figures` of pairs within a study, where their findings are known; else None."""


def fix_limit(held_out: Tracklets, vectors: NDArray[np.floating], false_positives: float) -> MergeLimit:
    """The largest distance up to which at most this share of the held-out pairs of different findings lies.

    The paper merges within a procedure, so pairs of one study count: those that are annotated as different findings, or
    that overlap in time and so are two. Where there are fewer than 20, pairs of different patients take their place
    (ours): they are easier to tell apart, so more pairs within a study are joined than was asked for.
    """
    units = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    first, second = np.triu_indices(len(held_out), 1)
    cosines = np.clip(np.einsum("ij,ij->i", units[first], units[second]).astype(np.float64), -1.0, 1.0)
    table, findings = held_out.table, held_out.findings
    in_study = table.procedures[first] == table.procedures[second]
    overlaps = (table.starts[first] < table.stops[second]) & (table.starts[second] < table.stops[first])
    is_known = (findings[first] != "") & (findings[second] != "")
    is_same = is_known & (findings[first] == findings[second])
    known = in_study & is_known & ~overlaps
    figures = None
    if (is_same & known).any() and (~is_same & known).any():
        figures = matching.pair_figures(is_same[known], cosines[known])
    different = in_study & ~is_same & (is_known | overlaps)
    apart = held_out.patients[first] != held_out.patients[second]
    for chosen, source in ((different, OF_A_PROCEDURE), (apart, OF_PATIENTS)):
        if (count := int(chosen.sum())) >= LEAST_PAIRS:
            return MergeLimit(limit_of_different(cosines[chosen], false_positives), source, count, figures)
    return MergeLimit(DEFAULT, BY_DEFAULT, 0, figures)
