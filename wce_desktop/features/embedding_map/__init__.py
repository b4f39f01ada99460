"""The window with the embedding map, and the evolution of a pretraining run."""
