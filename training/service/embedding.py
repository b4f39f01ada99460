"""Where a frame, a drawn region of one, or a picture from disk lies in a model's space."""

import numpy as np
from numpy.typing import NDArray

from training.runs.reporter import Reporter
from training.service.answer_files import EmbeddingAnswer
from training.service.networks import LoadedNetwork, Networks
from training.service.pictures import IMAGE_NOTE, REGION_NOTE, frame_of, image_of, prepared_region
from training.service.requests import EmbedRequest
from training.service.studies import OpenStudies
from training.texts import join_texts
from training.video import prepare_frame


def embed(request: EmbedRequest, networks: Networks, studies: OpenStudies, reporter: Reporter) -> EmbeddingAnswer:
    """The vector of what the request names; of a whole frame it is what scoring stores, up to rounding.

    Raises:
        UserError: model, study, frame, region or picture cannot be used.
        Cancelled: it is no longer needed.
    """
    network = networks.get(request.model, request.step, request.precision, reporter)
    reporter.check()
    is_image = request.image is not None
    picture = image_of(request.image) if request.image is not None else frame_of(request, studies, reporter)
    size = network.model.input_size
    if request.region is None:
        prepared = prepare_frame(picture.frame, picture.view, size)
    else:
        prepared = prepared_region(picture, request.region, size)
    notes = [note for note, is_said in ((IMAGE_NOTE, is_image), (REGION_NOTE, request.region is not None)) if is_said]
    return EmbeddingAnswer(
        vector=vector_of(network, prepared, request.space, request.normalized),
        model_id=network.model.model_id,
        model_sha256=network.sha256,
        space=request.space,
        normalized=request.normalized,
        note=join_texts(" ", notes),
    )


def vector_of(network: LoadedNetwork, prepared: NDArray[np.uint8], space: str, normalized: bool) -> NDArray[np.float32]:
    """(S, S, 3) uint8 RGB, prepared -> (D,) float32 before or after the projection head.

    Raises:
        UserError: there is no such head.
    """
    embedding = network.model.fast.run(prepared[None]).embeddings
    vector = (network.projected(embedding) if space == "projection" else embedding)[0]
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), np.float32) if normalized else vector
