"""Finding what may be wrong in a data set by its embeddings: copies, outliers, and labels that are probably wrong.

Everything takes arrays, so that embeddings of any model can be used. Nothing is changed: each function gives a list to
look at.
"""

from training.cleaning.alike import Pair, near_duplicates, outlier_scores
from training.cleaning.label_errors import LabelErrors, cross_validated_scores, find_label_errors

__all__ = [
    "LabelErrors",
    "Pair",
    "cross_validated_scores",
    "find_label_errors",
    "near_duplicates",
    "outlier_scores",
]
