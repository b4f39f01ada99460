"""The end of a process, also of one that was one rank of several."""

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


@pytest.mark.parametrize("ranks", ["1", "2"])
@pytest.mark.parametrize("status", [0, 3])
def test_a_process_ends_without_taking_python_apart(status: int, ranks: str) -> None:
    environment = {**os.environ, "WORLD_SIZE": ranks}
    ended = subprocess.run(
        [sys.executable, "-c", ENDS, str(status)], env=environment, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (status, "said\ndone at the end\n")


WAITS = """
import threading, sys
from training.files.terminal import end_process

thread = threading.Thread(target=lambda: print(sys.stdin.read()))
thread.start()
end_process(0)
"""


def test_a_thread_that_works_is_waited_for() -> None:
    ended = subprocess.run([sys.executable, "-c", WAITS], input="done", capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "done\n")
