"""One fold: start, finetune on its training frames, score its held-out frames, and keep what pages are made from.

A pretraining of one fold's own: on the studies of everybody but those whom the fold holds out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.compute.devices import choose_autocast, training_device
from training.compute.plan import choose_plan
from training.datasets.folds import Fold, share_of_labels
from training.datasets.frame_store import FrameStore, room_for
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.datasets.pretraining_spans import read_labelled_images, read_video_frames, video_run_manifest
from training.errors import UserError
from training.evaluation.evaluate_config import EvaluateConfig
from training.evaluation.finished_model import FinishedModel
from training.finetuning.config import FinetuneConfig, finetune_config
from training.finetuning.fitting import fit
from training.finetuning.negatives import NegativeFrames, numbers_among, placed
from training.finetuning.starting_point import starting_point
from training.inference.engine import Engine, open_engine, run_prepared
from training.inference.torch_engine import score_frames
from training.models.backbones import GRAPH
from training.models.inference_network import network_of_model
from training.models.network import FrameClassifier, load_network
from training.pretraining.config import PretrainConfig, pretrain_config
from training.runs.reporter import PassedOn, Reporter


def pretraining_manifest(config: EvaluateConfig) -> Manifest:
    """The studies that folds pretrain on, before anybody is held out.

    Raises:
        UserError: unusable files, or a split without patients.
    """
    if not config.needs_patients:
        raise UserError(
            "A pretraining in each fold needs patients, to leave out the held-out ones.",
            "Split by patients, or pretrain on other studies and give that run as --init.",
        )
    source = config.pretrain_studies or config.studies
    assert source is not None  # checked by the config
    if source.suffix.lower() != ".csv":
        return load_manifest(source)
    video = config.pretrain_video or source.with_name("video.mp4")
    if not video.is_file():
        raise UserError("There is no video {video}.", "Name it: --set pretrain_video=FILE.", video)
    group_of = {row.filename: row.group for row in read_labelled_images(config.labels, config.by)}
    return video_run_manifest(video.resolve(), read_video_frames(source), group_of)


def fold_pretraining(config: EvaluateConfig, fold: Fold, manifest: Manifest, out: Path, seed: int) -> PretrainConfig:
    """The settings of one fold's pretraining; its manifest is written into the report folder, beside `out`.

    Args:
        config: method, preset and further settings.
        fold: who is held out; their studies are taken out of the manifest, and the run checks it once more.
        manifest: all studies.
        out: run folder.
        seed: of the pretraining.

    Raises:
        UserError: nobody is left, or a setting cannot be used.
    """
    left = tuple(study for study in manifest.studies if study.patient_id not in fold.held_out_patients)
    if not left:
        raise UserError(
            "Fold {number} leaves no study to pretrain on.", "Take more folds or more studies.", fold.number + 1
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    path = out.with_name(f"{out.name}-studies.json")
    save_manifest(path, Manifest(studies=left))
    is_video_runs = bool(config.pretrain_studies and config.pretrain_studies.suffix.lower() == ".csv")
    given = {"each_span_is_a_study": is_video_runs, **config.pretrain_settings}
    return pretrain_config(
        **given,
        studies=path,
        out=out,
        method=config.pretrain,
        preset=config.pretrain_preset,
        held_out_patients=tuple(sorted(fold.held_out_patients)),
        device=config.device,
        precision=config.precision,
        seed=seed,
        resume=True,
    )


class FoldReporter(PassedOn):
    """Passes everything on, with the fold in front of what is said, and steps named by their fold."""

    def __init__(self, inner: Reporter, prefix: str) -> None:
        super().__init__(inner)
        self._prefix = prefix

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Pass on with the fold."""
        self._inner.progress(done, total, unit, self._prefix + what)

    def log(self, line: str) -> None:
        """Pass on with the fold."""
        self._inner.log(self._prefix + line)


CHUNK = 1024
"""Held-out frames scored at once."""
OnScored = Callable[[FrameClassifier, NDArray[np.int64], NDArray[np.float32]], None]
"""Gets the network, held-out rows (m,) and their scores (m, C) while the network is still there."""


