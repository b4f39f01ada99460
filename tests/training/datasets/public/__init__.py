"""Tests of `training.datasets.public`."""
