"""A bundle of wheels that installs without a network."""
