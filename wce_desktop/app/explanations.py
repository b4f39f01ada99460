"""What is asked of the inference child about the open study, and the explanations that the library keeps of it."""

import contextlib
import shutil
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.inference.explanation import LAST_LAYER, Method
from training.service.answer_files import read_answer
from training.service.answers import ExplanationAnswer
from training.service.kept import FOLDER, kept_path
from training.service.requests import Box, EmbedRequest, ExplainRequest
from wce_desktop.app.reading import Reading
from wce_desktop.app.session import Session
from wce_desktop.library import Model


def explain_request(
    session: Session,
    frame_index: int,
    model: Model,
    method: Method = "cam",
    *,
    class_name: str = "",
    layer: str = LAST_LAYER,
    refine: bool = False,
) -> ExplainRequest:
    """Why a model says what it says of a frame of the open study; the answer is kept in the study's folder.

    Args:
        session: with an open study.
        frame_index: counted from 0.
        model: of the library.
        method: "cam", "score-cam" or "quick".
        class_name: "" for the highest score that is not normal's.
        layer: whose feature map a Score-CAM shows.
        refine: with "score-cam": the quick form is answered first.

    Raises:
        UserError: no study is open.
    """
    reading = _open(session)
    return ExplainRequest(
        model=model.folder,
        field_of_view=_view(reading),
        path=reading.study.path,
        index=session.files(reading.study).index_path,
        frame_index=frame_index,
        method=method,
        class_name=class_name,
        layer=layer,
        refine=refine,
        keep_in=Explanations(session.files(reading.study).folder).folder,
    )


def embed_request(
    session: Session,
    model: Model,
    *,
    frame_index: int | None = None,
    region: Box | None = None,
    image: Path | None = None,
) -> EmbedRequest:
    """Where a frame of the open study, a region of it, or a picture lies in the space of the study's embeddings.

    Args:
        session: with an open study.
        model: of the library.
        frame_index: None: the frame on screen.
        region: (x_min, y_min, x_max, y_max) in px of the frame or picture; None: the whole.
        image: a picture from disk instead of a frame.

    Raises:
        UserError: no study is open.
    """
    reading = _open(session)
    header = reading.embeddings.header if reading.embeddings is not None else None
    fits = header is not None and header.model_sha256 == model.weights_sha256
    space: dict[str, Any] = {}
    if header is not None and fits:  # what is compared must have been computed alike
        space = {"space": header.space, "normalized": header.normalized, "precision": header.precision}
    return EmbedRequest(
        model=model.folder,
        field_of_view=_view(reading),
        path=reading.study.path,
        index=session.files(reading.study).index_path,
        frame_index=reading.frame_index if frame_index is None else frame_index,
        region=region,
        image=image,
        **space,
    )


def _open(session: Session) -> Reading:
    if session.reading is None:
        raise UserError("No study is open.", "Open a study first.")
    return session.reading


def _view(reading: Reading) -> dict[str, Any] | None:
    return None if reading.field_of_view is None else reading.field_of_view.to_json()


class Explanations:
    """One study's kept explanations; the child adds to them where a request's `keep_in` is this folder."""

    def __init__(self, study_folder: Path) -> None:
        self.folder = study_folder / FOLDER

    def find(
        self, request: ExplainRequest, weights_sha256: str, method: Method | None = None
    ) -> ExplanationAnswer | None:
        """The kept answer to a request, or to the same with another method; None where there is none that can be read.

        Args:
            request: as it would be asked.
            weights_sha256: of the model's weights (`library.Model.weights_sha256`).
            method: instead of the request's.
        """
        with contextlib.suppress(UserError):
            answer = read_answer(kept_path(self.folder, weights_sha256, request, method))
            return answer if isinstance(answer, ExplanationAnswer) else None
        return None

    def forget(self, weights_sha256: str = "") -> None:
        """Remove what is kept of one model, or everything."""
        shutil.rmtree(self.folder / weights_sha256[:16] if weights_sha256 else self.folder, ignore_errors=True)
