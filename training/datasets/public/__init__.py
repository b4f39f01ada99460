"""Public data sets of capsules and of colonoscopies, read in the layouts in which they are published."""
