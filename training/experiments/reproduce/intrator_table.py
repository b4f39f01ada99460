"""A table of Intrator et al. 2023 on the phantom: encoders trained once and kept, the paper's figures beside ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.experiments.reproduce.figures import CANNOT, WHOLE, Measured
from training.experiments.reproduce.intrator import (
    CHANCE,
    HISTOGRAM,
    INTERVAL,
    INTRATOR_BUDGETS,
    INTRATOR_TABLES,
    JOINED,
    LITE0,
    PROTOCOL,
    REDNESS,
    TITLE,
    TRACKING,
    UNTRAINED,
    IntratorBudget,
    IntratorRow,
    IntratorTable,
    departures,
    rows_of,
)
from training.experiments.reproduce.outcome import COLUMNS, NOTHING, check_results, result_names, write_results
from training.experiments.reproduce.phantom_set import RenderedPhantom, rendered
from training.experiments.reproduce.plan import seeds_from
from training.experiments.reproduce.published import Figures, published_figures
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.text_table import aligned, shortened
from training.metrics.pooled import pooled_auc
from training.models.backbones import BACKBONES, DEFAULT_BACKBONE, has_imagenet_weights
from training.reidentification.baselines import colour_histograms, redness_similarities
from training.reidentification.filtering import kept_for_training
from training.reidentification.fragmentation import fragmentation, limit_of_distance, merged_groups
from training.reidentification.matching import TECHNIQUES, judge, pair_similarities, pairs_to_judge, shows_the_same
from training.reidentification.tracklets import Tracklets, read_tracklets
from training.runs.folder import keep_result, kept_result, key_of
from training.runs.reporter import Cancelled, Reporter

BOOTSTRAPS = 1000
SPREAD = "± is the standard deviation over the seeds, with their number in brackets; shares are from 0 to 1."
Cell = Mapping[str, Any]
"""The JSON values that are kept of a training, or of what needs none."""


@dataclass(frozen=True)
class Setting:
    """What all cells of a call share."""

    config: ReproduceConfig
    budget: IntratorBudget
    phantom: RenderedPhantom
    reporter: Reporter

    @cached_property
    def training(self) -> Tracklets:
        """The tracklets of the patients that train, all of them."""
        return self._read(self.phantom.outside)

    @cached_property
    def judged(self) -> Tracklets:
        """The tracklets of the other patients."""
        return self._read(self.phantom.manifest)

    @cached_property
    def starts_from_imagenet(self) -> bool:
        """Whether the encoders' trunk has ImageNet weights that are at hand, or that may be downloaded."""
        name = self.budget.backbone
        return name in BACKBONES and (self.config.download or self.has_weights(name))

    @cached_property
    def threads(self) -> int:
        """CPU threads that were asked for, else the fastest number; measured where something is computed."""
        from training.reidentification.config import EncoderConfig
        from training.reidentification.encoder import SingleFrameEncoder
        from training.reidentification.training import fastest_threads

        encoder = SingleFrameEncoder(EncoderConfig(backbone=DEFAULT_BACKBONE)).eval()
        return self.config.threads or fastest_threads(encoder, self.budget.crop_px)

    def has_weights(self, backbone: str) -> bool:
        """Whether the ImageNet weights of a backbone are at hand."""
        return has_imagenet_weights(backbone, self.config.weights_cache)

    def _read(self, manifest: Path) -> Tracklets:
        labels, boxes = manifest.with_name("labels.csv"), manifest.with_name("boxes.csv")
        side, context = self.budget.crop_px, self.budget.context
        return read_tracklets(manifest, labels, boxes, side_px=side, context=context, reporter=self.reporter)


def reproduce_intrator(config: ReproduceConfig, reporter: Reporter) -> dict[str, Any]:
    """Compute a table; both tables share the trainings, which are kept.

    Returns:
        JSON values: text (the printed table), table, budget, finished, is_comparison, json and csv (paths).

    Raises:
        UserError: unusable input, or a loss that is not finite.
        Cancelled: as the reporter asked, or a stop before the first training was done.
    """
    table, budget = INTRATOR_TABLES[config.table], INTRATOR_BUDGETS[config.budget]
    check_results(config.out, result_names(table.name, budget.name, budget.phantom.key), overwrite=config.overwrite)
    setting = Setting(config, budget, rendered(budget.phantom, config.cache, reporter), reporter)
    seeds = seeds_from(config.seed, config.seeds or budget.seeds)
    untrained = untrained_cell(setting)
    trained = _trained(setting, seeds)
    lines = table_lines(setting, table, untrained, trained)
    notes = _notes(setting, table, untrained, len(trained))
    as_json, as_csv = _write(setting, table, lines, notes, {"untrained": untrained, "trained": trained})
    return {
        "text": _text(setting, table, lines, notes),
        "table": table.name,
        "budget": budget.name,
        "is_comparison": budget.is_comparison,
        "finished": len(trained) == len(seeds),
        "json": str(as_json),
        "csv": str(as_csv),
    }


