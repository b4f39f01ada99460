"""What stands in the table and under it: last and best are named, and who chose what is called best."""

from typing import Any

from training.experiments.benchmark.class_figures import FIGURES
from training.experiments.benchmark.page import columns, evaluations, rows
from training.experiments.benchmark.report import notes


def report_of(*, choosing: bool = False, by: str = "groups", **changed: Any) -> dict[str, Any]:
    """A report of one method that was finetuned."""
    groups = {"groups": ["a", "b"], "frames": {"normal": 4, "blood": 4}}
    sides = {"training": groups, "judged": groups, **({"choosing": groups} if choosing else {})}
    comparison = {
        "is_comparison": True, "backbone": "resnet18", "input_size": 96, "frames": 19_200, "steps": 300, "batch": 64,
        "epochs_factor": 1.0, "finetune_steps": 200, "pretrain": {}, **changed.pop("comparison", {}),
    }  # fmt: skip
    asked = {"shares": [0.1, 1.0], "shots": [1], "finetune": True, "finetune_shares": [0.01, 0.1, 1.0], **changed}
    figures = {
        f"finetuned/{share}/{moment}/{name}": {"mean": 0.5, "deviation": 0.1, "values": [0.4, 0.6]}
        for share in ("0.01", "0.1", "1")
        for moment in ("last", "best")
        for name in FIGURES
    }
    return {
        "asked": asked,
        "comparison": comparison,
        "seeds": [0, 1],
        "split": {"name": "80:10:10" if choosing else "60:40", "by": by, **sides},
        "methods": [{"name": "pgcon", "seeds": [0, 1], "figures": figures, "absent": ""}],
        "warnings": [],
    }


def said(report: dict[str, Any]) -> str:
    """All notes."""
    return "\n".join(notes(report))


def test_the_last_step_stands_beside_the_best_one() -> None:
    report = report_of()
    figure_text = dict(zip([heading for heading, _ in columns(report)], rows(report)[0][2:], strict=True))
    for share in ("1 %", "10 %", "100 %"):
        assert figure_text[f"finetuned {share}"] == figure_text[f"finetuned {share} best"] == "0.500 ± 0.100"
    assert figure_text["finetuned 100 % by group"] == "0.500 ± 0.100"
    keys = [key for _, key in columns(report)]
    assert keys.index("finetuned/0.1/best/accuracy") == keys.index("finetuned/0.1/last/accuracy") + 1
    assert not [heading for heading, _ in columns(report_of(finetune=False)) if "finetuned" in heading]


def test_a_small_budget_says_that_its_steps_are_not_the_papers_epochs() -> None:
    words = said(report_of())
    assert "200 steps of 32 frames for every share of the labels" in words
    assert "for 100, 200 and 300 epochs" in words
    assert "evaluated 5 times at equal intervals" in words
    assert "evaluated 2 times" in said(report_of(comparison={"finetune_steps": 2}))


def test_the_papers_budget_says_its_epochs() -> None:
    words = said(report_of(comparison={"finetune_steps": None}))
    assert "(100 for 1 %, 200 for 10 %, 300 for 100 %), evaluated after each epoch" in words
    assert "times as many" not in words
    fewer = said(report_of(comparison={"finetune_steps": None, "epochs_factor": 0.1}))
    assert "(10 for 1 %, 20 for 10 %, 30 for 100 %), evaluated after each epoch; 0.1 times as many" in fewer


def test_who_chose_what_is_called_best_is_said() -> None:
    assert "best epoch and best of finetuned: chosen on the test frames themselves" in said(report_of())
    assert "optimistic" in said(report_of())
    assert "best of finetuned: chosen on the test frames" in said(report_of(shares=[]))
    apart = said(report_of(choosing=True))
    assert "chosen on groups used for neither training nor testing" in apart
    assert "optimistic" not in apart
    assert "best" not in said(report_of(shares=[], finetune=False))


def test_headings_of_the_page_name_last_and_best_and_what_is_optimistic() -> None:
    heads = {key: heading for heading, key in evaluations(report_of())}
    assert heads["finetuned/0.1/last"] == "Full fine-tuning, 10 % of the labels, last step"
    assert heads["finetuned/0.1/best"].endswith("best step, chosen on the test frames: optimistic")
    assert heads["linear/1/best"].endswith("best epoch, chosen on the test frames: optimistic")
    apart = {key: heading for heading, key in evaluations(report_of(choosing=True))}
    assert apart["finetuned/1/best"] == "Full fine-tuning, 100 % of the labels, best step"


def test_where_nobody_knows_the_groups_nothing_is_told_by_group() -> None:
    report = report_of(by="frames")
    assert not [heading for heading, _ in columns(report) if "group" in heading]
    assert "of single frames, at random (60:40: 2 frames for training, 2 for testing)" in said(report)
    assert "group" not in said(report)
