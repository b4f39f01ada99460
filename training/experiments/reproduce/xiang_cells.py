"""The trainings of Xiang et al. 2023, and what needs none; each is computed once and kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.experiments.reproduce import kept_frames, phantom_setting, xiang_rows
from training.metrics.retrieval import QueryFigures, chance_figures
from training.retrieval import evaluation, paired_clips
from training.runs.reporter import Cancelled

METHODS = {"mae": "videomae", "crl": "colo-scrl"}
"""Stage -> method of pretraining."""
STAGES: Mapping[str, tuple[str, ...]] = {
    xiang_rows.RANDOM: (),
    xiang_rows.MAE: ("mae",),
    xiang_rows.CRL: ("crl",),
    xiang_rows.MAE_CRL: ("mae", "crl"),
}
"""Key of a row -> the pretrainings of its encoder, one after the other."""
REGIONS = ("stomach", "small bowel", "colon")


@dataclass(frozen=True)
class XiangSetting(phantom_setting.PhantomSetting[xiang_rows.XiangBudget]):
    """The clips of the phantom."""

    @property
    def query_place(self) -> str:
        """Where queries are taken from, in a sentence."""
        return "the first of two passes"

    @property
    def notes(self) -> list[str]:
        """Sentences on the data, under the table."""
        return ["The phantom replaces the paper's colonoscopies."]

    @cached_property
    def pairs(self) -> list[paired_clips.PairedClips]:
        """Queries and galleries of the labelled patients."""
        return evaluation.open_pairs(self.phantom.manifest, self.phantom.labels, self.budget.clips)

    @cached_property
    def parts(self) -> list[tuple[Path, list[int]]]:
        """Manifest of the studies that train together, and the pairs (rows) that their encoders embed."""
        manifest = self.phantom.outside if self.config.train_on == "others" else self.phantom.manifest
        return [(manifest, list(range(len(self.pairs))))]

    def vectors(
        self, name: str, embed: evaluation.Embed, rows: Sequence[int] | None = None
    ) -> list[evaluation.PairVectors]:
        """The clips of these pairs as vectors; None: of all."""
        size, length, vectors = self.budget.encoder.input_size, self.budget.clips.length, []
        pairs = self.pairs if rows is None else [self.pairs[row] for row in rows]
        for number, pair in enumerate(pairs):
            self.reporter.progress(number, len(pairs), "patients", f"embedding clips ({name})")
            vectors.append(evaluation.pair_vectors(pair, embed, length=length, size=size, reporter=self.reporter))
        return vectors

    def mean_of_frames(self, clips: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Mean over the frames of the pooled features of EfficientNet-Lite0 with its ImageNet weights."""
        import torch

        from training.reidentification.training import frame_embeddings

        with torch.inference_mode():
            return np.stack([each.mean(axis=0) for each in frame_embeddings(self.imagenet_network, list(clips))])


def untrained_cell(setting: XiangSetting) -> phantom_setting.Cell:
    """The queries with their galleries and chance, and the figures of what learns nothing from clips; kept."""

    def compute(place: Path) -> phantom_setting.Cell:
        times = [
            evaluation.PairVectors(
                evaluation.relative_time(pair.query_starts, pair.query_stops, pair.frames[0]),
                evaluation.relative_time(pair.gallery_starts, pair.gallery_stops, pair.frames[1]),
            )
            for pair in setting.pairs
        ]
        by_time = evaluation.evaluate(setting.pairs, times, xiang_rows.TIME)
        values = {xiang_rows.TIME: _values(by_time.figures)}
        for name, vectors in _computed_vectors(setting).items():
            values[name] = _values(evaluation.evaluate(setting.pairs, vectors, name).figures)
        if setting.has_imagenet():
            vectors = setting.vectors(xiang_rows.LITE0, setting.mean_of_frames)
            values[xiang_rows.LITE0] = _values(evaluation.evaluate(setting.pairs, vectors).figures)
        return {
            "patients": by_time.patients.tolist(),
            "gallery": by_time.figures.gallery.tolist(),
            "relevant": by_time.figures.relevant.tolist(),
            "left_out": by_time.figures.left_out,
            "chance": _values(chance_figures(by_time.figures)),
            "values": values,
            "shown": kept_frames.keep_queries(setting.pairs, setting.budget.clips.length, place),
        }

    return setting.cells.cell("xiang-untrained", _untrained_decides(setting), compute)


def _untrained_decides(setting: XiangSetting) -> dict[str, Any]:
    return _decides(setting) | {"lite0": setting.has_imagenet()}


def shown_folder(setting: XiangSetting, key: str = "", seed: int = 0) -> Path:
    """Where a cell keeps the frames that a page shows: that of an encoder, or with "" the untrained one."""
    if not key:
        return setting.cells.place("xiang-untrained", _untrained_decides(setting))
    return setting.cells.place(f"xiang-{key}", _decides(setting) | _training(setting, key, seed))


