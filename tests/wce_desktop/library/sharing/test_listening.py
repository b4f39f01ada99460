"""Who has a study open at another window, and how soon others see it."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.wce_desktop.library.sharing.conftest import Shared
from wce_desktop.library import Library
from wce_desktop.library.sharing import listening
from wce_desktop.library.storage import server

PATIENCE = 20.0
SOON = 2.5
"""Two seconds, and what a busy machine takes."""
WINDOW = """
import sys
from wce_desktop.library.sharing import listening
from wce_desktop.library.storage import server
engine = server.connect(sys.argv[1])
for change in listening.changes(engine, sys.argv[1], lambda: None, lambda: "s-1"):
    print(change, flush=True)
"""


class _EndedError(Exception):
    pass


@contextmanager
def _window(shared: Shared, account: str, study: list[str]) -> Iterator[list[dict[str, Any]]]:
    """What a window of an account hears, as it comes; the last one of `study` is open there."""
    heard: list[dict[str, Any]] = [{}]
    ended = threading.Event()

    def check() -> None:
        if ended.is_set():
            raise _EndedError

    def listen() -> None:
        address = shared.postgres.address(shared.name, account)
        engine = server.connect(address)
        try:
            changes = listening.changes(engine, address, check, lambda: study[-1])
            heard.extend(dict(change["present"]) for change in changes if "present" in change)
        except _EndedError:
            pass
        finally:
            engine.dispose()

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield heard
    finally:
        ended.set()
        thread.join()


def _until(condition: Callable[[], bool]) -> float:
    """Wait for something; returns the seconds that it took."""
    start, pause = time.monotonic(), threading.Event()
    while not condition():
        assert time.monotonic() - start < PATIENCE
        pause.wait(0.02)
    return time.monotonic() - start


def test_a_study_opened_and_left_is_seen_soon(anna: Library, shared: Shared) -> None:
    opened, mark = [""], listening.mark_of("s-1")
    with _window(shared, "anna", [""]) as heard:
        with _window(shared, "bert", opened):
            opened.append("s-1")
            assert _until(lambda: heard[-1] == {mark: ("bert",)}) < SOON
            with _window(shared, "carla", ["s-1"]):
                assert _until(lambda: heard[-1] == {mark: ("bert", "carla")}) < SOON
            opened.append("s-2")
            assert _until(lambda: heard[-1] == {listening.mark_of("s-2"): ("bert",)}) < SOON
        assert _until(lambda: heard[-1] == {}) < SOON


def test_who_is_killed_is_gone_soon(anna: Library, shared: Shared) -> None:
    with _window(shared, "anna", [""]) as heard:
        address = shared.postgres.address(shared.name, "bert")
        with subprocess.Popen([sys.executable, "-c", WINDOW, address], stdout=subprocess.DEVNULL) as process:
            _until(lambda: heard[-1] == {listening.mark_of("s-1"): ("bert",)})
            process.kill()
        assert _until(lambda: heard[-1] == {}) < SOON


def test_who_is_cut_off_is_gone_soon(anna: Library, shared: Shared) -> None:
    """A process that is stopped keeps its connection, and is silent as one behind a cut network."""
    with _window(shared, "anna", [""]) as heard:
        address = shared.postgres.address(shared.name, "bert")
        with subprocess.Popen([sys.executable, "-c", WINDOW, address], stdout=subprocess.DEVNULL) as process:
            _until(lambda: heard[-1] == {listening.mark_of("s-1"): ("bert",)})
            process.send_signal(19)  # SIGSTOP
            assert _until(lambda: heard[-1] == {}) < SOON
            process.kill()
