"""`warm_client.py SOCKET ARGUMENTS`: what tests start instead of `python ARGUMENTS`; see `tests.warm_server`.

It hands its standard streams over, waits, and ends as the other process ended. Killing it kills that process.
"""

import json
import os
import resource
import signal
import socket
import sys


def is_open(number: int) -> bool:
    """Whether this process was started with the stream."""
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


streams = [number for number in range(3) if is_open(number)]
mask = os.umask(0)
os.umask(mask)
wanted = {
    "arguments": sys.argv[2:],
    "folder": os.getcwd(),  # noqa: PTH109 (pathlib takes long to import)
    "environment": dict(os.environ),
    "streams": streams,
    "umask": mask,
    "file_bytes": resource.getrlimit(resource.RLIMIT_FSIZE),
}
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
    connection.connect(sys.argv[1])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: connection.send(bytes([number])))
    socket.send_fds(connection, [json.dumps(wanted).encode()], streams)
    answer = connection.recv(4)
status = int.from_bytes(answer, sys.byteorder, signed=True) if answer else 1
if status < 0:
    if -status != signal.SIGKILL:
        signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
os._exit(status & 0xFF)
