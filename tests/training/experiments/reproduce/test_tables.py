"""The tables themselves: names, comparisons, and that nothing random bears a name of the paper."""

from pathlib import Path

import pytest

from training.errors import UserError
from training.experiments.reproduce.published import (
    NOT_AT_HAND,
    PUBLISHED,
    TABLES,
    Published,
    find_table,
    published_figures,
)
from training.experiments.reproduce.tables import RANDOM, Row, Table, Training, from_random_weights, planned_rows

EVERY = list(TABLES.values())


def test_the_names_are_those_of_the_papers() -> None:
    wanted = [f"pascual-table{n}" for n in range(1, 5)] + [f"laiz-table{n}" for n in range(6, 10)]
    assert list(TABLES) == [*wanted, "laiz-figure8", "laiz-figure13"]


@pytest.mark.parametrize("table", EVERY, ids=list(TABLES))
@pytest.mark.parametrize("with_twins", [False, True])
def test_rows_have_their_own_names_and_are_compared_with_rows_of_the_table(table: Table, with_twins: bool) -> None:
    names = [row.name for row in planned_rows(table, weights_there=True, with_twins=with_twins)]
    assert len(set(names)) == len(names)
    for row in planned_rows(table, weights_there=True, with_twins=with_twins):
        assert set(row.against) <= set(names)
        assert row.name not in row.against


@pytest.mark.parametrize("table", EVERY, ids=list(TABLES))
def test_random_weights_never_stand_under_a_name_of_the_paper(table: Table) -> None:
    rows = planned_rows(table, weights_there=False, with_twins=False)
    for row in rows:
        if row.training is not None and row.training.start == "random":
            assert row.is_ours
            assert row.name.startswith(RANDOM)
            assert "imagenet" not in row.name.lower()
    trained = [row for row in table.rows if row.training is not None]
    assert len(rows) == len(table.rows) + len(trained), "each trained row has a twin where the weights are absent"


def test_with_weights_real_data_need_no_twins() -> None:
    table = find_table("laiz-table6")
    assert planned_rows(table, weights_there=True, with_twins=False) == table.rows


def test_a_row_without_training_or_from_random_weights_has_no_twin() -> None:
    for row in (Row("SSAEIM"), Row("x", Training("tl-ba", "random"))):
        with pytest.raises(ValueError, match="no counterpart"):
            from_random_weights(row)


def trainings_of(table: str) -> dict[str, Training]:
    """Row -> training, of the rows that are implemented."""
    return {row.name: row.training for row in find_table(table).rows if row.training is not None}


def test_methods_are_those_that_the_issue_names() -> None:
    by_name = trainings_of("pascual-table3")
    assert by_name["Imagenet"].method == "cross-entropy"
    assert (by_name["SimCLR"].method, by_name["SimCLR"].pretrain) == ("tl-ba", "simclr")
    assert (by_name["Time-based SSL"].method, by_name["Time-based SSL"].pretrain) == ("tl-ba", "time-triplet")
    laiz = {name: training.method for name, training in trainings_of("laiz-table6").items()}
    assert laiz == {"ResNet": "cross-entropy", "TL_BH": "tl-bh", "TL_BA": "tl-ba"}
    pascual = trainings_of("pascual-table4")
    assert pascual["ResNet"].method == "tl-ba"
    assert "ANET" not in pascual


def test_what_must_be_said_is_said() -> None:
    for number in (1, 2, 4):
        assert any("not patient-wise" in note for note in find_table(f"pascual-table{number}").notes)
    assert any("158" in note and "165" in note for note in find_table("laiz-table9").notes)


def test_a_table_that_there_is_not() -> None:
    with pytest.raises(UserError, match="laiz-table5") as caught:
        find_table("laiz-table5")
    assert "laiz-table6" in caught.value.hint


def test_published_figures_name_their_source_and_a_row_that_exists() -> None:
    for (table, row, _), published in PUBLISHED.items():
        assert row in [known.name for known in TABLES[table].rows]
        assert published.source
        assert published.text != NOT_AT_HAND


def test_figures_that_a_person_read_are_taken_with_their_source(tmp_path: Path) -> None:
    file = tmp_path / "read.csv"
    file.write_text("table,row,figure,text,source\nlaiz-table6,TL_BA,auc,made up 12.3,a test\n", encoding="utf-8")
    read = published_figures(file)
    assert read["laiz-table6", "TL_BA", "auc"] == Published("made up 12.3", "a test")
    assert ("laiz-table6", "TL_BH", "auc") not in read
    file.write_text("table,row,figure,text,source\nlaiz-table6,TLBA,auc,1,a test\n", encoding="utf-8")
    with pytest.raises(UserError, match="no row 'TLBA'"):
        published_figures(file)
