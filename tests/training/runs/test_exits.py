"""The end of a process that was one rank of several."""

import os
import subprocess
import sys

import pytest

ENDS = """
import atexit, os, sys
from training.files.terminal import end_process

class Thread:
    # Stands for a thread of a backend: it aborts when Python is taken apart.
    def __del__(self):
        os.abort()

held = Thread()
sys.modules["__main__"].circle = [held]
atexit.register(print, "done at the end", flush=False)
print("said")
end_process(int(sys.argv[1]))
"""


@pytest.mark.parametrize("status", [0, 3])
def test_a_rank_ends_without_taking_python_apart(status: int) -> None:
    environment = {**os.environ, "WORLD_SIZE": "2"}
    ended = subprocess.run(
        [sys.executable, "-c", ENDS, str(status)], env=environment, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (status, "said\ndone at the end\n")


def test_a_process_alone_ends_as_usual() -> None:
    program = "from training.files.terminal import end_process; end_process(3)"
    environment = {name: value for name, value in os.environ.items() if name != "WORLD_SIZE"}
    assert subprocess.run([sys.executable, "-c", program], env=environment, check=False).returncode == 3
