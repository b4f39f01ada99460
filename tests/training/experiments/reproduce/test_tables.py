"""The tables themselves: names, comparisons, and that nothing random bears a name of the paper."""

from pathlib import Path

import pytest

from training.errors import UserError
from training.experiments.reproduce.budgets import BRIEF, PAPER, SMALL, SMOKE, of_table
from training.experiments.reproduce.data import TableData
from training.experiments.reproduce.figures import heading, keys_of
from training.experiments.reproduce.outcome import Outcome
from training.experiments.reproduce.published import (
    OLDER_ROWS,
    Published,
    figure_key,
    figures_of,
    find_table,
    published_figures,
    read_figures,
    row_names,
    shipped_figures,
)
from training.experiments.reproduce.reproduction import Plan
from training.experiments.reproduce.tables import RANDOM, Row, Table, Training, from_random_weights, planned_rows
from training.experiments.reproduce.triplet_tables import TABLES
from training.experiments.reproduce.vats import VATS_TABLES, DataSet
from training.experiments.reproduce.vats_table import table_lines
from training.pretraining.config import stored_config

EVERY = list(TABLES.values())


def test_the_names_are_those_of_the_papers() -> None:
    wanted = [f"pascual-table{n}" for n in range(1, 5)] + [f"laiz-table{n}" for n in range(6, 10)]
    assert list(TABLES) == [*wanted, "laiz-figure8", "laiz-figure13"]


@pytest.mark.parametrize("table", EVERY, ids=list(TABLES))
@pytest.mark.parametrize("weights_there", [False, True])
def test_rows_have_their_own_names_and_are_compared_with_rows_of_the_table(table: Table, weights_there: bool) -> None:
    rows = planned_rows(table, weights_there=weights_there)
    names = [row.name for row in rows]
    assert len(set(names)) == len(names)
    for row in rows:
        assert set(row.against) <= set(names)
        assert row.name not in row.against


@pytest.mark.parametrize("table", EVERY, ids=list(TABLES))
def test_random_weights_never_stand_under_a_name_of_the_paper(table: Table) -> None:
    rows = planned_rows(table, weights_there=False)
    for row in rows:
        if row.training is not None and row.training.start == "random":
            assert row.is_ours
            assert row.name.startswith(RANDOM)
            assert "imagenet" not in row.name.lower()
    trained = [row for row in table.rows if row.training is not None]
    assert len(rows) == len(table.rows) + len(trained), "each trained row has a twin where the weights are absent"


def test_with_weights_there_are_no_twins() -> None:
    table = find_table("laiz-table6")
    assert planned_rows(table, weights_there=True) == table.rows


def test_a_row_without_training_or_from_random_weights_has_no_twin() -> None:
    for row in (Row("SSAEIM"), Row("x", Training("tl-ba", "random"))):
        with pytest.raises(ValueError, match="no counterpart"):
            from_random_weights(row)


def trainings_of(table: str) -> dict[str, Training]:
    """Row -> training, of the rows that are implemented."""
    return {row.name: row.training for row in find_table(table).rows if row.training is not None}


def test_each_row_has_the_paper_s_method() -> None:
    by_name = trainings_of("pascual-table3")
    assert by_name["Imagenet"].method == "cross-entropy"
    assert (by_name["TL_BA"].method, by_name["TL_BA"].pretrain) == ("tl-ba", "")
    assert (by_name["SimCLR"].method, by_name["SimCLR"].pretrain) == ("tl-ba", "simclr")
    assert (by_name["Time-based SSL"].method, by_name["Time-based SSL"].pretrain) == ("tl-ba", "time-triplet")
    laiz = {name: training.method for name, training in trainings_of("laiz-table6").items()}
    assert laiz == {"ResNet": "cross-entropy", "TL_BH": "tl-bh", "TL_BA": "tl-ba"}
    assert trainings_of("pascual-table4")["ResNet"].method == "tl-ba"


