"""Freed memory that a process keeps, in a process of its own: the setting cannot be taken back."""

import subprocess
import sys

import pytest

CODE = '''
import resource

import numpy as np

from training.optimisation.pace import keep_freed_memory

def faults():
    """The pages that 50 blocks of 16 MB cost."""
    for _ in range(3):
        np.ones(2_000_000)  # 16 MB, freed at once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(50):
        np.ones(2_000_000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

print(faults(), keep_freed_memory(), faults())
'''


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the allocator of glibc")
def test_a_block_of_the_size_of_a_freed_one_costs_no_new_pages() -> None:
    # numpy asks for huge pages itself, which would hide what is counted here.
    child = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={"NUMPY_MADVISE_HUGEPAGE": "0", "MALLOC_MMAP_THRESHOLD_": "131072"},
    )
    without, said, kept = child.stdout.split()
    assert (said, int(without) > 50 * 1000) == ("True", True)
    assert int(kept) < int(without) / 50
