"""Suggested findings: events grouped by what they show, joined and split by the reader."""
