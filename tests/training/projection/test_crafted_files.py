"""Maps and evolutions that were changed by hand: a sentence, and never a row that points nowhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.crafted_npz import change_npz
from tests.training.projection.test_file import sample
from training.errors import UserError
from training.projection.evolution import EvolutionFile
from training.projection.map_file import ProjectionFile, write_arrays
from training.projection.map_making import Stages
from training.projection.tsne import Affinities
from training.runs.reporter import SilentReporter

Facts = dict[str, Any]
Change = Callable[[Facts, dict[str, Any]], object]

BOTH: dict[str, Change] = {
    "study beyond": lambda _, arrays: arrays["study"].__setitem__(0, 2),
    "study below": lambda _, arrays: arrays["study"].__setitem__(0, -1),
    "frame below": lambda _, arrays: arrays["frame_index"].__setitem__(0, -1),
    "NaN": lambda _, arrays: arrays["coordinates"].fill(np.nan),
    "endless time": lambda _, arrays: arrays["video_seconds"].fill(np.inf),
    "rank": lambda _, arrays: arrays.update(coordinates=arrays["coordinates"].ravel()),
    "objects": lambda _, arrays: arrays.update(study=np.array([{}, {}, {}], object)),
    "short": lambda _, arrays: arrays.update(frame_index=arrays["frame_index"][:2]),
    "names": lambda facts, _: facts.update(study_ids=3),
    "names of another kind": lambda facts, _: facts.update(study_ids=[1, 2]),
    "patients": lambda facts, _: facts.update(patient_ids=["P1"]),
    "shares": lambda facts, _: facts.update(explained=["much", 1]),
    "parameters": lambda facts, _: facts.update(parameters=[]),
    "completeness": lambda facts, _: facts.update(is_complete="no"),
    "version": lambda facts, _: facts.update(schema_version="1"),
    "nothing": lambda facts, _: facts.clear(),
}
MAPS: dict[str, Change] = {
    "model": lambda facts, _: facts.update(model=[]),
    "steps": lambda facts, _: facts.update(iteration="many"),
    "divergence": lambda facts, _: facts.update(kl_divergence=[]),
    "basis": lambda _, arrays: arrays.update(reduced=arrays["reduced"][:2]),
    "basis of another width": lambda _, arrays: arrays.update(mean=np.zeros(9)),
}
EVOLUTIONS: dict[str, Change] = {
    "label beyond": lambda _, arrays: arrays["label"].__setitem__(0, 1),
    "label below": lambda _, arrays: arrays["label"].__setitem__(0, -2),
    "steps descend": lambda _, arrays: arrays.update(steps=arrays["steps"][::-1].copy()),
}


@pytest.mark.parametrize("name", [*BOTH, *MAPS])
def test_a_crafted_map_is_told(tmp_path: Path, name: str) -> None:
    path = change_npz(sample().save(tmp_path / "map.npz"), "facts", (BOTH | MAPS)[name])
    with pytest.raises(UserError, match=r"map\.npz is (damaged or )?not a (valid )?map"):
        ProjectionFile.open(path, with_basis=True)


@pytest.mark.parametrize("name", [*BOTH, *EVOLUTIONS])
def test_a_crafted_evolution_is_told(tmp_path: Path, name: str) -> None:
    whole = EvolutionFile(
        run="r", space="backbone", steps=np.array([1, 5]), coordinates=np.zeros((2, 3, 2), np.float32),
        study_ids=("a", "b"), patient_ids=("P1", "P2"), study=np.array([0, 0, 1], np.int32),
        frame_index=np.arange(3), video_seconds=np.arange(3.0), labels=("polyp",),
        label=np.array([0, -1, 0], np.int32), parameters={},
    )  # fmt: skip
    path = whole.save(tmp_path / "e.npz")
    assert EvolutionFile.open(path).steps.tolist() == [1, 5]
    change_npz(path, "facts", (BOTH | EVOLUTIONS)[name])
    with pytest.raises(UserError, match=r"e\.npz is (damaged or )?not (an|a valid) evolution"):
        EvolutionFile.open(path)


STAGES: dict[str, tuple[str, Change]] = {
    "sound": ("state", lambda facts, _: facts),
    "column beyond": ("affinities", lambda _, arrays: arrays["indices"].__setitem__(0, 3)),
    "column below": ("affinities", lambda _, arrays: arrays["indices"].__setitem__(0, -1)),
    "rows beyond": ("affinities", lambda _, arrays: arrays["indptr"].__setitem__(3, 9)),
    "rows descend": ("affinities", lambda _, arrays: arrays["indptr"].__setitem__(1, 3)),
    "other rows": ("affinities", lambda _, arrays: arrays.update(indptr=np.array([0, 1, 2], np.int32))),
    "endless": ("affinities", lambda _, arrays: arrays["data"].fill(np.inf)),
    "state NaN": ("state", lambda _, arrays: arrays["update"].fill(np.nan)),
    "state short": ("state", lambda _, arrays: arrays.update(gains=np.ones((2, 2)))),
    "step": ("state", lambda facts, _: facts.update(iteration="1")),
    "no step": ("state", lambda facts, _: facts.pop("iteration")),
}


@pytest.mark.parametrize("name", STAGES)
def test_crafted_stages_are_begun_anew(tmp_path: Path, name: str) -> None:
    """Native code would read beyond its arrays where a sparse matrix points beyond them."""
    stages = Stages(tmp_path / "map.npz", SilentReporter())
    data, row = np.array([0.5, 0.25, 0.25]), np.arange(3, dtype=np.int32)
    stages.keep_affinities(Affinities(data, row, np.array([0, 1, 2, 3], np.int32)))
    arrays = {each: np.ones((3, 2)) for each in ("coordinates", "update", "gains")}
    write_arrays(stages.folder / "state.npz", arrays, {"iteration": 5, "kl_divergence": 1.5})
    file, change = STAGES[name]
    change_npz(stages.folder / f"{file}.npz", "facts", change)
    assert (stages.kept() is not None) == (name == "sound")
