"""What a model is to look at, read and prepared as in scoring."""

import numpy as np
from numpy.typing import NDArray

from training.service.requests import EmbedRequest, ExplainRequest
from training.service.studies import OpenStudies, OpenStudy
from training.video import FieldOfView


def view_of(request: ExplainRequest | EmbedRequest, study: OpenStudy) -> FieldOfView:
    """The field of view that the request names, or the study's own."""
    return study.view if request.field_of_view is None else FieldOfView.from_json(request.field_of_view)


def frame_of(request: ExplainRequest | EmbedRequest, studies: OpenStudies) -> tuple[NDArray[np.uint8], FieldOfView]:
    """The frame (H, W, 3) uint8 RGB of a request, and its field of view.

    Raises:
        UserError: no such study or frame, or it does not decode.
    """
    assert request.path is not None
    study = studies.get(request.path, request.index)
    return study.read(request.frame_index), view_of(request, study)
