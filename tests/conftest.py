"""What every test may use."""

import os
from pathlib import Path

import pytest

# No window pops up while tests run, and none needs a screen; another platform can be asked for by this variable.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Tests run two at a time: two processes whose threads share two cores are many times slower than one thread each.
os.environ.setdefault("OMP_NUM_THREADS", "1")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real frames beside the checkout; the test is skipped where it is missing."""
    if not SHARED_DATA.is_dir():
        pytest.skip("no folder with real frames (../shared/data) beside the checkout")
    return SHARED_DATA
