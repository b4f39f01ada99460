"""Tests of the window of runs and models."""