def test_the_settings_of_a_row_are_those_of_its_name() -> None:
    sequences = trainings_of("pascual-table1")["N = 18, w = 9, 4 sequences a batch, one study (resample)"]
    wanted = {"sequence_length": 18, "sequences": 4, "window": 9, "sequence_source": "resample"}
    assert sequences.pretrain_settings == wanted
    heads = {name: made.pretrain_settings["projection"] for name, made in trainings_of("pascual-table2").items()}
    assert heads["no projection"] == ()
    assert heads["3 x 256"] == (256, 256, 256)
    layers = {name: made.settings.get("embedding_layer") for name, made in trainings_of("laiz-table7").items()}
    assert layers == {"TL_BA": None, **{f"layer of {size:,}": size for size in (128, 256, 512, 1024)}}
    margins = {name: made.settings["margin"] for name, made in trainings_of("laiz-table8").items()}
    assert margins == {f"margin {margin}": margin for margin in (0.1, 0.2, 0.5, 1.0)}
    degrees = {name: made.imbalance for name, made in trainings_of("laiz-figure13").items()}
    assert degrees["TL_BA, 25 to 1"] == degrees["ResNet, 25 to 1"] == 25
    assert len(degrees) == 10


@pytest.mark.parametrize("table", [table for table in EVERY if table.paper == "pascual"], ids=lambda table: table.name)
def test_settings_of_pretrainings_are_accepted(table: Table) -> None:
    for row in table.rows:
        if row.training is not None and row.training.pretrain:
            asked = row.training.pretrain_settings
            made = stored_config({"method": row.training.pretrain, "studies": "-", "out": "-", **asked}).model_dump()
            assert {name: made[name] for name in asked} == dict(asked)


def test_table_4_of_pascual_has_four_folds_and_kinds_figure_13_ten_repeats() -> None:
    assert of_table(PAPER, find_table("pascual-table4")).folds == 4
    assert of_table(PAPER, find_table("pascual-table3")).folds == 5
    assert of_table(SMALL, find_table("pascual-table4")).folds == SMALL.folds == 3
    assert of_table(SMALL, find_table("laiz-figure13")).seeds == 10
    assert of_table(SMOKE, find_table("laiz-figure13")).seeds == SMOKE.seeds == 1
    others = {table.name: of_table(BRIEF, table).phantom.outside_patients for table in EVERY}
    assert others == {table.name: 6 for table in EVERY} | {"pascual-table1": 8}, "8 sequences of different studies"
    assert [table.name for table in EVERY if not table.is_binary] == ["pascual-table4"]


def test_what_must_be_said_is_said() -> None:
    for number in (1, 2):
        assert any("not patient-wise" in note for note in find_table(f"pascual-table{number}").notes)
    for number in (3, 4):
        assert any('the paper calls "Ours"' in note for note in find_table(f"pascual-table{number}").notes)
    assert any("trained as there (preset laiz)" in note for note in find_table("pascual-table3").notes)
    assert any("158" in note and "165" in note for note in find_table("laiz-table9").notes)


def test_a_table_that_there_is_not() -> None:
    with pytest.raises(UserError, match="laiz-table5") as caught:
        find_table("laiz-table5")
    assert "laiz-table6" in caught.value.hint


@pytest.mark.parametrize("name", [*TABLES, *VATS_TABLES])
def test_rows_and_figures_are_those_of_the_shipped_csv(name: str) -> None:
    figures = [(row, key) for table, row, key in shipped_figures() if table == name]
    if name == "laiz-figure13":
        assert not figures, "the paper prints no numbers"
        return
    rows = find_table(name).rows if name in TABLES else VATS_TABLES[name].rows
    assert [row.name for row in rows if not row.is_ours] == list(dict.fromkeys(row for row, _ in figures))
    assert keys(name) == {key for _, key in figures}


def keys(name: str) -> set[str]:
    """The figures that the table has for the paper's rows, families spelled out as the paper does."""
    if name in VATS_TABLES:
        return {
            figure.key for figure in VATS_TABLES[name].figures if figure.data_set != "" and "last" not in figure.key
        }
    return set(keys_of(find_table(name).figures, [], figures_of(shipped_figures(), name)))


