"""Scores by a classifier of the reader's labels, fitted again after each label."""
