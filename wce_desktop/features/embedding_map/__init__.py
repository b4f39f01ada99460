"""The embedding map, a window of its own, and the evolution of a pretraining."""
