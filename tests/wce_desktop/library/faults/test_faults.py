"""Some steps of every operation fail; `python -m tests.wce_desktop.library.faults` lets all of them fail."""

import sys
from collections.abc import Iterator

import pytest

from tests.wce_desktop.library.faults.harness import Harness
from tests.wce_desktop.library.faults.injection import KINDS
from tests.wce_desktop.library.faults.operations import OPERATIONS, Operation

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are known by /proc, and processes are forked")
CASES = 2
"""For each operation: with another kind of fault each."""


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    made = Harness(tmp_path_factory.mktemp("faults"))
    yield made
    made.close()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_no_fault_of_the_disk_loses_anything(operation: Operation, harness: Harness) -> None:
    number = OPERATIONS.index(operation)
    kinds = [KINDS[(number + case) % len(KINDS)] for case in range(CASES)]
    tally = harness.run_some(operation, kinds)
    assert tally.problems == []
    assert tally.cases == CASES
