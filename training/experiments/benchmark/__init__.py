"""One comparison for every pretraining method: zero-shot kNN, linear evaluation, few-shot, alignment and uniformity."""
