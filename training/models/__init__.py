"""Networks, what is put into them, and the folder in which a model lies on disk."""
