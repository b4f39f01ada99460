"""Where a frame, a drawn region of one, or a picture from disk lies in a model's space."""

import numpy as np

from training.service.answers import EmbeddingAnswer
from training.service.networks import Networks
from training.service.pictures import frame_of
from training.service.requests import EmbedRequest
from training.service.studies import OpenStudies
from training.video import prepare_frame


def embed(request: EmbedRequest, networks: Networks, studies: OpenStudies) -> EmbeddingAnswer:
    """The vector of what the request names.

    Raises:
        UserError: model, study, frame, region or picture cannot be used.
    """
    frame, view = frame_of(request, studies)
    network = networks.get(request.model, request.step, request.precision)
    engine = network.engine
    config = engine.network.config
    prepared = prepare_frame(frame, view, config.input_size)
    vector = engine.run(prepared[None]).embeddings[0]
    if request.normalized:
        vector = vector / max(float(np.linalg.norm(vector)), 1e-12)
    return EmbeddingAnswer(vector, config.model_id, network.sha256, request.space, request.normalized)
