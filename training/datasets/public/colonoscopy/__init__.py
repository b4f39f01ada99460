"""Public sets of colonoscopies, whose frames are sequences: one layout a file."""
