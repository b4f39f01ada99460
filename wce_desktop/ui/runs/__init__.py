"""Runs and models: all of them in one window, with curves, figures, cards and lineage."""
