"""From the command to the printed table: what is trained, told, compared, written, and taken up after a stop."""

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.training.experiments.reproduce.fakes import FakeEngine, StoppableReporter, write_tables
from training.errors import UserError
from training.experiments.engine import NOT_REACHED
from training.experiments.reproduce import reproduction
from training.experiments.reproduce.budgets import PAPER, departures
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.reproduction import reproduce
from training.models.backbones import has_imagenet_weights

Command = Callable[..., ReproduceConfig]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Makes a command on invented studies; no ImageNet weights, and a device of 130 images a second."""
    monkeypatch.setattr(reproduction, "images_per_second", lambda *_: 130.0)
    monkeypatch.setattr(reproduction, "has_imagenet_weights", lambda *_: False)
    manifest, labels = write_tables(tmp_path / "data", unlabelled=2)

    def make(table: str, **fields: Any) -> ReproduceConfig:
        given: dict[str, Any] = {
            "studies": manifest,
            "labels": labels,
            "out": tmp_path / "out",
            "weights_cache": tmp_path / "none",
        }
        return ReproduceConfig(table=table, **{**given, **fields})

    return make


def with_findings(config: ReproduceConfig) -> ReproduceConfig:
    assert config.labels is not None
    text = config.labels.read_text(encoding="utf-8").replace("polyp,yes,", "polyp,yes,F1")
    config.labels.write_text(text, encoding="utf-8")
    return config


def lines_of(result: Mapping[str, Any]) -> list[dict[str, str]]:
    return list(csv.DictReader(Path(result["csv"]).read_text(encoding="utf-8").splitlines()))


def test_a_table_with_others_systems_absent_weights_and_ours(command: Command) -> None:
    fake, reporter = FakeEngine(), StoppableReporter()
    result = reproduce(command("laiz-table6", seeds=2), reporter, fake.engine())
    ours = {(line["row"], line["figure"]): line for line in lines_of(result)}
    assert ours["SSAEIM", "accuracy"]["ours"] == "not implemented"
    assert ours["SSAEIM", "accuracy"]["paper"] == "59.85 ± 48.75 %"
    assert ours["TL_BA", "accuracy"]["ours"] == "weights absent"
    twin = ours["ours, random weights: TL_BA", "accuracy"]
    assert twin["ours"] == "50.0 ± 0.0 % (6)"
    assert (twin["paper"], twin["seeds"], twin["steps"]) == ("-", "2", "200")
    assert "4 labelled patients" in twin["data"]
    assert result["finished"]
    assert {fields["seed"] for fields in fake.evaluated} == {0, 1}
    assert {(fields["merged_class"], fields["imbalance"]) for fields in fake.evaluated} == {("finding", None)}
    assert any("3 folds, 2 repeats" in line for line in reporter.lines), "told before it starts"


def test_with_weights_the_papers_rows_are_trained(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduction, "has_imagenet_weights", has_imagenet_weights)
    result = reproduce(command("laiz-table6"), StoppableReporter(), FakeEngine().engine())
    ours = {line["row"]: line["ours"] for line in lines_of(result) if line["figure"] == "accuracy"}
    assert ours["TL_BA"] == "50.0 ± 0.0 % (3)"
    assert not any("random weights" in name for name in ours)


def test_a_figure_without_numbers_is_not_guessed_and_each_degree_is_trained(command: Command) -> None:
    fake = FakeEngine()
    result = reproduce(command("laiz-figure13", seeds=1), StoppableReporter(), fake.engine())
    assert {line["paper"] for line in lines_of(result)} == {"not at hand", "-"}
    assert "is not guessed" in result["text"]
    asked = [(fields["method"], fields["imbalance"]) for fields in fake.evaluated]
    assert asked == [(method, degree) for method in ("cross-entropy", "tl-ba") for degree in (1, 10, 25, 50, 100)]


def test_the_printed_table_says_what_must_be_said(command: Command) -> None:
    text = reproduce(command("pascual-table3"), StoppableReporter(), FakeEngine().engine())["text"]
    for part in (
        "Pascual et al. 2022",
        " on cpu: ",
        "weights absent",
        "82.85 ± 5.72 %",
        "Table 3, read in the paper",
        "Time-based SSL - SimCLR (ours, random weights)",
        "SimCLR's finetuning loss is not stated",
        "Settings that differ from the paper's (in brackets)",
        "pretraining with sequence_length 18 (72), sequences 4 (1), optimizer adamw (sgd)",
        "window 3 (9)",
        "finetuning with batch_size 24 (64), least_per_class 2 (0)",
    ):
        assert part in text
    assert "Not a comparison" not in text
    laiz = reproduce(command("laiz-table6"), StoppableReporter(), FakeEngine().engine())["text"]
    assert "pretraining with" not in laiz  # its table has none
    assert "positive_share" not in laiz  # it is the paper's
    assert "50.0 ± 0.0 % (3)" in laiz, "in the paper's unit"
    findings = reproduce(with_findings(command("laiz-table9")), StoppableReporter(), FakeEngine().engine())["text"]
    assert "per cent of the findings" in findings
    assert departures(PAPER, "pascual", has_pretraining=True) == departures(PAPER, "laiz", has_pretraining=False) == ""


def test_paired_differences_are_written(command: Command) -> None:
    result = reproduce(command("laiz-table6"), StoppableReporter(), FakeEngine().engine())
    content = json.loads(Path(result["json"]).read_text(encoding="utf-8"))
    pair = next(
        row
        for row in content["paired"]
        if (row["row"], row["against"], row["figure"])
        == ("ours, random weights: TL_BA", "ours, random weights: ResNet", "auc")
    )
    assert pair["mean"] == pytest.approx(0.2)
    assert (pair["better"], pair["trainings"]) == (3, 3)
    assert content["is_comparison"]
    assert [row["value"] for row in content["values"]["ours, random weights: ResNet"]["auc"]] == [0.6, 0.61, 0.62]


def test_a_stop_prints_what_there_is_and_the_same_call_goes_on(command: Command) -> None:
    reporter = StoppableReporter()
    stopped = FakeEngine(reporter, stop_at=2)
    result = reproduce(command("laiz-table6"), reporter, stopped.engine())
    assert not result["finished"]
    said = {line["row"]: line["ours"] for line in lines_of(result)}
    assert said["ours, random weights: TL_BA"] == NOT_REACHED
    fake = FakeEngine()
    assert reproduce(command("laiz-table6"), StoppableReporter(), fake.engine())["finished"]
    assert [fields["method"] for fields in fake.evaluated] == ["tl-bh", "tl-ba"]


def test_a_row_that_fails_leaves_the_others(command: Command) -> None:
    fake = FakeEngine(fails={"tl-bh"})
    result = reproduce(command("laiz-table6"), StoppableReporter(), fake.engine())
    said = {line["row"]: line["ours"] for line in lines_of(result)}
    assert said["ours, random weights: TL_BH"] == "failed: The loss diverged."
    assert "ours, random weights: TL_BA" in json.loads(Path(result["json"]).read_text(encoding="utf-8"))["values"]
    assert not result["finished"]


def test_rows_that_the_studies_are_too_few_for_are_left_out_before_anything_is_trained(command: Command) -> None:
    fake, reporter = FakeEngine(studies=2), StoppableReporter()
    result = reproduce(command("pascual-table1"), reporter, fake.engine())
    said = {line["row"]: line["ours"] for line in lines_of(result)}
    left_out = [name for name, ours in said.items() if ours == "Too few studies."]
    assert left_out == [name for name in said if name.startswith("ours") and "different studies" in name]
    assert len(left_out) == 5
    assert len(fake.pretrained) == 8
    told = [reporter.lines.index(f"{name} is left out: Too few studies.") for name in left_out]
    assert max(told) < next(at for at, line in enumerate(reporter.lines) if "(1 of 8)" in line)
    assert result["finished"], "nothing that can be trained is missing"
    again = reproduce(command("pascual-table1"), reporter, FakeEngine(studies=1).engine())
    assert again["text"] == result["text"], "what is kept needs no studies"


def test_tables_of_findings_need_labels_that_name_them(command: Command, tmp_path: Path) -> None:
    fake = FakeEngine()
    for table in ("laiz-table9", "laiz-figure8"):
        for fields in ({}, {"studies": None, "images": tmp_path}):
            with pytest.raises(UserError, match="counts findings"):
                reproduce(command(table, **fields), StoppableReporter(), fake.engine())
    assert not fake.evaluated


def test_an_input_that_no_row_can_use_is_an_error(command: Command) -> None:
    fake = FakeEngine(fails={"tl-bh", "tl-ba", "cross-entropy"})
    with pytest.raises(UserError, match="diverged"):
        reproduce(command("laiz-table6"), StoppableReporter(), fake.engine())


def test_smoke_is_marked(command: Command) -> None:
    result = reproduce(command("laiz-table6", budget="smoke"), StoppableReporter(), FakeEngine().engine())
    assert not result["is_comparison"]
    assert "Not a comparison" in result["text"]


def test_hours_settle_the_steps_once(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeEngine()
    reproduce(command("laiz-table6", hours=0.5), StoppableReporter(), fake.engine())
    monkeypatch.setattr(reproduction, "images_per_second", lambda *_: 260.0)
    result = reproduce(command("laiz-table6", hours=0.5), StoppableReporter(), fake.engine())
    assert result["finished"]
    assert len(fake.evaluated) == 3, "the second call found every training of the first"
    assert fake.evaluated[0]["steps"] > 200
    with pytest.raises(UserError, match="too few"):
        reproduce(command("laiz-table8", hours=0.01), StoppableReporter(), fake.engine())


def test_images_without_videos_pretrain_nothing(command: Command, tmp_path: Path) -> None:
    fake = FakeEngine()
    fields = {"studies": None, "images": tmp_path, "split": "random"}
    result = reproduce(command("pascual-table4", **fields), StoppableReporter(), fake.engine())
    said = {line["row"]: line["ours"] for line in lines_of(result)}
    assert said["Guo et al."] == "not implemented"
    assert {fields["merged_class"] for fields in fake.evaluated} == {""}
    assert said["Time-based SSL"] == "weights absent"
    assert said["ours, random weights: Time-based SSL"] == "no videos to pretrain on"
    assert "at random" in result["text"]
    assert {line["data"] for line in lines_of(result)} == {"-", f"images: {tmp_path.name} by labels.csv"}
    assert not fake.pretrained


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"table": "laiz-table5"}, "no such table"),
        ({"studies": None}, "one of phantom"),
        ({"phantom": True}, "one of phantom"),
        ({"labels": None}, "need their labels"),
        ({"split": "random"}, "split belongs to images"),
    ],
)
def test_settings_that_do_not_go_together(command: Command, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        command(**{"table": "laiz-table6", **fields}).check_used(fields)


def test_classes_of_the_paper_and_of_the_data_stand_where_they_are_known(command: Command, tmp_path: Path) -> None:
    fields = {"studies": None, "images": tmp_path, "split": "random", "pretrain_studies": tmp_path / "m.json"}
    (tmp_path / "m.json").write_text("{}", encoding="utf-8")
    result = reproduce(command("pascual-table4", **fields), StoppableReporter(), FakeEngine().engine())
    lines = {(line["row"], line["figure"]): (line["paper"], line["ours"]) for line in lines_of(result)}
    assert lines["Guo et al.", "F1, inflammation"] == ("90.30 ± 1.56 %", "not implemented")
    assert ("Guo et al.", "F1, polyp") not in lines
    assert lines["ours, random weights: ResNet", "F1, polyp"] == ("-", "25.0 ± 0.0 % (3)")
    assert ("ours, random weights: ResNet", "F1, inflammation") not in lines
