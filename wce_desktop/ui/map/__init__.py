"""The map of embeddings: a window of its own beside the reading room."""
