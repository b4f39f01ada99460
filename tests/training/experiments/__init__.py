"""Tests of training.experiments."""
