"""What a reader chooses for the program: the first start, keys, theme and text size."""
