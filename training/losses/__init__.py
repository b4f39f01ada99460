"""Losses of embeddings."""

from training.losses.batch_all_triplet import BatchAllTripletLoss

__all__ = ["BatchAllTripletLoss"]
