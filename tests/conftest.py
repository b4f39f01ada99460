"""What every test may use."""

import faulthandler
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from hypothesis import settings

from tests import tiny_backbone
from tests.warm_python import WarmJobs, warm_process

__all__ = ["tiny_backbone"]  # imported for its entry in the registry

# No window pops up while tests run, and none needs a screen; another platform can be asked for by this variable.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# The window follows the system's language, and tests expect English texts.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"  # as the program does; tests import Ray before it
# No test asks the key store of whoever runs it; children of tests do not either.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
# Several processes run tests: if the threads of each shared the same cores, all would be many times slower. Threads of
# OpenCV are also lost in forks, which then wait for them.
for variable in ("OMP_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(variable, "1")

# Tests start hundreds of processes; with bytecode on disk each of them imports torch in half the time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Tests write several gigabytes, a few at a time: in memory files take less time, and nothing waits for a disk. Not
# where there is little memory, or where somebody named another place.
ROOM_BYTES = 8 << 30
if "TMPDIR" not in os.environ and Path("/dev/shm").is_dir() and shutil.disk_usage("/dev/shm").free > ROOM_BYTES:
    os.environ["TMPDIR"] = "/dev/shm"
    tempfile.tempdir = None

# Each run draws new ones, and none is judged by a clock: another program may take the processor for a while.
settings.register_profile("each time others", max_examples=40, deadline=None)
settings.load_profile("each time others")

# Some million objects are imported while tests are collected, and then stay: looking through them again and again for
# garbage takes seconds.
gc.disable()

# The program lets new files be its user's alone; a test that starts it in this process does not choose that for others.
MASK = os.umask(0o022)
os.umask(MASK)

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """One warm process serves all that run the tests."""
    if not hasattr(config, "workerinput"):
        stack = ExitStack()
        stack.enter_context(warm_process())
        config.add_cleanup(stack.close)


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make, not among what was imported."""
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)  # Python's own 700 looks at every window some ten times while it is made
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A crash shows its stack, also after a test whose window has noted crashes in a file of its own."""
    if not faulthandler.is_enabled():
        faulthandler.enable(item.config.stash[fault_handler_stderr_fd_key])


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """After each file give memory back: networks hold a lot in few objects, and a test that forks would copy it all."""
    os.umask(MASK)
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True)
def _registries() -> Iterator[None]:
    """What a test registers or replaces is as before after it."""
    from training.methods.registry import FINETUNING, FRAME_PRETRAINING, PRETRAINING
    from training.models.backbones import BACKBONES

    registries: list[dict[str, Any]] = [BACKBONES, PRETRAINING, FRAME_PRETRAINING, FINETUNING]
    before = [dict(registry) for registry in registries]
    yield
    for registry, entries in zip(registries, before, strict=True):
        registry.clear()
        registry.update(entries)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real frames beside the checkout; the test is skipped where it is missing."""
    if not SHARED_DATA.is_dir():
        pytest.skip("no folder with real frames (../shared/data) beside the checkout")
    return SHARED_DATA


@pytest.fixture(scope="session")
def shared_published() -> Path:
    """The folder with the papers' figures as they were read; the test is skipped where it is missing."""
    folder = SHARED_DATA.with_name("published")
    if not folder.is_dir():
        pytest.skip("no folder with the papers' figures (../shared/published) beside the checkout")
    return folder


@pytest.fixture(scope="session", autouse=True)
def warm_jobs() -> Iterator[WarmJobs]:
    """The window's jobs run in forks of a process that has imported torch already."""
    with WarmJobs() as warm:
        yield warm


@pytest.fixture
def cold_jobs(warm_jobs: WarmJobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs start as they do in the program, with an interpreter of their own."""
    monkeypatch.setattr(warm_jobs, "is_used", False)


@pytest.fixture(scope="session", autouse=True)
def _quick_libraries() -> Iterator[None]:
    """Nothing that tests write waits for the disk."""
    from tests.quick_libraries import quick_libraries

    with quick_libraries():
        yield


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is saved is on the disk before the program goes on, as it is outside of tests."""
    from tests.quick_libraries import wait_for_the_disk

    wait_for_the_disk(monkeypatch)


@pytest.fixture
def unrendered_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plots of reports are put together but not rendered, which takes most of the time of a little evaluation."""
    from matplotlib.figure import Figure

    monkeypatch.setattr(Figure, "savefig", lambda _, out, **__: out.write("<svg></svg>"))