def trained_cell(setting: XiangSetting, key: str, seed: int) -> phantom_setting.Cell:
    """The figures of one encoder, or of one for each part; kept with its run folders, which continue after a stop.

    Raises:
        Cancelled: a stop before the training was done, or as the reporter asked.
    """
    decides = _decides(setting) | _training(setting, key, seed)

    def compute(place: Path) -> phantom_setting.Cell:
        vectors: dict[int, evaluation.PairVectors] = {}
        steps: list[int] = []
        for part, (_, rows) in enumerate(setting.parts):
            steps, embed = _encoder(setting, key, seed, part)
            vectors |= dict(zip(rows, setting.vectors(key, embed, rows), strict=True))
        every = [vectors[row] for row in sorted(vectors)]
        figures = evaluation.evaluate(setting.pairs, every).figures
        retrieved = kept_frames.keep_retrieved(setting.pairs, every, setting.budget.clips.length, place)
        return {"seed": seed, "key": key, "steps": steps, "values": _values(figures), "retrieved": retrieved}

    return setting.cells.cell(f"xiang-{key}", decides, compute)


def _encoder(setting: XiangSetting, key: str, seed: int, part: int) -> tuple[list[int], evaluation.Embed]:
    """Steps of each stage, and what embeds clips."""
    from training.compute.devices import training_device
    from training.retrieval.embedding import open_clip_model, untrained_clip_model

    device = training_device(setting.config.device, setting.reporter)
    if key == xiang_rows.RANDOM:
        return [], untrained_clip_model(setting.budget.encoder, seed, device, setting.budget.frame_step).embed
    start, steps = "random", []
    for stage in STAGES[key]:
        run, done = _pretrained(setting, stage, start, seed, part)
        start = str(run)
        steps.append(done)
    return steps, open_clip_model(Path(start), device=device).embed


def _pretrained(setting: XiangSetting, stage: str, start: str, seed: int, part: int) -> tuple[Path, int]:
    """The run folder of one stage and its steps; what is unfinished there is continued.

    Raises:
        Cancelled: a stop before its last step.
    """
    from training.pretraining.config import pretrain_config
    from training.pretraining.run import pretrain

    key = ("mae-crl" if start != "random" else stage) if stage == "crl" else "mae"
    of_part = {"part": part} if len(setting.parts) > 1 else {}
    run = setting.cells.place(f"xiang-run-{key}", _training(setting, key, seed) | of_part)
    config = pretrain_config(
        studies=setting.parts[part][0],
        out=run,
        method=METHODS[stage],
        init=start,
        seed=seed,
        device=setting.config.device,
        threads=setting.config.threads,
        resume=run.exists(),
        **stage_settings(setting, stage),
    )
    done = pretrain(config, setting.reporter)
    if not done["finished"]:
        raise Cancelled
    return run, int(done["steps_done"])


def stage_settings(setting: XiangSetting, stage: str) -> dict[str, Any]:
    """Settings of a stage's pretraining, with the encoder's sizes."""
    encoder, budget = setting.budget.encoder, setting.budget
    sizes = {name: getattr(encoder, name) for name in ("input_size", "cube_frames", "cube_size", "width", "blocks")}
    own = budget.mae if stage == "mae" else budget.crl
    clips = {"sequence_length": encoder.frames * budget.frame_step, "frame_step": budget.frame_step}
    return {"regions": REGIONS, **clips, "heads": encoder.heads, **sizes, **own}


def _training(setting: XiangSetting, key: str, seed: int) -> dict[str, Any]:
    """What decides an encoder's weights."""
    trained = {stage: stage_settings(setting, stage) for stage in STAGES[key]}
    start = {"encoder": setting.budget.encoder.model_dump(), "seed": seed, "protocol": xiang_rows.PROTOCOL}
    return {**start, **trained, "train_on": setting.config.train_on, "training_data": setting.key}


def _decides(setting: XiangSetting) -> dict[str, Any]:
    """What decides the queries and galleries."""
    budget = setting.budget
    clips = {"clips": budget.clips.model_dump(), "size": budget.encoder.input_size}
    return {**clips, "data": setting.key, "protocol": xiang_rows.PROTOCOL}


def _computed_vectors(setting: XiangSetting) -> dict[str, list[evaluation.PairVectors]]:
    """Name of a baseline -> vectors; all of them from the same reading of the studies."""

    def embed(clips: NDArray[np.uint8]) -> NDArray[np.float64]:
        return np.stack([np.concatenate([vector(clip) for vector in evaluation.COMPUTED.values()]) for clip in clips])

    together = setting.vectors("baselines", embed)
    black = np.zeros((1, 1, 1, 3), np.uint8)
    ends = np.cumsum([len(vector(black)) for vector in evaluation.COMPUTED.values()])
    columns = {
        name: slice(end - len(evaluation.COMPUTED[name](black)), end)
        for name, end in zip(evaluation.COMPUTED, ends, strict=True)
    }
    return {
        name: [evaluation.PairVectors(each.queries[:, mine], each.gallery[:, mine]) for each in together]
        for name, mine in columns.items()
    }


def _values(figures: QueryFigures) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in figures.values().items()}