@dataclass(frozen=True)
class FoldScores:
    """What one training of one fold says of the frames that it never saw."""

    fold: int
    seed: int
    rows: NDArray[np.int64]
    """(m,) rows of the evaluation set, ascending."""
    scores: NDArray[np.float32]
    """(m, C) over the set's classes, in [0, 1]."""
    learned_from: int
    """Frames."""
    steps: int
    start: str
    """What training started from, in words for the report."""
    absent: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """(n,) classes that a reader rejected on a frame of a held-out patient, one for each frame and class."""
    absent_scores: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    """(n, C) of these frames."""


def finetuning_of(config: EvaluateConfig, seed: int, init: str) -> FinetuneConfig:
    """The finetuning that each fold does: the preset, then the further settings, then what has a field here."""
    given = {
        "method": config.method,
        "backbone": config.backbone,
        "input_size": config.input_size,
        "batch_size": config.batch_size,
        "threads": config.threads,
        "steps": config.steps,
    }
    return finetune_config(
        **config.settings,
        **{name: value for name, value in given.items() if value is not None},
        studies=config.studies or config.images,
        labels=config.labels,
        out=config.out,
        classes=config.classes,
        preset=config.preset,
        init=init,
        device=config.device,
        precision=config.precision,
        seed=seed,
    )


def run_fold(
    config: EvaluateConfig,
    fold: Fold,
    store: FrameStore,
    reporter: Reporter,
    *,
    seed: int,
    init: str,
    spill: Path | None = None,
    negatives: NegativeFrames | None = None,
    on_trained: OnScored | None = None,
) -> FoldScores | None:
    """Train on one fold and score what it holds out; None where a stop cut the training short.

    Args:
        config: method, preset, settings.
        fold: rows of `store`.
        store: all prepared frames.
        reporter: progress of the training.
        seed: of this training.
        init: what it starts from (a fold's own pretraining is a run folder by now).
        negatives: frames on which a class is not there; those of held-out patients are not learned from, but scored.
        spill: where training frames go that do not fit into memory; the caller removes it.
        on_trained: see `OnScored`.

    Raises:
        UserError: the weights that the fold starts from were trained on a held-out patient, or training failed.
    """
    finetuning = finetuning_of(config, seed, init)
    start = starting_point(finetuning, store.labelled.classes, f"fold-{fold.number}", reporter)
    _check_not_trained_on(start.training_patients, fold, init)
    device = training_device(config.device, reporter)
    network = start.network.to(device)
    rows = share_of_labels(store.labelled, fold.training, config.label_share, config.fold_seed)
    training = subset(store, rows, spill, config.memory_mib << 20)
    known = () if negatives is None else (negatives.without(fold.held_out_patients),)
    fitted = fit(finetuning, network, training, reporter, negatives=known)
    if not fitted.is_finished:
        return None  # what a half-trained network says is not the method's word
    autocast = choose_autocast(config.precision, device)
    scores = score_rows(fitted.network, store, fold.held_out, reporter, autocast)
    if on_trained is not None and np.isfinite(scores).all():  # whoever gets a diverged fold's scores says so
        on_trained(fitted.network, fold.held_out, scores)
    began = start.lineage
    name = began.get("model_id") or began.get("run") or began.get("file") or ""
    words = f"{began.get('init', 'random')} {name}".strip()
    result = FoldScores(fold.number, seed, fold.held_out, scores, len(rows), fitted.steps_done, words)
    score = partial(score_rows, fitted.network, reporter=reporter, autocast=autocast, classes=store.labelled.classes)
    return _with_negatives(result, fold, negatives, store.labelled.classes, score)


