"""A process that has imported the program, torch and Qt, and forks what would be another `python ARGUMENTS`.

A process of its own takes seconds to import torch. Most tests that start one are about something else, so they run in
forks of one process that has imported it already: `warm_python()` names the command. `python -m tests.warm_server
DESCRIPTOR`, that of a listening socket, imports with the first request, and ends with its standard input.
"""

import atexit
import importlib
import json
import os
import resource
import runpy
import selectors
import signal
import socket
import struct
import sys
import tempfile
import threading
import types
import warnings
from pathlib import Path
from typing import Any, NoReturn

STATUS = struct.Struct("i")
REQUEST_BYTES = 1 << 20
REGISTERS = "WCE_TEST_REGISTERS"
"""A variable of the environment: the module whose `register` is called before a process begins."""
UNREADABLE = 120
"""The exit status of Python where its output could not be written at its end."""


def main() -> None:
    """Serve until standard input ends."""
    _Server(socket.socket(fileno=int(sys.argv[1]))).serve()
    os._exit(0)


def import_program() -> None:
    """Import all that takes long, once."""
    import gc

    from tests import tiny_backbone
    from tests.fuzz.fork_server import import_all

    assert tiny_backbone  # imported for its entry in the registry
    import_all("job")
    import_all("window")
    gc.freeze()  # what is never looked through is never copied either


class _Server:
    """Forks a process for each connection, and tells how it ended."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener, selectors.EVENT_READ, None)
        self._selector.register(sys.stdin, selectors.EVENT_READ, None)
        self._is_warm = False

    def serve(self) -> None:
        """Until standard input ends."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    return
                if key.fileobj is self._listener:
                    self._begin(self._listener.accept()[0])
                elif key.fd in self._selector.get_map():  # what ended in this round is gone already
                    key.data.attend(key.fileobj)

    def _begin(self, connection: socket.socket) -> None:
        if not self._is_warm:
            import_program()
            self._is_warm = True
        text, streams, _, _ = socket.recv_fds(connection, REQUEST_BYTES, 3)
        child = os.fork() if text else 0
        if text and child == 0:
            _become_python(json.loads(text), streams)
        if text:
            _Running(child, connection, streams, self._selector)
        else:
            connection.close()


class _Running:
    """A process that somebody waits for; its streams stay open until nothing is left of it, not even its number."""

    def __init__(
        self, child: int, connection: socket.socket, streams: list[int], selector: selectors.BaseSelector
    ) -> None:
        self._child, self._connection, self._selector = child, connection, selector
        self._streams = streams
        self._handle = os.pidfd_open(child)
        for readable in (self._handle, connection):
            selector.register(readable, selectors.EVENT_READ, self)

    def attend(self, readable: object) -> None:
        """Tell that it has ended, pass a signal on, or end it when nobody waits for it any more."""
        if readable is self._connection:
            signals = self._connection.recv(1)
            if signals:
                os.kill(self._child, signals[0])
                return
            _kill_group(self._child)
        for place in (self._handle, self._connection):
            self._selector.unregister(place)
        os.close(self._handle)
        status = os.waitstatus_to_exitcode(os.waitpid(self._child, 0)[1])
        for stream in self._streams:
            os.close(stream)
        with self._connection as connection:
            try:
                connection.send(STATUS.pack(status))
            except OSError:  # it is not there any more
                return


def _kill_group(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:  # it has not made its group yet
        os.kill(child, signal.SIGKILL)


def _become_python(request: dict[str, Any], streams: list[int]) -> NoReturn:
    """In the child: never returns."""
    status = 1
    try:
        os.setsid()
        for number in range(3):
            os.dup2(streams[request["streams"].index(number)], number) if number in request["streams"] else os.close(
                number
            )
        os.closerange(3, 1024)
        os.umask(request["umask"])
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        tempfile.tempdir = None
        atexit._clear()  # what the imports have registered is about the other process
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _open_streams()
        if REGISTERS in os.environ:
            importlib.import_module(os.environ[REGISTERS]).register()
        resource.setrlimit(resource.RLIMIT_FSIZE, tuple(request["file_bytes"]))
        status = _run(request["arguments"])
    finally:
        _end(status)


def _open_streams() -> None:
    """As Python does at its start: None stands for a stream that is closed."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            stream = None
        else:
            encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
            errors = "backslashreplace" if name == "stderr" else "surrogateescape"
            mode, buffering = "w" if number else "r", 1 if name == "stderr" else -1
            stream = open(number, mode, buffering, encoding, errors, closefd=False)  # noqa: SIM115 - as long as the process
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _run(arguments: list[str]) -> int:
    """Do what `python ARGUMENTS` does; its exit status, minus the signal's number where a signal ended it."""
    try:
        _run_arguments(arguments)
    except SystemExit as ended:
        if isinstance(ended.code, int):
            return ended.code
        if ended.code is not None and sys.stderr is not None:
            print(ended.code, file=sys.stderr)
        return int(ended.code is not None)
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        return -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _run_arguments(arguments: list[str]) -> None:
    """The options -W and -P, then -c CODE, -m MODULE or a script, with arguments of its own."""
    first = str(Path.cwd())
    while arguments[0] in ("-P", "-W"):
        if arguments[0] == "-W":
            warnings.simplefilter(arguments[1])  # type: ignore[arg-type]
            arguments = arguments[1:]
        else:
            first = ""
        arguments = arguments[1:]
    what, *rest = arguments
    if what not in ("-c", "-m"):
        first = str(Path(what).resolve().parent)
    places = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:1] = [place for place in (first, *places) if place]
    sys.argv = rest if what == "-m" else arguments if what != "-c" else ["-c", *rest[1:]]
    if what == "-c":
        module = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(rest[0], "<string>", "exec"), module.__dict__)
    elif what == "-m":
        sys.modules.pop(rest[0], None)  # it is imported, and runs anew
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(what, run_name="__main__")


def _end(status: int) -> NoReturn:
    """Wait for threads, do what is registered and flush as Python does, and end without its slow clearing up."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
    except OSError:
        status = UNREADABLE
    finally:
        if status < 0:  # -SIGINT
            signal.signal(-status, signal.SIG_DFL)
            os.kill(os.getpid(), -status)
        os._exit(status & 0xFF)


if __name__ == "__main__":
    main()
