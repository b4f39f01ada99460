"""Public capsule data sets, read in the layouts in which they are published: one layout a file."""
