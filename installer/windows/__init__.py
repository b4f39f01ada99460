"""The package for Windows."""