def untrained_cell(setting: Setting) -> Cell:
    """The judged pairs with their truth, and the similarities that need no training; kept."""
    decides = _decides(setting) | {"lite0": setting.has_weights(DEFAULT_BACKBONE)}
    folder = setting.config.out / "cells" / f"intrator-untrained-{key_of(decides)}"
    kept = kept_result(folder)
    if kept is not None:
        return kept
    judged = setting.judged
    pairs = pairs_to_judge(judged.table)
    similarities = {
        HISTOGRAM: pair_similarities([colour_histograms(each) for each in judged.crops], pairs, "averaging"),
        REDNESS: redness_similarities(judged.crops, pairs),
    }
    if setting.has_weights(DEFAULT_BACKBONE):
        similarities[LITE0] = pair_similarities(_imagenet_features(setting), pairs, "averaging")
    result = {
        "procedures": judged.table.procedures.tolist(),
        "findings": judged.findings.tolist(),
        "classes": judged.classes.tolist(),
        "pairs": pairs.tolist(),
        "is_same": shows_the_same(judged.table, judged.findings, pairs).tolist(),
        "similarities": _as_lists(similarities),
        "training": _counts(setting),
    }
    keep_result(folder, decides, result)
    return result


def trained_cell(setting: Setting, seed: int) -> Cell:
    """The similarities by both encoders, trained with one seed; kept with their weights (safetensors)."""
    encoders = setting.budget.encoders.model_copy(update={"seed": seed})
    start = "imagenet" if setting.starts_from_imagenet else "random"
    decides = _decides(setting) | {
        "backbone": setting.budget.backbone,
        "encoders": encoders.model_dump(),
        "start": start,
    }
    folder = setting.config.out / "cells" / f"intrator-{key_of(decides)}"
    kept = kept_result(folder)
    if kept is not None:
        return kept
    similarities = _train_and_compare(setting, seed, folder)
    steps = [encoders.frame_steps, encoders.tracklet_steps]
    result = {"seed": seed, "steps": steps, "similarities": _as_lists(similarities)}
    keep_result(folder, decides, result)
    return result


def table_lines(
    setting: Setting, table: IntratorTable, untrained: Cell, trained: Sequence[Cell]
) -> list[tuple[str, ...]]:
    """One line for each row and figure, in the order of `COLUMNS`."""
    published = published_figures(setting.config.published)
    made: list[tuple[str, ...]] = []
    for row in rows_of(table, weights_there=setting.starts_from_imagenet):
        found = [] if row.key in UNTRAINED else trained
        seeds = str(len(found)) if found and row.key else NOTHING
        steps = " + ".join(f"{step:,}" for step in found[0]["steps"]) if found and row.key else NOTHING
        why_not = _why_not(row, untrained, trained)
        for figure in (*table.figures, *(() if row.key == CHANCE else table.ours)):
            paper = _paper(published, table, row, figure)
            ours = why_not or _ours(table, row.key, figure, untrained, trained)
            made.append((row.name, figure, paper, ours, seeds, steps, setting.budget.phantom.sentence))
    return made


def _why_not(row: IntratorRow, untrained: Cell, trained: Sequence[Cell]) -> str:
    """Why a row has no figures of ours; empty where it has."""
    if not row.key or (row.key == LITE0 and LITE0 not in untrained["similarities"]):
        return "weights absent"
    return "not reached" if row.key in TECHNIQUES and not trained else ""


def _paper(published: Figures, table: IntratorTable, row: IntratorRow, figure: str) -> str:
    known = None if row.is_ours else published.get((table.name, row.name, figure))
    return known.text if known else NOTHING


def _ours(table: IntratorTable, key: str, figure: str, untrained: Cell, trained: Sequence[Cell]) -> str:
    """A figure as text: the mean over the seeds with its deviation; of what has no seeds, the value alone."""
    is_same = np.array(untrained["is_same"], np.bool_)
    if key == CHANCE:
        chance = {"AUROC": 0.5, "AUPRC": float(is_same.mean())}
        return f"{chance[figure]:.3f}"
    if figure == INTERVAL:
        tracks = [similarities for _, similarities in _similarities(key, untrained, trained)]
        return _interval(is_same, tracks, untrained)
    values = {}
    if key == TRACKING:
        values[0, WHOLE] = _fragmentation(untrained, None).get(table.figures.get(figure, figure))
    for seed, similarities in _similarities(key, untrained, trained):
        found = judge(is_same, similarities) if _judges_pairs(table) else _fragmentation(untrained, similarities)
        values[seed, WHOLE] = found.get(table.figures.get(figure, figure))
    measured = Measured({at: value for at, value in values.items() if value is not None})
    if key in UNTRAINED:
        return CANNOT if measured.mean is None else f"{measured.mean:.3f}"
    return measured.sentence


