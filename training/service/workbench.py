"""What answers requests: where a frame, a drawn region or a picture lies in a model's space, and explanations."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import DeviceName, inference_device
from training.errors import UserError
from training.inference.explain import explain, explain_refining
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import Explanation, Method
from training.runs.reporter import Reporter
from training.service.answer_files import Answer, EmbeddingAnswer, ExplanationAnswer, read_answer, write_answer
from training.service.requests import Box, EmbedRequest, ExplainRequest, kept_path
from training.service.studies import Networks, OpenStudies
from training.texts import Text
from training.video import FieldOfView, find_field_of_view, image_reader, prepare_frame
from training.video.image_header import image_header

SMALLEST_REGION_PX = 8
REGION_NOTE = "The region is cut out as a square with the tissue around it, enlarged, and prepared like a whole frame."
IMAGE_NOTE = "The picture was prepared like a study with a single frame."


class Picture(NamedTuple):
    """A picture as decoded, and where in it the tissue is."""

    frame: NDArray[np.uint8]
    """(H, W, 3) RGB."""
    view: FieldOfView


def frame_of(request: ExplainRequest | EmbedRequest, studies: OpenStudies, reporter: Reporter) -> Picture:
    """The study's frame that a request names.

    Raises:
        UserError: no such study or frame, or it does not decode.
    """
    if request.path is None:
        raise UserError("Neither a study nor a picture was named.", "Name one of them.")
    study = studies.get(request.path, request.index, request.numbering, reporter)
    frame = study.read(request.frame_index)
    given = request.field_of_view
    return Picture(frame, study.view(reporter) if given is None else FieldOfView.from_json(given))


def image_of(path: Path) -> Picture:
    """A picture from disk; its field of view is looked for in itself.

    Raises:
        UserError: no such file, or it cannot be read as a picture.
    """
    frame = image_reader.read_image(path) if path.is_file() else None
    if frame is None:
        header = image_header(path)
        if not header.is_supported:
            raise UserError(
                "{name} is of a kind that cannot be read: {kind}.",
                "Export it as a JPEG or PNG file.",
                path.name,
                header.kind,
            )
        why = "cannot be read as a picture" if path.exists() else "does not exist"
        raise UserError("{name} {why}.", "Choose a picture file (jpg, png, bmp, tif).", path.name, why)
    return Picture(frame, find_field_of_view([frame]))


def prepared_region(picture: Picture, region: Box, size: int) -> NDArray[np.uint8]:
    """A drawn box as a model's input (size, size, 3) uint8 RGB: ours, no paper says how.

    The smallest square around the box is cut out of the frame, black outside the field of view and beyond the frame's
    edges, and scaled as `prepare_frame` scales. What lies in the square beside the box stays: a stretched or padded box
    is nothing that the model has ever seen.

    Raises:
        UserError: the box is smaller than 8 x 8 px, or holds nothing of the field of view.
    """
    height, width = picture.frame.shape[:2]
    x_min, y_min, x_max, y_max = region
    left, top = max(int(np.floor(x_min)), 0), max(int(np.floor(y_min)), 0)
    right, bottom = min(int(np.ceil(x_max)), width), min(int(np.ceil(y_max)), height)
    inside = picture.view.mask(height, width)
    if min(right - left, bottom - top) < SMALLEST_REGION_PX or not inside[top:bottom, left:right].any():
        raise UserError(
            "The region drawn is too small or shows no tissue ({right} x {bottom} px).",
            "Draw at least {smallest_region_px} x {smallest_region_px} px inside the field of view.",
            max(right - left, 0),
            max(bottom - top, 0),
            SMALLEST_REGION_PX,
        )
    side = max(right - left, bottom - top)
    square = _square(picture.frame * inside[..., None], (left + right - side) // 2, (top + bottom - side) // 2, side)
    return prepare_frame(square, FieldOfView.full(side, side), size)


def _square(frame: NDArray[np.uint8], left: int, top: int, side: int) -> NDArray[np.uint8]:
    """(side, side, 3) cut out at (left, top), black beyond the frame's edges."""
    height, width = frame.shape[:2]
    out = np.zeros((side, side, 3), np.uint8)
    y0, y1, x0, x1 = max(top, 0), min(top + side, height), max(left, 0), min(left + side, width)
    out[y0 - top : y1 - top, x0 - left : x1 - left] = frame[y0:y1, x0:x1]
    return out


