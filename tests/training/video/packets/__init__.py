"""Tests of training.video.packets."""
