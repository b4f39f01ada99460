"""Keeps the library safe: backups and their copies, checks, moving, encryption."""
