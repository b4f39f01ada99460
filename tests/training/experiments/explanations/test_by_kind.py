"""Figures kind by kind: which maps stand in a row, and what is there where there is one kind only."""

from tests.training.experiments.explanations.test_figures import config, evaluated
from training.experiments.explanations.figures import by_kind, kind_counts
from training.experiments.explanations.frame_evaluation import EvaluatedOverlay

MIXED = [
    evaluated("a1", 1.0, sampled=True),
    evaluated("a2", 1.0),
    evaluated("b1", 0.0),
    evaluated("c1", 0.0, kind="polyp", sampled=True),
    evaluated("d1", None, kind="polyp"),
    evaluated("e1", 1.0, kind="ulcer"),
    evaluated("a1", 0.0, sampled=True, explain="score-cam"),
    evaluated("c1", 1.0, kind="polyp", sampled=True, explain="score-cam"),
]


def kinds_of(maps: list[EvaluatedOverlay]) -> list[str]:
    """The rarest kind first."""
    return list(kind_counts(list({item.frame.filename: item.frame for item in maps}.values())))


def test_kinds_are_counted_the_rarest_first() -> None:
    assert kinds_of(MIXED) == ["ulcer", "polyp", "blood"]
    counts = kind_counts([item.frame for item in MIXED[:6]])
    assert counts["blood"] == {"frames": 3, "sampled": 1}
    assert counts["ulcer"] == {"frames": 1, "sampled": 0}


def test_each_kind_is_judged_by_its_own_frames() -> None:
    found = by_kind(config(explain=("cam", "score-cam")), MIXED, kinds_of(MIXED))
    assert {subset: {kind: list(ways) for kind, ways in kinds.items()} for subset, kinds in found.items()} == {
        "all": {"ulcer": ["cam"], "polyp": ["cam"], "blood": ["cam"]},
        "sample": {"polyp": ["cam", "score-cam"], "blood": ["cam", "score-cam"]},
    }
    blood, polyp = found["all"]["blood"]["cam"], found["all"]["polyp"]["cam"]
    assert (blood["frames"], blood["groups"], blood["pointing"]["value"]) == (3, 2, 2 / 3)
    assert (polyp["frames"], polyp["groups"], polyp["empty"], polyp["pointing"]["value"]) == (2, 2, 1, 0.0)
    assert polyp["over_chance"]["value"] == -0.25
    assert found["sample"]["polyp"]["score-cam"]["pointing"]["value"] == 1.0


def test_one_kind_alone_has_no_table_of_kinds() -> None:
    maps = MIXED[:3]
    assert by_kind(config(explain=("cam",)), maps, kinds_of(maps)) == {}
