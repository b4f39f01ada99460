"""Studies whose fields of view differ lie in one space; everything else about their preparation must agree."""

import json
from pathlib import Path

import numpy as np
import pytest

from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.header import EmbeddingHeader
from training.embeddings.neighbour import StudyEmbeddings
from training.embeddings.neighbour_rows import open_rows
from training.embeddings.writer import EmbeddingWriter
from training.errors import UserError


def _study(folder: Path, name: str, **preprocessing: object) -> StudyEmbeddings:
    header = EmbeddingHeader(
        model_id="m",
        model_sha256="0" * 64,
        classes=(),
        preprocessing=json.dumps(preprocessing),
        video_fingerprint=name,
        video_path="v.mp4",
        created_utc="2026-01-01T00:00:00+00:00",
    )
    writer = EmbeddingWriter.create(folder / f"{name}.h5", header, EmbeddingLayout(2, 3), np.arange(2) / 25)
    writer.append(EmbeddingChunk(np.ones((2, 3), np.float32), np.zeros((2, 3), np.uint8)))
    return StudyEmbeddings(name, name, writer.finish())


def test_each_study_has_its_own_field_of_view(tmp_path: Path) -> None:
    studies = [_study(tmp_path, name, input_size=128, field_of_view={"radius": n}) for n, name in enumerate("ab")]
    assert len(open_rows(studies)) == 4


def test_frames_of_another_size_are_not_compared(tmp_path: Path) -> None:
    studies = [_study(tmp_path, "a", input_size=128), _study(tmp_path, "b", input_size=256)]
    with pytest.raises(UserError, match="prepared differently"):
        open_rows(studies)


def test_frames_that_shared_scores_are_compared_with_frames_that_did_not(tmp_path: Path) -> None:
    studies = [_study(tmp_path, "a", input_size=128), _study(tmp_path, "b", input_size=128, scenes={"cells": 16})]
    assert len(open_rows(studies)) == sum(len(open_rows([study])) for study in studies)
