"""The pretraining of one method with one seed: on the training groups only, kept under what decides it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.datasets.manifest import load_manifest
from training.datasets.pretraining_spans import pretraining_spans
from training.errors import UserError
from training.experiments.benchmark.comparison import NO_PRETRAINING, Comparison, needs_video, protocol_of
from training.experiments.benchmark.data import BenchmarkData, stills_manifest, video_manifest
from training.methods.registry import PRETRAINING
from training.pretraining.config import RATE_FALLS, stored_config
from training.runs.reporter import Cancelled, Reporter

KEPT_GB = 2.0
"""Temporary disk space for decoded frames: they are drawn again and again, and one of a video is expensive to reach."""
REPORTED = ("steps_done", "steps", "frames", "patients", "warning")

Pretrain = Callable[[Mapping[str, Any], Reporter], dict[str, Any]]
"""Fields of `PretrainConfig`, reporter -> the result of a pretraining; tests put a quick one in."""


@dataclass(frozen=True)
class Pretraining:
    """A finished pretraining."""

    run: Path
    key: str
    result: Mapping[str, Any]
    """What `training.pretraining.run.pretrain` says, and `seconds` of the last call."""


def real_pretrain(fields: Mapping[str, Any], reporter: Reporter) -> dict[str, Any]:
    """The command `pretrain`; imports torch."""
    from training.pretraining.run import pretrain

    return pretrain(stored_config(fields), reporter)


def check_pretrain(fields: Mapping[str, Any], reporter: Reporter) -> dict[str, Any]:
    """Raise `UserError` where a pretraining could not draw a batch; trains nothing, and says so."""
    from training.pretraining.studies import pretrain_studies

    pretrain_studies(stored_config(fields), reporter)
    return {"finished": False}


def cannot_pretrain(data: BenchmarkData, comparison: Comparison, method: str, reporter: Reporter) -> str:
    """Why a pretraining could not begin; empty where it can, where it is kept, and for methods without one."""
    try:
        pretrained(data, comparison, method, data.config.seed, reporter, check_pretrain)
    except UserError as error:
        return error.message.removesuffix(".")
    except Cancelled:
        pass
    return ""


def reason_left_out(method: str, *, has_video: bool, has_weights: bool) -> str:
    """Why a method cannot take part here; empty where it does."""
    if needs_video(method) and not has_video:
        return "needs video: for single images it is unknown which frames are near in time"
    if method == "imagenet" and not has_weights:
        return "ImageNet's weights are not on this computer"
    return ""


def training_frames(data: BenchmarkData, reporter: Reporter) -> int:
    """Frames that every method but those on video pretrains on, those of `stills_manifest`; opens each study."""
    if data.config.studies is None and data.other is None:
        return len(data.split.training)
    manifest = load_manifest(stills_manifest(data, data.inputs))
    counts = {}
    for study in manifest.studies:
        reporter.check()
        with study.open_source() as source:
            counts[study.study_id] = len(source)
    return sum(map(len, pretraining_spans(manifest, counts)[0]))


def pretrain_fields(comparison: Comparison, method: str, seed: int) -> dict[str, Any]:
    """Fields of `PretrainConfig` that decide a pretraining; neither its place nor the device.

    A rate that falls in steps falls at the same shares of the run as in its paper, however long the run is.
    """
    of_method = comparison.of_method.get(method, comparison.of_method.get("*", {}))
    own_course = {**PRETRAINING[method].course, **comparison.pretrain, **of_method}.get("schedule", "step")
    return {
        "preset": "paper",
        "method": method,
        "backbone": comparison.backbone,
        "input_size": comparison.input_size,
        "steps": comparison.steps,
        **({"step_every": max(1, round(comparison.steps * RATE_FALLS))} if own_course == "step" else {}),
        **comparison.pretrain,
        **of_method,
        "seed": seed,
    }


def pretrained(
    data: BenchmarkData,
    comparison: Comparison,
    method: str,
    seed: int,
    reporter: Reporter,
    pretrain: Pretrain = real_pretrain,
) -> Pretraining | None:
    """The run of a method: taken from the report folder, else made now; None for methods without a pretraining.

    Raises:
        Cancelled: as asked for, or a stop before it was done; the next call continues where it stopped.
    """
    if method in NO_PRETRAINING:
        return None
    config, cells, is_video = data.config, data.cells, needs_video(method)
    fields = pretrain_fields(comparison, method, seed)
    decides = {**fields, "data": data.pretraining_digest, "video": is_video, "protocol": protocol_of(method)}

    def compute(place: Path) -> dict[str, Any]:
        started, run = time.monotonic(), place / "run"
        result = pretrain(
            {
                **fields,
                "studies": (video_manifest if is_video else stills_manifest)(data, data.inputs),
                "held_out_patients": data.kept_out,
                "each_span_is_a_study": is_video and config.video_frames is not None,
                "weights_cache": config.weights_cache,
                "keep_decoded_gb": KEPT_GB,
                "device": config.device,
                "threads": config.threads,
                "out": run,
                "resume": run.is_dir(),
            },
            reporter,
        )
        if not result.get("finished", True):
            raise Cancelled
        return {**{name: result.get(name) for name in REPORTED}, "seconds": time.monotonic() - started}

    if config.pretrain_per_study is not None and not is_video:
        decides["per_study"] = config.pretrain_per_study
    name = f"pretrain-{method}"
    kept = cells.cell(name, decides, compute)
    return Pretraining(cells.place(name, decides) / "run", cells.key(decides), kept)
