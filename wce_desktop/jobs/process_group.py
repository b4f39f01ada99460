"""A child process and everything it started, as one thing that can be ended: the few lines that differ by platform."""

import os
import signal
import subprocess
import sys
from typing import Any


def group_options() -> dict[str, Any]:
    """Options for `Popen` that give the child its own group, so that Ctrl-C in the window's shell does not reach it."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"creationflags": flags | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"start_new_session": True}


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """End the child and all that it started, at once; fine when they are gone already."""
    if sys.platform == "win32":
        if process.poll() is None:
            command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(command, capture_output=True, check=False, creationflags=subprocess.CREATE_NO_WINDOW)
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # no process is left in the group
    except PermissionError:  # macOS raises this if only a zombie is left in the group
        return


def signal_name(return_code: int) -> str:
    """The name of the signal that ended a process ("SIGKILL"), or "exit code 3"."""
    if return_code >= 0:
        return f"exit code {return_code}"
    try:
        return signal.Signals(-return_code).name
    except ValueError:
        return f"signal {-return_code}"
