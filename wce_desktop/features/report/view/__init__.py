"""The window of the report."""
