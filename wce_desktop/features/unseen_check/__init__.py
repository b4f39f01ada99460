"""Checking a random sample of the frames that nobody saw."""
