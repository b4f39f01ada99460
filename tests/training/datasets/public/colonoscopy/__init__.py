"""Readers of public sets of colonoscopies."""
