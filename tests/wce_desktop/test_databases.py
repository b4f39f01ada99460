"""The list of tests that run on one database only."""

from tests.wce_desktop.databases import HERE, ONLY_HERE


def test_each_entry_names_a_test_that_is_there() -> None:
    for entry in ONLY_HERE:
        module, _, name = entry.partition("::")
        assert f"def {name}" in (HERE / f"{module}.py").read_text("utf-8"), entry
