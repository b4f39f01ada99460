"""An experiment: a model in int8 by NNCF, calibrated on a study's own frames, against float32.

Run it with `uv run --with nncf python -m tests.benchmarks.bench_int8 --video FILE [--images DIR --labels CSV]`. It
prints and asserts nothing. What scoring must keep: flags at the threshold equal for 99.9 % of the frames, and the AUC
on labelled images within 0.001; int8 is worth having where it is 1.5 times as fast besides.
"""

import argparse
import csv
import importlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.compute.openvino import core
from training.compute.overlap import in_lanes
from training.compute.plan import choose_plan
from training.inference.engine import Engine
from training.inference.openvino_engine import OpenVinoEngine, frame_graph
from training.metrics.detector import auc
from training.models.folder import ModelFolder
from training.models.inference_network import InferenceNetwork, network_of_model
from training.video import find_field_of_view, open_source, prepare_frame, study_field_of_view

STARTER = Path("resources/models/starter")
CALIBRATED = 300
ROUNDS = 3
Frames = NDArray[np.uint8]


class Int8Engine(OpenVinoEngine):
    """The graph of frames, quantised."""

    def __init__(self, network: InferenceNetwork, plan: Any, calibration: Frames, **options: Any) -> None:
        self.calibration, self.options = calibration, options
        super().__init__(network, plan)

    def _compiled(self, key: str) -> Any:
        nncf: Any = importlib.import_module("nncf")
        rows = nncf.Dataset([frame[None] for frame in self.calibration])
        graph = nncf.quantize(
            frame_graph(self.network, key, -1), rows, subset_size=len(self.calibration), **self.options
        )
        settings = {"NUM_STREAMS": str(self.plan.lanes), "ENABLE_CPU_PINNING": False}
        return core().compile_model(graph, "CPU", settings)


def main() -> None:
    """Quantise on the study's frames, compare scores, flags and speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=STARTER)
    parser.add_argument("--size", type=int, help="side of the input in pixels; the model's own where it is not given")
    parser.add_argument("--video", type=Path, required=True)
    parser.add_argument("--images", type=Path)
    parser.add_argument("--labels", type=Path, help="CSV with the columns filename and label")
    parser.add_argument("--positive", default="bleeding", help="the label that stands for the class --class")
    parser.add_argument("--class", dest="name", default="blood")
    parser.add_argument("--threshold", type=float, default=0.5)
    asked = parser.parse_args()
    network = network_of_model(ModelFolder.open(asked.model))
    network = replace(network, input_size=asked.size or network.input_size)
    study = frames_of(asked.video, network.input_size)
    chosen = study[np.linspace(0, len(study) - 1, min(CALIBRATED, len(study))).astype(int)]
    plain = OpenVinoEngine(network, choose_plan("cpu"))
    nncf: Any = importlib.import_module("nncf")
    print(f"{network.backbone} at {network.input_size} px, {plain.plan}")
    for preset, fast in ((nncf.QuantizationPreset.PERFORMANCE, True), (nncf.QuantizationPreset.MIXED, False)):
        small = Int8Engine(network, plain.plan, chosen, preset=preset, fast_bias_correction=fast)
        print(f"int8, preset {preset.value}, {'fast' if fast else 'exact'} correction of the biases:")
        compare(plain, small, study, asked.threshold)
        if asked.images is not None:
            images, is_positive = labelled(asked.images, asked.labels, asked.positive, network.input_size)
            column = network.classes.index(asked.name)
            before, after = (auc(is_positive, scores(each, images)[:, column]) for each in (plain, small))
            print(f"  AUC of {asked.name}, {len(images):,} images: {before:.4f} -> {after:.4f}")


def compare(plain: Engine, small: Engine, study: Frames, threshold: float) -> None:
    """Scores of all frames of the study, and the time that they take, in turns."""
    found, seconds = {}, dict.fromkeys(("float32", "int8"), np.inf)
    for _ in range(ROUNDS):
        for name, engine in (("float32", plain), ("int8", small)):
            started = time.perf_counter()
            found[name] = scores(engine, study)
            seconds[name] = min(seconds[name], time.perf_counter() - started)
    change = np.abs(found["int8"] - found["float32"])
    same = ((found["int8"] >= threshold) == (found["float32"] >= threshold))[:, 1:].all(axis=1).mean()
    rates = ", ".join(f"{name} {len(study) / took:.0f} frames/s" for name, took in seconds.items())
    print(f"  {rates}: {seconds['float32'] / seconds['int8']:.2f} times")
    print(f"  scores differ by {np.percentile(change, 99):.3f} (99th percentile), {change.max():.3f} (most)")
    print(f"  same flags at {threshold}: {100 * same:.2f} % of {len(study):,} frames")


def scores(engine: Engine, frames: Frames) -> NDArray[np.float32]:
    """(N, C)"""
    batch = engine.plan.batch
    batches = (frames[start : start + batch] for start in range(0, len(frames), batch))
    return np.concatenate([output.scores for output in in_lanes(batches, engine.run, engine.plan.lanes)])


def frames_of(video: Path, size: int) -> Frames:
    """Every frame that decodes, prepared."""
    with open_source(video) as source:
        view = study_field_of_view(source)
        pictures = (picture for _, picture in source.iterate() if picture is not None)
        return np.stack([prepare_frame(picture, view, size) for picture in pictures])


def labelled(folder: Path, labels: Path, positive: str, size: int) -> tuple[Frames, NDArray[np.bool_]]:
    """The images that the table names, prepared, and which of them are positive."""
    with labels.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    pictures = [np.asarray(cv2.imread(str(folder / row["filename"])), np.uint8)[..., ::-1].copy() for row in rows]
    prepared = [prepare_frame(picture, find_field_of_view([picture]), size) for picture in pictures]
    return np.stack(prepared), np.array([row["label"] == positive for row in rows])


if __name__ == "__main__":
    main()
