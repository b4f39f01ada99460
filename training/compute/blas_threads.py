"""Small matrix products on one thread: with several, OpenBLAS spins while it waits for a core that others use."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit numpy and scipy to one thread while the block runs.

    On a busy machine with two cores a fit of 1,000 frames took a third of the time.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, user_api="blas"):
        yield
