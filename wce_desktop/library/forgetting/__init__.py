"""Removing a study with everything that was derived from it: rows, files, entries of runs, and later backups."""
