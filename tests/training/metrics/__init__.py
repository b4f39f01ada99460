"""Tests of training.metrics."""
