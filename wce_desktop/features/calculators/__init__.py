"""Scores of inflammation and cleanliness, entered by the reader and computed for the report."""
