"""Active learning: which rule for the next frames to label gives a better classifier with the same number of labels."""
