"""The training loop that pretraining and finetuning share: gradients, processes, learning rates."""
