"""What embedding files hold of single frames, so that these need not be decoded and embedded again."""

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.embeddings.header import CALCULATION_VERSION
from training.errors import UserError
from training.models.config import ModelConfig
from training.runs.reporter import Reporter
from training.texts import Text
from training.video import fingerprints_of


class StoredEmbeddings:
    """The finished embedding files of some studies, as far as one network made them.

    Args:
        folder: of the files, or of a folder of them for each study, named by its id; None: there are none.
        model: backbone and preprocessing of the network.
        digests: SHA-256 of the weights that have this network (`network_digests`).
        reporter: logs files that cannot be read.
        fingerprints: study -> fingerprint of its video where it is known; other videos are read for it.
    """

    def __init__(
        self,
        folder: Path | None,
        model: ModelConfig,
        digests: Collection[str],
        reporter: Reporter,
        fingerprints: Mapping[str, str] | None = None,
    ) -> None:
        self._folder = folder
        self._model = model
        self._digests = digests
        self._reporter = reporter
        self._fingerprints = fingerprints or {}
        self._known: dict[str, EmbeddingFile | None] = {}

    @property
    def embedding_size(self) -> int:
        """D"""
        return self._model.embedding_size

    def file(self, study_id: str, path: Path) -> EmbeddingFile | None:
        """The file of a study, whose video lies at `path`, closed: its embeddings can be read; None if none is usable.

        Raises:
            UserError: the video cannot be read.
        """
        if study_id not in self._known:
            self._known[study_id] = self._find(study_id, path)
        return self._known[study_id]

    def rows(
        self, study_id: str, path: Path, frame_index: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Embeddings (M, D) of frames (M,) of a study, and which of them (M,) are stored.

        The embedding of a stored frame that does not decode is NaN.
        """
        result = np.full((len(frame_index), self._model.embedding_size), np.nan, np.float32)
        file, (place, there) = self.file(study_id, path), self._places(study_id, path, frame_index)
        if file is not None:
            result[there] = file.embeddings[place[there]]
        return result, there

    def has(self, study_id: str, path: Path, frame_index: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of the frames (M,) of a study are stored; reads no embeddings."""
        return self._places(study_id, path, frame_index)[1]

    def _places(
        self, study_id: str, path: Path, frame_index: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Rows (M,) of the study's file, and which of them (M,) are those of the frames."""
        file = self.file(study_id, path)
        if file is None:
            return np.zeros(len(frame_index), dtype=np.int64), np.zeros(len(frame_index), dtype=bool)
        place = np.minimum(np.searchsorted(file.frame_index, frame_index), len(file) - 1)
        return place, np.asarray(file.frame_index[place] == frame_index)

    def close(self) -> None:
        """Let the files go."""
        self._known.clear()

    def _find(self, study_id: str, path: Path) -> EmbeddingFile | None:
        contents: tuple[str, ...] = ()
        for candidate in self._candidates(study_id):
            try:
                with EmbeddingFile.open(candidate) as file:
                    is_wanted = made_by(file, self._model, self._digests)
            except UserError as error:
                self._reporter.log(Text("Stored embeddings are not used: {message}", error.message))
                continue
            if is_wanted:
                if not contents:
                    named = self._fingerprints.get(study_id)
                    contents = (named,) if named else fingerprints_of(path)
                if file.header.video_fingerprint in contents:
                    return file
        return None

    def _candidates(self, study_id: str) -> Iterator[Path]:
        if self._folder is None:
            return
        for folder in (self._folder / study_id, self._folder):
            yield from sorted(folder.glob("*.h5"))


def made_by(file: EmbeddingFile, model: ModelConfig, digests: Collection[str]) -> bool:
    """Whether a file's embeddings are those that this network would compute."""
    header = file.header
    is_same = header.model_sha256 in digests and header.space == "backbone" and not header.normalized
    is_current = header.calculation_version == CALCULATION_VERSION
    is_whole = len(file) > 0 and file.embeddings.shape[1] == model.embedding_size
    if model.is_imported:
        return is_same and is_whole
    stored = json.loads(header.preprocessing)
    wanted = {"input_size": model.input_size, "mean": list(model.mean), "std": list(model.std)}
    return is_same and is_current and is_whole and all(stored.get(name) == value for name, value in wanted.items())
