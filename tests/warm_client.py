"""`warm_client.py SOCKET CONFIG.json`: what the window starts instead of a job's child; see `tests.warm_server`.

It hands its standard streams over, waits, and ends as the job ended. Killing it kills the job.
"""

import json
import os
import signal
import socket
import sys

with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
    connection.connect(sys.argv[1])
    wanted = {"config": sys.argv[2], "folder": os.getcwd(), "environment": json.dumps(dict(os.environ))}  # noqa: PTH109 (pathlib takes long to import)
    socket.send_fds(connection, [json.dumps(wanted).encode()], [0, 1, 2])
    answer = connection.recv(4)
status = int.from_bytes(answer, sys.byteorder, signed=True) if answer else 1
if status < 0:
    signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
os._exit(status & 0xFF)
