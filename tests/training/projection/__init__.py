"""Tests of training.projection."""
