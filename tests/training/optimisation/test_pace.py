"""CPU threads for a training: as many as asked for, within what the machine can use."""

import torch

from training.optimisation.pace import MOST_THREADS, threads_for_training


def test_more_threads_than_the_cores_can_use_are_not_started() -> None:
    before = torch.get_num_threads()
    with threads_for_training(1024):
        assert torch.get_num_threads() == MOST_THREADS
    with threads_for_training(1):
        assert torch.get_num_threads() == 1
    with threads_for_training(None):
        assert torch.get_num_threads() == before
    assert torch.get_num_threads() == before
