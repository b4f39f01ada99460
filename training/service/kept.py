"""Where a study's explanations are kept: one small file each, so that a crash costs at most the one being written."""

import hashlib
import json
from pathlib import Path

from training.inference.explanation import Method
from training.service.requests import ExplainRequest

CALCULATION = 1
"""Counts up when explanations come out differently: what was kept before is then made again."""
FOLDER = "explanations"
"""In the study's folder of the library."""


def kept_path(folder: Path, model_sha256: str, request: ExplainRequest, method: Method | None = None) -> Path:
    """The file of an explanation: `<folder>/<model>/<frame>-<method>-<class and layer as a hash>.npz`.

    Args:
        folder: of the study's explanations.
        model_sha256: of the weights, so that two models of one name are never mixed up.
        request: what was asked; frame, class, layer, precision and field of view count, and `CALCULATION`.
        method: instead of the request's.
    """
    chosen = method or request.method
    view = json.dumps(request.field_of_view, sort_keys=True)
    layer = "" if chosen == "cam" else request.layer
    rest = (str(CALCULATION), request.class_name, layer, request.precision, view)
    key = hashlib.sha256("\n".join(rest).encode()).hexdigest()[:12]
    return folder / model_sha256[:16] / f"{request.frame_index:08d}-{chosen}-{key}.npz"
