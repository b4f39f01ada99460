"""What one would write with OpenCV and OpenVINO alone: the peer of `score` and of a first CAM.

    python plain_openvino.py MODEL.xml VIDEO SIDE OUT.csv     scores of every frame
    python plain_openvino.py MODEL.xml VIDEO SIDE FRAME       CAMs of one frame, printed

No index, no field of view, no check of any file, no frame that is missing. Imports nothing of this program.
"""

import csv
import importlib
import os
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # reports its import to its makers
openvino: Any = importlib.import_module("openvino")
BATCH = 8


def prepared(frame: np.ndarray, side: int) -> np.ndarray:
    """(H, W, 3) BGR -> (side, side, 3) RGB."""
    return cv2.cvtColor(cv2.resize(frame, (side, side), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGB)


def score(model: str, video: str, side: int, out: str) -> None:
    """Write the scores of all frames."""
    settings = {"PERFORMANCE_HINT": "THROUGHPUT"}
    graph = openvino.Core().compile_model(model, "CPU", settings)
    queue, rows = openvino.AsyncInferQueue(graph), {}

    def keep(request: Any, first: int) -> None:
        powers = np.exp(request.results[graph.output(1)])
        rows[first] = powers / powers.sum(axis=1, keepdims=True)

    queue.set_callback(keep)
    capture, batch, number = cv2.VideoCapture(video), [], 0
    while True:
        is_read, frame = capture.read()
        if is_read:
            batch.append(prepared(frame, side))
            number += 1
        if batch and (len(batch) == BATCH or not is_read):
            queue.start_async([np.stack(batch)], userdata=number - len(batch))
            batch = []
        if not is_read:
            break
    queue.wait_all()
    with Path(out).open("w", newline="") as file:
        csv.writer(file).writerows(row for first in sorted(rows) for row in rows[first].tolist())


def explain(model: str, video: str, side: int, frame_index: int) -> None:
    """Print the largest value of the CAMs of a frame, in float32."""
    capture = cv2.VideoCapture(video)
    capture.set(cv2.CAP_PROP_POS_FRAMES, frame_index)
    graph = openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    print(graph([prepared(capture.read()[1], side)[None]])[2].max())


if __name__ == "__main__":
    if sys.argv[4].isdigit():
        explain(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        score(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
    sys.stdout.flush()
    os._exit(0)  # taking Python apart now and then aborts the process in OpenVINO's threads