def embed(request: EmbedRequest, networks: Networks, studies: OpenStudies, reporter: Reporter) -> EmbeddingAnswer:
    """The vector of what the request names; of a whole frame it is what scoring stores, up to rounding.

    Raises:
        UserError: model, study, frame, region or picture cannot be used.
        Cancelled: it is no longer needed.
    """
    model = networks.get(request.model, request.step, request.precision, reporter)
    reporter.check()
    picture = frame_of(request, studies, reporter) if request.image is None else image_of(request.image)
    if request.region is None:
        prepared = prepare_frame(picture.frame, picture.view, model.input_size)
    else:
        prepared = prepared_region(picture, request.region, model.input_size)
    vectors = model.fast.run(prepared[None]).embeddings
    for layer in model.head if request.space == "projection" else ():
        vectors = layer(np.maximum(vectors, 0))
    vector = vectors[0]
    if request.normalized:
        vector = np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), np.float32)
    is_said = {IMAGE_NOTE: request.image is not None, REGION_NOTE: request.region is not None}
    return EmbeddingAnswer(
        vector=vector,
        model_id=model.model_id,
        model_sha256=model.network.sha256,
        space=request.space,
        normalized=request.normalized,
        note=" ".join(note for note, said in is_said.items() if said),
    )


class Explainer:
    """Answers one request to explain; made for it and thrown away."""

    def __init__(self, request: ExplainRequest, networks: Networks, studies: OpenStudies, reporter: Reporter) -> None:
        self._request = request
        self._networks = networks
        self._studies = studies
        self._reporter = reporter
        self._sha256 = networks.sha256(networks.origin(request.model, request.step))

    def answers(self) -> Iterator[ExplanationAnswer]:
        """The explanation asked for; where it takes its time and `refine` is set, the quick form before it.

        Raises:
            UserError: model, study, frame, class, layer or method cannot be used.
            Cancelled: it is no longer needed.
        """
        request = self._request
        if (kept := self._kept(request.method)) is not None:
            yield kept
            return
        if request.refine and request.method == "score-cam":
            yield from self._refined()
            return
        yield self._made(request.method)

    def _kept(self, method: Method) -> ExplanationAnswer | None:
        """What an earlier request left; None where there is nothing that can be read."""
        if self._request.keep_in is None:
            return None
        path = kept_path(self._request.keep_in, self._sha256, self._request, method)
        if not path.is_file():
            return None
        try:
            answer = read_answer(path)
        except UserError as error:
            self._reporter.log(str(error))
            return None
        return answer if isinstance(answer, ExplanationAnswer) else None

    def _refined(self) -> Iterator[ExplanationAnswer]:
        """The quick form, then the exact one, which asks only the channels that the quick one did not."""
        if (kept := self._kept("quick")) is not None:
            yield replace(kept, is_final=False)
            yield self._made("score-cam")
            return
        model, picture = self._ready()
        request = self._request
        for explanation in explain_refining(
            model, *picture, class_name=request.class_name, layer=request.layer, reporter=self._reporter
        ):
            yield replace(self._answer(explanation), is_final=explanation.method == request.method)

    def _made(self, method: Method) -> ExplanationAnswer:
        request = self._request
        model, picture = self._ready()
        explanation = explain(
            model, *picture, method, class_name=request.class_name, layer=request.layer, reporter=self._reporter
        )
        return self._answer(explanation)

    def _ready(self) -> tuple[ExplainedModel, Picture]:
        """The network and the frame, loaded."""
        request, reporter = self._request, self._reporter
        model = self._networks.get(request.model, request.step, request.precision, reporter)
        reporter.check()
        return model, frame_of(request, self._studies, reporter)

    def _answer(self, explanation: Explanation) -> ExplanationAnswer:
        """Keep it as it was asked for, and under the class's name; a full disk costs the copy, not the answer."""
        request = self._request
        answer = ExplanationAnswer(request.frame_index, explanation, self._sha256)
        if request.keep_in is None:
            return answer
        named = request.model_copy(update={"class_name": explanation.class_name})
        try:
            for each in {request.class_name: request, named.class_name: named}.values():
                write_answer(kept_path(request.keep_in, self._sha256, each, explanation.method), answer)
        except UserError as error:
            self._reporter.log(Text("The explanation could not be stored: {error}", error))
        return answer


class Workbench:
    """Answers one request at a time."""

    def __init__(self, device: DeviceName, networks: int, reporter: Reporter) -> None:
        self.device, note = inference_device(device)
        if note:
            reporter.log(note)
        self._networks = Networks(self.device, networks)
        self._studies = OpenStudies()

    def answers(self, request: ExplainRequest | EmbedRequest, reporter: Reporter) -> Iterator[Answer]:
        """One answer, or two where the first is a quick one.

        Raises:
            UserError: model, study, frame, class or layer cannot be used.
            Cancelled: it is no longer needed.
        """
        reporter.check()
        if isinstance(request, EmbedRequest):
            yield embed(request, self._networks, self._studies, reporter)
        else:
            yield from Explainer(request, self._networks, self._studies, reporter).answers()

    def close(self) -> None:
        """Let all files go."""
        self._studies.close()

    def forget(self) -> None:
        """Let all networks go: memory has run out."""
        self._networks.forget()
        if self.device != "cpu":
            import torch

            from training.compute.out_of_memory import forget_the_rest

            forget_the_rest(torch.device(self.device))
