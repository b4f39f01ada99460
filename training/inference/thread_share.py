"""The number of torch's threads for a while: lanes set it for themselves, and it is put back at the end."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def threads_shared_out() -> Iterator[None]:
    """The lanes set torch's number of threads, also for threads made later; put it back at the end."""
    before = torch.get_num_threads()
    try:
        yield
    finally:
        torch.set_num_threads(before)
