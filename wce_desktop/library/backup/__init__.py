"""Backups of the database: making, listing, keeping and restoring them."""
