"""The package for macOS."""
