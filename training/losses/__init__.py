"""Losses of embeddings, as `torch.nn.Module`s; public are those that are listed here."""

from training.losses.batch_all_triplet import BatchAllTripletLoss, BatchHardTripletLoss
from training.losses.info_nce import NTXentLoss
from training.losses.time_triplet import TimeTripletLoss

__all__ = ["BatchAllTripletLoss", "BatchHardTripletLoss", "NTXentLoss", "TimeTripletLoss"]
