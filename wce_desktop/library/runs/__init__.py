"""What models and training runs left on disk, and how they descend from each other."""
