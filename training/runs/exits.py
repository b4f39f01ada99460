"""How a process ends that was one rank of several."""

import atexit
import os
import sys
from typing import NoReturn


def end_process(status: int) -> NoReturn:
    """End with this exit code; where it failed or was one rank of several, without taking Python apart.

    Threads of torch's backends outlive the group of processes. One that lets go of a tensor while Python is being taken
    apart is ended inside of C++, which aborts the process: a finished training would count as failed. What is
    registered to be done at the end is done, and what was printed is written. HDF5 crashes at its own end where a file
    could not be written, as on a full disk.
    """
    if status or int(os.environ.get("WORLD_SIZE", "1")) > 1:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(status)
    sys.exit(status)
