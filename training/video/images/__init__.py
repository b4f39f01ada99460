"""What image files are, by their names and bytes."""
