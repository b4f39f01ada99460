"""Borders of a study by the landmarks of others, from the shell."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.training.embeddings.samples import HEADER
from training.commands.shell import main
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.writer import EmbeddingWriter

REGIONS = (("stomach", 0, 20), ("small bowel", 20, 80), ("colon", 80, 120))


def write(path: Path, seed: int) -> Path:
    vectors = np.repeat(np.eye(4, dtype=np.float32)[:3], (20, 60, 40), axis=0)
    vectors += np.random.default_rng(seed).normal(0, 0.05, vectors.shape).astype(np.float32)
    layout = EmbeddingLayout(120, 4, 0)
    with EmbeddingWriter.create(
        path, HEADER.model_copy(update={"classes": ()}), layout, np.arange(0.0, 360.0, 3.0)
    ) as writer:
        writer.append(EmbeddingChunk(vectors, np.zeros((120, 3), np.uint8), None))
        return writer.finish()


@pytest.mark.parametrize("are_known", [True, False])
def test_borders_are_printed_once_one_study_has_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], are_known: bool
) -> None:
    studies = []
    for number in range(3):
        path = write(tmp_path / f"{number}.h5", number)
        regions = REGIONS if number and are_known else REGIONS[:1]
        spans = [{"start": start, "stop": stop, "region": region} for region, start, stop in regions]
        studies.append({"study_id": f"s{number}", "patient_id": f"p{number}", "path": str(path), "spans": spans})
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"studies": studies}), encoding="utf-8")
    code, shown = main(["organs", "--manifest", str(manifest)]), capsys.readouterr()
    if not are_known:
        assert code == 1
        assert "No study of the manifest has" in shown.err + shown.out
        return
    assert code == 0
    assert "s0  small bowel: minute 1.0 (" in shown.out
    assert "s0  colon: minute 4.0 (" in shown.out
    assert "s1" not in shown.out
