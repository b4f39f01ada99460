"""Import and export of labels."""
