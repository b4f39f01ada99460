"""A process that has imported `training` and torch, and forks a job's child for each request.

A job's own process takes seconds to import torch. Most tests of the window are about something else, so their jobs run
in forks of one process that has imported it already. `python -m tests.warm_server SOCKET` ends with its standard input.
"""

import importlib
import json
import os
import select
import signal
import socket
import struct
import sys
from pathlib import Path

from tests import tiny_backbone
from tests.fuzz.fork_server import end_process, import_all

__all__ = ["tiny_backbone"]  # imported for its entry in the registry

STATUS = struct.Struct("i")
STREAMS = 3
REQUEST_BYTES = 1 << 20
REGISTERS = "WCE_TEST_REGISTERS"
"""A variable of the environment: the module whose `register` a job calls first."""


def main() -> None:
    """Serve until standard input ends."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        import_all("job")
        listener.bind(sys.argv[1])
        listener.listen()
        print("ready", flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those who attend to a job end by themselves
        while True:
            ready, _, _ = select.select([listener, sys.stdin], [], [])
            if listener not in ready:
                return
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _attend(connection)
            connection.close()


def _attend(connection: socket.socket) -> None:
    """Run one job in a process of its own; send how it ended, or end it when nobody waits for that any more."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    text, streams, _, _ = socket.recv_fds(connection, REQUEST_BYTES, STREAMS)
    child = os.fork()
    if child == 0:
        connection.close()
        _become_job(json.loads(text), streams)
    for stream in streams:
        os.close(stream)
    handle = os.pidfd_open(child)
    ready, _, _ = select.select([handle, connection.fileno()], [], [])
    if handle not in ready:
        os.killpg(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if handle in ready:
        connection.sendall(STATUS.pack(status))
    os._exit(0)


def _become_job(request: dict[str, str], streams: list[int]) -> None:
    """In the child: never returns."""
    status = 1
    try:
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(STREAMS, 256)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(json.loads(request["environment"]))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from training.commands.child import run_job

        if REGISTERS in os.environ:
            importlib.import_module(os.environ[REGISTERS]).register()
        status = run_job(Path(request["config"]))
    finally:
        end_process(status)


if __name__ == "__main__":
    main()
