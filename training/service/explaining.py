"""Explanations of one frame: those that are kept already, else made now."""

from collections.abc import Iterator

import numpy as np
import torch

from training.errors import UserError
from training.inference.cam import class_activation_maps, normalise_cam
from training.inference.explanation import Explanation
from training.runs.reporter import Reporter
from training.service.answer_files import write_answer
from training.service.answers import ExplanationAnswer
from training.service.kept import kept_path
from training.service.networks import Networks
from training.service.pictures import frame_of
from training.service.requests import ExplainRequest
from training.service.studies import OpenStudies
from training.video import prepare_frame


def explanations(
    request: ExplainRequest, networks: Networks, studies: OpenStudies, reporter: Reporter
) -> Iterator[ExplanationAnswer]:
    """The explanation asked for; with `refine` a quick one before it."""
    frame, view = frame_of(request, studies)
    network = networks.get(request.model, request.step, request.precision)
    model = network.explained
    if request.method != "cam" or model.cam_weight is None:
        raise UserError("Only CAM can be shown here yet.", "Choose CAM.")
    with torch.inference_mode():
        features = model.exact.features(model.normalised(prepare_frame(frame, view, model.input_size)))
        scores = model.scores(model.judge(features))
        chosen = request.class_name or max(model.classes[1:], key=scores.__getitem__)
        raw = class_activation_maps(features, model.cam_weight)[0, model.classes.index(chosen)]
    shown = normalise_cam(np.asarray(raw.cpu().numpy()))
    explanation = Explanation("cam", chosen, model.model_id, request.layer, shown, view, scores)
    answer = ExplanationAnswer(request.frame_index, explanation, network.sha256)
    if request.keep_in is not None:
        write_answer(kept_path(request.keep_in, network.sha256, request), answer)
    yield answer
