"""Tests of training.optimisation."""
