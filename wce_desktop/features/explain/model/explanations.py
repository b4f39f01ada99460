"""The explanations that the library keeps of a study: looked into before the inference child is asked."""

import contextlib
import shutil
from pathlib import Path

from training.errors import UserError
from training.inference.explanation import Method
from training.service.answer_files import read_answer
from training.service.answers import ExplanationAnswer
from training.service.kept import FOLDER, kept_path
from training.service.requests import ExplainRequest


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