def _judges_pairs(table: IntratorTable) -> bool:
    """Whether a table judges pairs; else it counts fragments."""
    return "AUROC" in table.figures


def _similarities(key: str, untrained: Cell, trained: Sequence[Cell]) -> list[tuple[int, NDArray[np.float64]]]:
    """(seed, similarities of the pairs) of a row; one of seed 0 where nothing was trained."""
    if key in TECHNIQUES:
        return [(int(cell["seed"]), np.array(cell["similarities"][key], np.float64)) for cell in trained]
    known = untrained["similarities"]
    return [(0, np.array(known[key], np.float64))] if key in known else []


def _interval(is_same: NDArray[np.bool_], tracks: list[NDArray[np.float64]], untrained: Cell) -> str:
    """ "0.612 to 0.801": of the AUROC, by drawing whole procedures."""
    procedures = np.array(untrained["procedures"], np.str_)
    whose = procedures[np.array(untrained["pairs"], np.int64)[:, 0]]
    found = pooled_auc(is_same, [np.asarray(track) for track in tracks], whose, BOOTSTRAPS, 0)
    return CANNOT if found.low is None else f"{found.low:.3f} to {found.high:.3f}"


def _fragmentation(untrained: Cell, similarities: NDArray[np.float64] | None) -> dict[str, float | None]:
    """The figures of Table 2 after joining by similarities; None: before."""
    procedures = np.array(untrained["procedures"], np.str_)
    findings, pairs = np.array(untrained["findings"], np.str_), np.array(untrained["pairs"], np.int64)
    is_same = np.array(untrained["is_same"], np.bool_)
    groups = np.arange(len(procedures), dtype=np.int64)
    if similarities is not None:
        groups = merged_groups(procedures, pairs, similarities, limit_of_distance(is_same, similarities))
    joined = groups[pairs[~is_same, 0]] == groups[pairs[~is_same, 1]]
    return {**fragmentation(procedures, findings, groups)._asdict(), JOINED: float(joined.mean())}


def _trained(setting: Setting, seeds: Sequence[int]) -> list[Cell]:
    """The cells of the seeds; fewer after a stop."""
    made: list[Cell] = []
    for seed in seeds:
        setting.reporter.log(f"Encoders of re-identification, seed {seed} ({len(made) + 1} of {len(seeds)})")
        try:
            made.append(trained_cell(setting, seed))
        except Cancelled:
            if not setting.reporter.stop_requested or not made:
                raise
            break
    return made


def _train_and_compare(setting: Setting, seed: int, folder: Path) -> dict[str, NDArray[np.float64]]:
    """Train both encoders, keep their weights, and compare the judged pairs by each technique."""
    import torch

    from training.compute.devices import training_device
    from training.optimisation.pace import threads_for_training
    from training.reidentification.config import EncoderConfig
    from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder
    from training.reidentification.training import frame_embeddings, tracklet_vectors, train_frames, train_tracklets
    from training.runs.checkpoint import write_tensors

    budget, reporter = setting.budget, setting.reporter
    settings = budget.encoders.model_copy(update={"seed": seed})
    rows = kept_for_training(setting.training.table, budget.kept)
    crops = [setting.training.crops[at] for at in rows]
    procedures = setting.training.table.procedures[rows].tolist()
    device = training_device(setting.config.device, reporter)
    folder.mkdir(parents=True, exist_ok=True)
    with torch.random.fork_rng(), threads_for_training(setting.threads):
        torch.manual_seed(seed)
        frames = SingleFrameEncoder(EncoderConfig(backbone=budget.backbone))
        _fill_from_imagenet(setting, frames.trunk)
        train_frames(frames.to(device), crops, procedures, settings, reporter)
        write_tensors(folder / "single-frame.safetensors", _state(frames), {"backbone": budget.backbone})
        embeddings = frame_embeddings(frames, setting.judged.crops)
        joint = MultiViewEncoder(frames).to(device)
        train_tracklets(joint, crops, procedures, settings, reporter)
        write_tensors(folder / "multi-view.safetensors", _state(joint), {"backbone": budget.backbone})
        vectors = tracklet_vectors(joint, setting.judged.crops, settings.views)
    pairs = pairs_to_judge(setting.judged.table)
    return {name: pair_similarities(vectors if name == "joint" else embeddings, pairs, name) for name in TECHNIQUES}


