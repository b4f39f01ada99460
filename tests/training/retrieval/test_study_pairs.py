"""pairs.csv: which two studies are of one patient, and what it must not say."""

from pathlib import Path

import pytest

from training.datasets.manifest import Manifest, StudyEntry
from training.errors import UserError
from training.retrieval.study_pairs import paired_studies, read_pairs, with_joined_patients

MANIFEST = Manifest(
    studies=tuple(StudyEntry(study_id=name, patient_id=f"of-{name}", path=Path(f"{name}.mp4")) for name in "ABCDE")
)


def pairs_file(folder: Path, *rows: str) -> Path:
    path = folder / "pairs.csv"
    path.write_text("\n".join(("study_id,other_study_id", *rows)) + "\n", encoding="utf-8")
    return path


def test_all_studies_that_pairs_join_are_of_one_patient(tmp_path: Path) -> None:
    pairs = read_pairs(pairs_file(tmp_path, "D,B", "B,C"), MANIFEST)
    joined = with_joined_patients(MANIFEST, pairs)
    assert [study.patient_id for study in joined.studies] == ["of-A", "of-B", "of-B", "of-B", "of-E"]
    assert [(one.study_id, other.study_id) for one, other in paired_studies(joined, pairs)] == [("D", "B"), ("B", "C")]
    assert with_joined_patients(MANIFEST, []) == MANIFEST


@pytest.mark.parametrize(
    ("row", "words"), [("A,X", "the study X, which is not in the manifest"), ("A,A", "with itself")]
)
def test_pairs_that_cannot_be(tmp_path: Path, row: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        read_pairs(pairs_file(tmp_path, row), MANIFEST)
