"""Maps of embeddings: two coordinates for a frame, by PCA and t-SNE. Light: no torch; openTSNE only while at work."""