COUNTS = {
    "pascual-table1": 13,
    "pascual-table2": 6,
    "pascual-table3": 4 * 4,
    "pascual-table4": 5 * (2 * 3 + 1),
    "laiz-table6": 6 * 7,
    "laiz-table7": 5 * 7,
    "laiz-table8": 4 * 7,
    "laiz-table9": 7,
    "laiz-figure8": 3,
    "laiz-figure13": 0,
    "vats-table2": 4,
    "vats-table3": 5 * 6,
    "vats-table4": 5 * 8 + 4 + 1,
}
"""Figures that each table of the papers prints, rows times columns; of DenseNet-161 four, of Guo et al. one."""


@pytest.mark.parametrize("name", [*TABLES, *VATS_TABLES])
def test_no_row_lacks_a_figure(name: str) -> None:
    assert sum(table == name for table, _, _ in shipped_figures()) == COUNTS[name]


@pytest.mark.parametrize("table", EVERY, ids=list(TABLES))
def test_every_figure_of_the_paper_is_printed_once(table: Table) -> None:
    data, nothing = TableData("none", {}, "0"), {row.name: "not reached" for row in table.rows}
    plan = Plan(table, of_table(PAPER, table), (), (0,))
    outcome = Outcome(plan, data, table.rows, {}, nothing, shipped_figures())
    printed = [(row, figure, paper) for row, figure, paper, *_ in outcome.lines() if paper not in ("-", "not at hand")]
    assert sorted(printed) == sorted(as_printed(table.name))


@pytest.mark.parametrize(
    ("name", "data_set"),
    [(name, data_set) for name, table in VATS_TABLES.items() for data_set in ("", *table.data_sets)],
)
def test_every_figure_of_vats_is_printed_once_whatever_the_data(name: str, data_set: DataSet) -> None:
    report = {"methods": [], "comparison": {"steps": 1}, "data": {"sentence": "none"}}
    lines = table_lines(VATS_TABLES[name], report, shipped_figures(), data_set)
    printed = [(row, figure, paper) for row, figure, paper, *_ in lines if paper != "-"]
    assert sorted(printed) == sorted(as_printed(name))


def as_printed(name: str) -> list[tuple[str, str, str]]:
    """Row, heading and text of each figure that the paper's table has."""
    return [(row, heading(key), known.text) for (table, row, key), known in shipped_figures().items() if table == name]


def test_shipped_figures_are_those_that_were_read(shared_published: Path) -> None:
    papers = ("pascual", "laiz", "vats")
    files = [path for path in sorted(shared_published.glob("*.csv")) if path.stem.startswith(papers)]
    read = {path.stem: dict(read_figures(path)) for path in files if path.stem != "laiz-table5"}  # counts of its data
    tables = {table for table, _, _ in shipped_figures() if table.startswith(papers)}
    shipped = {name: {key: known for key, known in shipped_figures().items() if key[0] == name} for name in tables}
    assert read == shipped


def test_older_names_of_rows_are_still_read(tmp_path: Path) -> None:
    file = tmp_path / "read.csv"
    for (table, older), row in OLDER_ROWS.items():
        assert row in row_names(table)
        assert older not in row_names(table)
        key = next(key for name, known, key in shipped_figures() if (name, known) == (table, row))
        file.write_text(f'table,row,figure,text,source\n{table},{older},"{key}",1,a test\n', encoding="utf-8")
        assert list(read_figures(file)) == [(table, row, key)]


def test_the_older_way_to_name_a_figure_is_still_read() -> None:
    assert figure_key("finetuned, CAD-CAP, best: AUC") == "auc:finetuned, CAD-CAP, best"
    for key in ("auc", "f1:normal", "findings:small (2-6 mm)", "accuracy:kNN"):
        assert figure_key(key) == key


def test_figures_that_a_person_read_are_taken_with_their_source(tmp_path: Path) -> None:
    file = tmp_path / "read.csv"
    file.write_text("table,row,figure,text,source\nlaiz-table6,TL_BA,auc,made up 12.3,a test\n", encoding="utf-8")
    read = published_figures(file)
    assert read["laiz-table6", "TL_BA", "auc"] == Published("made up 12.3", "a test")
    assert read["laiz-table6", "TL_BH", "auc"].text == "87.68 ± 2.71 %"
    file.write_text("table,row,figure,text,source\nlaiz-table6,TLBA,auc,1,a test\n", encoding="utf-8")
    with pytest.raises(UserError, match="no row 'TLBA'"):
        published_figures(file)
