"""What every run shares: the loop, gradients, processes, checkpoints, events, the protocol of a child process."""