def _fill_from_imagenet(setting: Setting, trunk: Any) -> None:
    """Put ImageNet weights into a trunk, where there are any."""
    from training.models.imagenet import imagenet_state
    from training.models.trunk_weights import fill_trunk

    if setting.starts_from_imagenet:
        name, config = setting.budget.backbone, setting.config
        state = imagenet_state(
            name, config.weights_cache, download_consented=config.download, reporter=setting.reporter
        )
        fill_trunk(trunk, state, name, "ImageNet")


def _state(network: Any) -> dict[str, Any]:
    return {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}


def _imagenet_features(setting: Setting) -> list[NDArray[np.float32]]:
    """T arrays (n, 1280): the pooled features of the crops of the judged tracklets, ImageNet weights."""
    from torch import nn

    from training.models.imagenet import imagenet_state
    from training.models.trunk_weights import fill_trunk
    from training.optimisation.pace import threads_for_training
    from training.reidentification.config import EncoderConfig
    from training.reidentification.encoder import SingleFrameEncoder
    from training.reidentification.training import frame_embeddings

    network = SingleFrameEncoder(EncoderConfig(backbone=DEFAULT_BACKBONE))
    fill_trunk(
        network.trunk, imagenet_state(DEFAULT_BACKBONE, setting.config.weights_cache), DEFAULT_BACKBONE, "ImageNet"
    )
    network.head = nn.Sequential()
    with threads_for_training(setting.threads):
        return frame_embeddings(network.eval(), setting.judged.crops)


def _decides(setting: Setting) -> dict[str, Any]:
    """What decides the judged pairs and the tracklets that train."""
    budget = setting.budget
    cut = {"crop_px": budget.crop_px, "context": budget.context, "kept": budget.kept.model_dump()}
    return {**cut, "data": budget.phantom.key, "protocol": PROTOCOL}


def _counts(setting: Setting) -> dict[str, int]:
    """How much there is to train on."""
    every = setting.training
    rows = kept_for_training(every.table, setting.budget.kept)
    return {
        "tracklets": len(rows),
        "procedures": len(np.unique(every.table.procedures[rows])),
        "frames": sum(len(every.crops[at]) for at in rows),
    }


def _as_lists(similarities: Mapping[str, NDArray[np.float64]]) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in similarities.items()}


def _notes(setting: Setting, table: IntratorTable, untrained: Cell, seeds: int) -> list[str]:
    """Sentences under the table."""
    budget, training, is_same = setting.budget, untrained["training"], untrained["is_same"]
    said = [] if budget.is_comparison else ["Not a comparison: this budget only checks that everything works."]
    batch = min(budget.encoders.procedures, training["procedures"])
    said += [
        f"Judged: {len(is_same):,} pairs, {sum(is_same):,} of them of the same finding, of "
        f"{len(untrained['procedures']):,} tracklets of {len(set(untrained['procedures']))} procedures "
        "(paper: 600 pairs, 252 of the same).",
        f"Trained on {training['tracklets']:,} tracklets ({training['frames']:,} frames) of {training['procedures']} "
        f"procedures of other patients (paper: 15,465 tracklets), {batch} in a batch; {seeds} "
        f"seed{'' if seeds == 1 else 's'}, budget {budget.name}.",
        "Steps: of the single-frame encoder + of the multi-view encoder, which goes on from its weights.",
        SPREAD,
        *table.notes,
        *departures(budget),
        "The phantom replaces the paper's colonoscopies: findings of all kinds stand for its polyps.",
    ]
    sources = {known.source for (name, _, _), known in published_figures().items() if name == table.name}
    return [*said, *(f"The paper's figures: {source}." for source in sorted(sources))]


def _text(setting: Setting, table: IntratorTable, lines: Sequence[tuple[str, ...]], notes: Sequence[str]) -> str:
    return "\n\n".join(
        [
            f"{TITLE}\n{table.title}\nData: {setting.budget.phantom.sentence}",
            aligned(COLUMNS[:-1], shortened([line[:-1] for line in lines])),
            "\n".join(f"* {note}" for note in notes),
        ]
    )


def _write(
    setting: Setting,
    table: IntratorTable,
    lines: Sequence[tuple[str, ...]],
    notes: Sequence[str],
    cells: Mapping[str, Any],
) -> tuple[Path, Path]:
    """JSON and CSV beside the cells; returns their paths."""
    budget = setting.budget
    content = {
        "schema_version": 1,
        "table": table.name,
        "title": table.title,
        "paper": TITLE,
        "protocol": PROTOCOL,
        "budget": budget.name,
        "is_comparison": budget.is_comparison,
        "lines": [dict(zip(COLUMNS, line, strict=True)) for line in lines],
        "notes": list(notes),
        "cells": dict(cells),
    }
    names = result_names(table.name, budget.name, budget.phantom.key)
    return write_results(setting.config.out, names, content, lines, overwrite=setting.config.overwrite)
