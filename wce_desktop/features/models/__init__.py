"""Runs and models in one window, with curves, figures, cards and lineage."""
