"""InfoNCE of vectors, as the tests of losses and methods compare with it."""

from torch import Tensor

from training.losses.info_nce import nce_of_similarities, similarities


def info_nce(anchors: Tensor, positives: Tensor, negatives: Tensor, temperature: float) -> Tensor:
    """(B,) losses of anchors (B, D), positives (B, D) and negatives (B, K, D), or (K, D) for all rows."""
    return nce_of_similarities(*similarities(anchors, positives, negatives), temperature)
