"""Small matrix products on one thread: with several, OpenBLAS spins while it waits for a core that others use."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LOCK = threading.Lock()
_limits: list[Any] = []
"""One entry for each block that runs; the first one is the limit, which holds for the whole process."""


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit numpy and scipy to one thread while the block runs; blocks of several threads may overlap.

    On a busy machine with two cores a fit of 1,000 frames took a third of the time.
    """
    from threadpoolctl import threadpool_limits

    with _LOCK:
        _limits.append(_limits[0] if _limits else threadpool_limits(1, user_api="blas"))
    try:
        yield
    finally:
        with _LOCK:
            limit = _limits.pop()
            if not _limits:
                limit.restore_original_limits()
