"""Tests of training.compute."""
