"""Writing one study: the video, and its ground truth beside it."""

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files import json_text, outputs
from training.files.written import WrittenFiles
from training.phantom.lesions import FrameTruth
from training.phantom.patient import CLASSES, MM_PER_UNIT, REGIONS, PhantomConfig
from training.phantom.plan import Plan, make_plan
from training.phantom.render import render_plan
from training.runs.reporter import Reporter

TRUTH_VERSION = 3
"""Raised when frames or truth of the same config change, so that old files are not taken for finished ones."""

CODEC = "mpeg4"
"""FFmpeg's own encoder of MPEG-4 part 2 (LGPL): x264, which PyAV's wheels hold too, is under the GPL. (ours)"""
_QUANTIZER, _KEY_FRAME_EVERY = 2, 30
"""The second best quantizer: what H.264 gave with crf 20, within 1 dB. (ours)"""
_CHECK_EVERY = 8


def write_study(config: PhantomConfig, out_dir: Path, name: str, reporter: Reporter) -> Path:
    """Render a study to `out_dir/name.mp4` (MPEG-4 part 2) and `out_dir/name.truth.json`; return the video.

    Both are written beside and renamed, the truth last, so that a truth file means a finished study. Raises
    `Cancelled` when the reporter says so and leaves nothing then.
    """
    out_dir.mkdir(parents=True, exist_ok=True)
    video = out_dir / f"{name}.mp4"
    plan, written = make_plan(config), WrittenFiles(out_dir, "phantom")
    with written.writing(video.name) as beside:
        truths = _encode(plan, beside, name, reporter)
    with written.writing(truth_path(video).name) as beside:
        save_json(beside, study_truth(plan, truths))
    return video


def truth_path(video: Path) -> Path:
    """Where the truth of a video lies."""
    return video.with_suffix(".truth.json")


def finished_truth(video: Path, config: PhantomConfig) -> dict[str, Any] | None:
    """The truth of a video that was finished with this very config, or None."""
    path = truth_path(video)
    if not (video.is_file() and path.is_file()):
        return None
    try:
        truth = json_text.read_json_object(path)
    except UserError:  # not ours, or damaged: render again
        return None
    made_from = truth.get("config")
    if truth.get("version") != TRUTH_VERSION or not isinstance(made_from, dict):
        return None
    defaults = {field.name: field.default for field in fields(PhantomConfig)}
    return truth if {**defaults, **made_from} == vars(config) else None  # older ones do not name all settings


def study_truth(plan: Plan, truths: Sequence[FrameTruth]) -> dict[str, Any]:
    """The truth file of a study: config, lesions, landmarks (first frame of each region), and every frame."""
    landmarks: dict[str, int] = {}
    for truth in truths:
        landmarks.setdefault(truth.region, truth.frame_index)
    lesions = [
        {
            **vars(lesion),
            "depth_mm": round(lesion.depth * MM_PER_UNIT, 1),
            "region": REGIONS[plan.anatomy.region_at(lesion.depth)],
        }
        for lesion in plan.lesions
    ]
    return {
        "version": TRUTH_VERSION,
        "config": vars(plan.config),
        "study_id": plan.config.study_id,
        "patient_id": plan.config.patient_id,
        "classes": list(CLASSES),
        "frames_per_second": plan.config.frames_per_second,
        "field_of_view": plan.patient.shape,
        "landmarks": landmarks,
        "lesions": lesions,
        "frames": [truth.to_json() for truth in truths],
    }


def save_json(path: Path, value: object) -> None:
    """Write JSON beside and rename."""
    outputs.write_text(path, json.dumps(value, ensure_ascii=False) + "\n")


def _encode(plan: Plan, path: Path, name: str, reporter: Reporter) -> list[FrameTruth]:
    """Render and encode all frames."""
    import av  # loads FFmpeg's libraries; only needed here

    truths: list[FrameTruth] = []
    config = plan.config
    with av.open(str(path), "w", format="mp4") as container, closing(render_plan(plan)) as frames:
        stream = container.add_stream(
            CODEC, rate=config.frames_per_second, options={"g": str(_KEY_FRAME_EVERY), "bf": "0"}
        )
        assert isinstance(stream, av.VideoStream)
        stream.codec_context.qmin = stream.codec_context.qmax = _QUANTIZER
        stream.width = stream.height = config.size_px
        stream.pix_fmt = "yuv420p"
        stream.thread_count = 1
        for image, truth in frames:
            if truth.frame_index % _CHECK_EVERY == 0:
                reporter.check()
                reporter.progress(truth.frame_index, config.frames, "frames", f"rendering {name}")
            picture = av.VideoFrame.from_ndarray(image, format="rgb24")
            picture.pts = truth.frame_index
            picture.time_base = Fraction(1, config.frames_per_second)
            container.mux(stream.encode(picture))
            truths.append(truth)
        container.mux(stream.encode())
    reporter.progress(config.frames, config.frames, "frames", f"rendering {name}")
    return truths
