"""Finding a place of one study in another: clips, their vectors, search and its evaluation (Xiang et al. 2023)."""
