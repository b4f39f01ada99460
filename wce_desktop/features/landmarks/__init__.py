"""Landmarks: set, moved and suggested; transit times."""