def apply_model(
    config: EvaluateConfig,
    model: FinishedModel,
    fold: Fold,
    store: FrameStore,
    reporter: Reporter,
    *,
    negatives: NegativeFrames | None = None,
    on_scored: OnScored | None = None,
) -> FoldScores:
    """Score a fold's held-out frames with a finished model; see `run_fold`.

    A classifier of another program has no network in torch: `on_scored`, which would explain it, is not called.
    """
    device = training_device(config.device, reporter)
    network = (
        open_engine(network_of_model(model.folder), choose_plan("cpu"), reporter.log)
        if model.folder.config.backbone == GRAPH
        else load_network(model.folder, device)
    )
    autocast = choose_autocast(config.precision, device)
    columns = model.columns(store.labelled.classes)
    scores = score_rows(network, store, fold.held_out, reporter, autocast, columns)
    if on_scored is not None and isinstance(network, FrameClassifier) and np.isfinite(scores).all():
        on_scored(network, fold.held_out, scores)
    result = FoldScores(fold.number, config.seed, fold.held_out, scores, 0, 0, f"model {model.folder.config.model_id}")
    score = partial(score_rows, network, reporter=reporter, autocast=autocast, classes=columns)
    return _with_negatives(result, fold, negatives, store.labelled.classes, score)


def _with_negatives(
    result: FoldScores,
    fold: Fold,
    negatives: NegativeFrames | None,
    classes: Sequence[str],
    score: Callable[[FrameStore, NDArray[np.int64]], NDArray[np.float32]],
) -> FoldScores:
    """The same with scores of the held-out frames on which a class is not there."""
    if negatives is None:
        return result
    frames = negatives.frames
    of_fold = negatives.negatives.select(np.isin(negatives.negatives.patients, fold.held_out_patients))
    kept, rows = placed(of_fold, frames.labelled, classes)
    if not len(kept):
        return result
    wanted, where = np.unique(rows, return_inverse=True)
    return replace(result, absent=numbers_among(kept, classes), absent_scores=score(frames, wanted)[where])


def subset(store: FrameStore, rows: NDArray[np.int64], spill: Path | None, memory_bytes: int) -> FrameStore:
    """Some rows of a store as a store of their own, in memory or in a mapped file."""
    shape = (len(rows), *store.pixels.shape[1:])
    if spill is None or int(np.prod(shape)) <= memory_bytes:
        return store.select(rows)
    pixels = room_for(shape, memory_bytes, spill)
    for first in range(0, len(rows), CHUNK):
        pixels[first : first + CHUNK] = store.pixels[rows[first : first + CHUNK]]
    return FrameStore(store.labelled.select(rows), pixels, store.is_round[rows], store.boxes[rows])


def score_rows(
    network: FrameClassifier | Engine,
    store: FrameStore,
    rows: NDArray[np.int64],
    reporter: Reporter,
    autocast: torch.dtype | None = None,
    classes: Sequence[str] = (),
) -> NDArray[np.float32]:
    """(m, C) scores over the store's classes, or those given: a network with more is asked among these only."""
    chunks = (store.pixels[rows[first : first + CHUNK]] for first in range(0, len(rows), CHUNK))
    if isinstance(network, Engine):
        parts = [output.scores for chunk in chunks for output in run_prepared(network, chunk, reporter)]
    else:
        parts = [score_frames(network, chunk, reporter, autocast=autocast).scores for chunk in chunks]
    config = network.network if isinstance(network, Engine) else network.config
    columns = [config.classes.index(name) for name in classes or store.labelled.classes]
    scores = np.concatenate(parts)[:, columns].astype(np.float64)
    if config.scores == "against_normal" and columns[0] == 0:
        scores[:, 0] = 1 - scores[:, 1:].max(axis=1)
        return np.asarray(scores, np.float32)
    total = np.maximum(scores.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    return np.asarray(scores / total, np.float32)


def _check_not_trained_on(trained_on: frozenset[str], fold: Fold, init: str) -> None:
    known = sorted(trained_on & set(fold.held_out_patients))
    if known:
        raise UserError(
            "The patient {known} is held out in fold {number}, but {init} was trained on it ({count} such patients).",
            "Start from weights that were not trained on the labelled patients, or pretrain in each fold.",
            known[0],
            fold.number + 1,
            init,
            len(known),
        )
