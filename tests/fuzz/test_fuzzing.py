"""A small sample of the fuzzing, always the same one; `python -m tests.fuzz` runs as many cases as one likes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from tests.fuzz.base_commands import BASES
from tests.fuzz.case import Case, fill_in
from tests.fuzz.formats import FORMATS, Reader, call, damage_input
from tests.fuzz.groups import all_groups, strategy_of
from tests.fuzz.harness import Worker
from tests.fuzz.material import make_material
from tests.fuzz.options import all_commands
from tests.fuzz.planted import PLANTED
from tests.fuzz.running import program_on
from tests.fuzz.sandbox import Sandbox
from tests.fuzz.server_client import ServerClient
from training.commands import COMMANDS
from training.commands.common import find_command

EACH = 1
INPUT = "{inputs}/images.csv"
SLOW = frozenset({"serve", "reproduce", "evaluate", "benchmark", "few-labels", "active-learning"})
"""Commands whose working call takes longer, or that answer the window only."""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A sandbox with the valid inputs, and the servers that run cases."""
    folder = tmp_path_factory.mktemp("fuzz")
    with ServerClient("shell", folder / "fonts") as shell:
        make_material(folder / "material", program_on(shell, folder / "making"))
        with Worker(Sandbox(folder / "worker", folder / "material"), damage_input, shell) as worker:
            yield worker


@pytest.mark.parametrize("group", all_groups())
def test_hostile_values_and_damaged_files_are_refused_or_give_a_valid_result(group: str, worker: Worker) -> None:
    @settings(
        max_examples=EACH,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def try_some(data: DataObject) -> None:
        verdict = worker.run(data.draw(strategy_of(group)))
        assert not verdict.failures, f"{verdict.failures}\n--replay '{verdict.case.to_json()}'\n{verdict.output}"

    try_some()


@pytest.mark.parametrize("defect", PLANTED)
def test_the_harness_notices_what_is_planted(defect: str, worker: Worker) -> None:
    verdict = worker.run(Case("planted", "planted", (defect, INPUT)), asleep_seconds=2.0)
    assert [kind for kind, _ in verdict.failures] == [defect.split(maxsplit=1)[0]]


def test_the_harness_finds_nothing_where_all_is_well(worker: Worker) -> None:
    assert not worker.run(Case("planted", "planted", ("well", INPUT))).failures
    refused = worker.run(Case("planted", "planted", ("well", INPUT), must_be_refused=True))
    assert [kind for kind, _ in refused.failures] == ["accepted"]


def test_every_setting_of_every_command_is_fuzzed() -> None:
    for name in COMMANDS:
        fields = set(find_command(name)[0].every_field())
        assert fields <= {option.name for option in all_commands()[name].options if option.flag == "--set"}


def test_every_reader_of_a_format_is_a_command_with_these_options() -> None:
    calls = [call(reader) for one in FORMATS.values() for reader in one.readers]
    assert all("{damaged}" in " ".join(argv) for _, argv, _ in calls)


def test_a_case_can_be_written_down_and_read_again() -> None:
    case = Case(
        "g", "training", ("a", "\udcff"), ("{out}/x",), ("labels csv", "truncate", 7), (("f", "{}"),), "ask", True, True
    )
    assert Case.from_json(case.to_json()) == case
    assert json.loads(Case("g", "training", ()).to_json()) == {"group": "g", "program": "training"}


@pytest.mark.parametrize("name", [name for name in BASES if name not in SLOW])
def test_a_working_call_of_each_command_succeeds(name: str, worker: Worker) -> None:
    """Else everything would be refused at the door, and nothing be fuzzed."""
    program, argv, outputs = call(Reader(name))
    verdict = worker.run(Case(name, program, argv, outputs))
    assert not verdict.failures
    assert verdict.reply.status == 0, f"{argv}: {verdict.output}"
    assert all(Path(fill_in(one, worker.sandbox.places)).exists() for one in outputs)
