"""Limiting numpy to one thread."""

import numpy as np
import scipy.linalg
from threadpoolctl import threadpool_info

from training.compute.plan import one_blas_thread


def blas_threads() -> list[int]:
    np.ones((2, 2)) @ np.ones((2, 2))
    assert scipy.linalg.cholesky(np.eye(2))[0, 0] == 1
    return [int(pool["num_threads"]) for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_one_thread_inside_and_as_many_as_before_outside() -> None:
    before = blas_threads()
    assert before
    with one_blas_thread():
        assert set(blas_threads()) == {1}
    assert blas_threads() == before


def test_overlapping_blocks_leave_as_many_as_before() -> None:
    before = blas_threads()
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(blas_threads()) == {1}, "the second block still runs"
    second.__exit__(None, None, None)
    assert blas_threads() == before
